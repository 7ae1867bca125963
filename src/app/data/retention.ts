import { DAY_MS, type DurationMs, HOUR_MS, type InstantMs, MINUTE_MS } from '../../model/index.ts'
import { repeat } from '../../runtime/repeat.ts'
import { elapsedSince, type StoredMoment } from '../../runtime/steady-clock.ts'
import type { Layer } from '../../runtime/supervisor.ts'
import { jsonState, type NamedState } from '../../store/node-state.ts'
import type { RetentionPolicy } from '../../store/store.ts'
import type { Environment } from '../environment.ts'
import type { Config } from '../settings/config.ts'
import type { Data } from './opened-data.ts'

const PRUNE_EVERY_MS = HOUR_MS
/** Who keeps less than before, to make room, need not wait for the hour. */
const LOOK_EVERY_MS = MINUTE_MS

/** A node that was off for a month is back at the present after a month; until then it keeps more than it is told to. */
const MOST_SPEED = 2
/** After a new start of the machine nobody but the wall clock knows how long it was off. */
const MOST_ELAPSED_MS = DAY_MS

/** Up to where retention has come, and when that was. */
interface SavedRetention extends StoredMoment {
  readonly present: InstantMs
}

/** null: nothing was ever removed. */
const RETENTION: NamedState<SavedRetention | null> = jsonState('retention', null, (stored) => {
  const { present, at } = stored as SavedRetention
  return Number.isFinite(present) && Number.isFinite(at) ? (stored as SavedRetention) : undefined
})

/** Removes what the settings of the moment no longer keep: every hour, and soon after they changed. */
export function pruneLayer(
  config: () => Config,
  { store }: Pick<Data, 'store'>,
  { clock, logger }: Pick<Environment, 'clock' | 'logger'>,
): Layer {
  let lastMs = clock.monotonicMs()
  let lastPolicy = JSON.stringify(retentionOf(config()))
  const action = async () => {
    const policy = retentionOf(config())
    const isChanged = JSON.stringify(policy) !== lastPolicy
    if (!isChanged && clock.monotonicMs() - lastMs < PRUNE_EVERY_MS) return
    const before = await store.state(RETENTION)
    const elapsedMs = before === null ? 0 : elapsedSince(before, clock)
    const present = retentionPresent(clock.now(), before?.present ?? null, elapsedMs)
    const next: SavedRetention = {
      present: Math.max(present, before?.present ?? present),
      at: clock.now(),
      monotonicMs: clock.monotonicMs(),
    }
    // Before anything is removed: what could not be kept must not be gone through twice.
    await store.saveState(RETENTION, next)
    const removed = await store.prune(policy, present)
    lastMs = clock.monotonicMs()
    lastPolicy = JSON.stringify(policy)
    if (removed.items + removed.observations > 0) logger.info(removed, 'removed what is no longer kept')
  }
  const run = repeat({ clock, everyMs: LOOK_EVERY_MS, action, alsoAtEnd: false })
  return { name: 'prune', run, healthyAfterMs: null }
}

/**
 * The time by which retention says how old something is. A clock that is ahead would remove the whole archive at once, and
 * nothing brings it back: so this time follows the wall clock, but passes no more than twice as fast as time does.
 */
export function retentionPresent(wallAt: InstantMs, before: InstantMs | null, elapsedMs: DurationMs): InstantMs {
  if (before === null) return wallAt
  return Math.min(wallAt, before + MOST_SPEED * Math.min(elapsedMs, MOST_ELAPSED_MS))
}

function retentionOf({ keepFor, keepItems, keepObservationsFor, feedItems }: Config): RetentionPolicy {
  return {
    maxAgeMs: keepFor ?? null,
    maxItemsPerSource: keepItems ?? null,
    maxObservationAgeMs: keepObservationsFor,
    feedWindow: feedItems,
  }
}
