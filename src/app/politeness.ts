import { AddressGroups } from '../crawler/politeness/address-groups.ts'
import { createPoliteness, type KeptPoliteness, type Politeness } from '../crawler/politeness/politeness.ts'
import type { Resolve } from '../http/connector.ts'
import { MINUTE_MS } from '../model/index.ts'
import type { Clock } from '../runtime/clock.ts'
import { type PeriodicRun, periodic } from '../runtime/periodic.ts'
import type { Store } from '../store/store.ts'
import type { Config } from './config.ts'

const STATE_KEY = 'politeness'
/** What was learnt within the last minute before a kill is learnt again from the next 429. */
const SAVE_EVERY_MS = MINUTE_MS

export interface KeptLimits {
  readonly limits: Politeness
  /** For the fetcher: its answers tell which hosts are neighbours. */
  readonly resolve: Resolve
  save(): Promise<void>
  /** Saves now and then, and at the end. */
  readonly run: PeriodicRun
}

/** Politeness with what was learnt before the last stop. */
export async function openPoliteness(
  config: Pick<Config, 'hostSpacing' | 'hostConcurrency'>,
  store: Pick<Store, 'nodeState' | 'saveNodeState'>,
  clock: Clock,
): Promise<KeptLimits> {
  const groups = new AddressGroups()
  let saved = (await store.nodeState(STATE_KEY)) ?? 'null'
  const limits = createPoliteness({
    host: { spacingMs: config.hostSpacing, concurrency: config.hostConcurrency },
    groupOf: (hostname) => groups.of(hostname),
    kept: readKept(saved),
  })
  const save = async () => {
    const text = JSON.stringify(limits.keep(clock.now()))
    if (text === saved) return
    await store.saveNodeState(STATE_KEY, text)
    saved = text
  }
  return {
    limits,
    resolve: groups.resolve,
    save,
    run: periodic({ clock, everyMs: SAVE_EVERY_MS, action: save }),
  }
}

/** What another version wrote is learnt anew. */
function readKept(text: string): KeptPoliteness | null {
  try {
    const kept = JSON.parse(text) as KeptPoliteness | null
    return kept?.v === 1 ? kept : null
  } catch {
    return null
  }
}
