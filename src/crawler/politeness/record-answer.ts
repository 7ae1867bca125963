import type { InstantMs } from '../../model/index.ts'
import type { FetchOutcome } from '../fetch/fetcher.ts'
import { hostKey } from '../fetch/host-key.ts'
import type { Politeness } from './politeness.ts'

/** Where a refresh was sent to. */
export interface RequestRecord {
  readonly url: string
  readonly host: string
}

/** Politeness learns from every answer. `sent`: whose host is known. */
export function recordAnswer(
  limits: Politeness,
  fetched: FetchOutcome,
  sent: RequestRecord | null,
  now: InstantMs,
): void {
  if (fetched.kind === 'failed') limits.recordAnswer(fetched.host, fetched, now)
  else {
    const host = fetched.finalUrl === sent?.url ? sent.host : hostKey(fetched.finalUrl)
    limits.recordAnswer(host, { status: fetched.status, retryAt: null }, now)
  }
}
