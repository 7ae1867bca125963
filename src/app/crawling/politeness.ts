import { AddressGroups } from '../../crawler/politeness/address-groups.ts'
import {
  createPoliteness,
  type Politeness,
  type PolitenessOptions,
  type StoredPoliteness,
} from '../../crawler/politeness/politeness.ts'
import type { Resolve } from '../../http/connector.ts'
import { type DurationMs, MINUTE_MS } from '../../model/index.ts'
import { type RepeatedRun, repeat } from '../../runtime/repeat.ts'
import { type SteadyClock, type StoredMoment, setSince } from '../../runtime/steady-clock.ts'
import { jsonState, type NamedState } from '../../store/node-state.ts'
import type { Store } from '../../store/store.ts'
import type { Config } from '../settings/config.ts'

interface SavedPoliteness extends StoredMoment {
  readonly politeness: StoredPoliteness
}

/** null: nothing was learnt. What another version wrote is learnt again. */
const POLITENESS: NamedState<SavedPoliteness | null> = jsonState('politeness', null, (stored) => {
  if (stored === null) return null
  const { politeness, ...moment } = stored as SavedPoliteness
  if (politeness?.v !== 1) return undefined
  // Before slow hosts were known, nothing was stored about them.
  return { ...moment, politeness: { ...politeness, slow: politeness.slow ?? [] } }
})
/** What was learnt within the last minute before a kill is learnt again from the next 429. */
const SAVE_EVERY_MS = MINUTE_MS

export interface StoredLimits {
  readonly limits: Politeness
  /** For the fetcher: its answers show which hosts are neighbours. */
  readonly resolve: Resolve
  save(): Promise<void>
  /** Takes over what another process has saved meanwhile. */
  learn(): Promise<void>
  /** Saves now and then, and at the end. */
  readonly run: RepeatedRun
}

/** Politeness with what was learnt before the last stop. */
export async function openPoliteness(
  config: Pick<Config, 'hostSpacing' | 'hostConcurrency'>,
  store: Pick<Store, 'states' | 'saveState'>,
  clock: SteadyClock,
): Promise<StoredLimits> {
  const groups = new AddressGroups()
  const limits = politenessFor(config, clock, { groupOf: (hostname) => groups.of(hostname) })
  let saved = 'null'
  /** What any crawler has learnt counts for all of them; the clock of another machine tells nothing about this one's. */
  const learn = async () => {
    for (const { value, isOwn } of await store.states(POLITENESS)) {
      if (isOwn) saved = JSON.stringify(value?.politeness ?? null)
      if (value === null) continue
      limits.learn({ politeness: value.politeness, setByMs: isOwn ? setSince(value, clock) : 0, now: clock.now() })
    }
  }
  await learn()
  const save = async () => {
    const politeness = limits.keep(clock.now())
    const text = JSON.stringify(politeness)
    if (text === saved) return
    const moment: StoredMoment = { at: clock.now(), monotonicMs: clock.monotonicMs() }
    await store.saveState(POLITENESS, politeness && { ...moment, politeness })
    saved = text
  }
  return {
    limits,
    resolve: groups.resolve,
    save,
    learn,
    run: repeat({ clock, everyMs: SAVE_EVERY_MS, action: save }),
  }
}

/** How long slow hosts take, as last written by the node. */
export async function slowHosts(store: Pick<Store, 'states'>): Promise<ReadonlyMap<string, DurationMs>> {
  const saved = (await store.states(POLITENESS)).toReversed()
  return new Map(saved.flatMap(({ value }) => value?.politeness.slow ?? []))
}

/** As the settings have it; it goes on from the new time when the clock is set. */
export function politenessFor(
  { hostSpacing, hostConcurrency }: Pick<Config, 'hostSpacing' | 'hostConcurrency'>,
  clock: SteadyClock,
  options: Omit<PolitenessOptions, 'host'> = {},
): Politeness {
  const limits = createPoliteness({ host: { spacingMs: hostSpacing, concurrency: hostConcurrency }, ...options })
  clock.onSet((byMs) => limits.shift(byMs))
  return limits
}
