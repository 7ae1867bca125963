import type { Data } from '../../src/app/data/data.ts'
import { type DurationMs, type InstantMs, MINUTE_MS } from '../../src/model/index.ts'
import type { Clock } from '../../src/runtime/clock.ts'

/** No refresh waits longer for company, in virtual time: less than the shortest interval of a source. */
const LONGEST_HOLD_MS: DurationMs = MINUTE_MS

/** A store whose refreshes are handed over in groups. */
export interface WriteQueue {
  readonly data: Data
  /** Refreshes that wait to be stored. */
  pending(): number
  /** Hands over what has waited long enough. */
  release(everything?: boolean): void
}

/**
 * Refreshes of a busy node meet in one commit because they take real time. In virtual time they take none and would be
 * committed one by one: here they wait for up to `most` of them, or a virtual minute. 0: nobody waits.
 */
export function queueWrites(data: Data, clock: Clock, most: number): WriteQueue {
  const { store } = data
  let pending = 0
  let writes: (() => void)[] = []
  let waitingSince: InstantMs = 0
  const release = (everything = true) => {
    if (!everything && (writes.length === 0 || clock.now() - waitingSince < LONGEST_HOLD_MS)) return
    const group = writes
    writes = []
    for (const go of group) go()
  }
  const company = () =>
    new Promise<void>((resolve) => {
      if (writes.length === 0) waitingSince = clock.now()
      writes.push(resolve)
      if (writes.length >= most) release()
    })
  const recordRefresh: typeof store.recordRefresh = async (record) => {
    pending++
    try {
      if (most > 0) await company()
      return await store.recordRefresh(record)
    } finally {
      pending--
    }
  }
  return { data: { ...data, store: { ...store, recordRefresh } }, pending: () => pending, release }
}
