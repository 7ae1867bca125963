import { DAY_MS, type DueIcon, type DurationMs, type InstantMs, type Random } from '../model/index.ts'
import type { IconRecord } from '../store/icons.ts'

/** What a look for an icon has led to. */
export type IconFinding =
  | { readonly kind: 'found'; readonly icon: Exclude<IconRecord['found'], 'none' | null> }
  /** The site has none that can be shown. */
  | { readonly kind: 'none'; readonly code: string }
  /** It could not be reached. */
  | { readonly kind: 'failure'; readonly code: string }

/** Sites change their icons once in years. */
const AGAIN_MS: DurationMs = 28 * DAY_MS
const FIRST_RETRY_MS: DurationMs = DAY_MS

/** When to look again, spread over a quarter so that what was wanted together does not stay together. */
export function afterLook(due: DueIcon, finding: IconFinding, at: InstantMs, random: Random): IconRecord {
  const { sourceId } = due
  const isFailure = finding.kind === 'failure'
  const attempts = isFailure ? due.attempts + 1 : 0
  const waitMs = isFailure ? Math.min(AGAIN_MS, FIRST_RETRY_MS * 2 ** (attempts - 1)) : AGAIN_MS
  const dueAt = at + Math.round(waitMs * (1 + random() / 4))
  const failure = finding.kind === 'found' ? null : finding.code
  const found = finding.kind === 'found' ? finding.icon : isFailure ? null : 'none'
  return { sourceId, at, dueAt, attempts, failure, found }
}
