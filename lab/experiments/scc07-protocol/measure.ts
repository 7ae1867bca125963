import type { Random } from '../../../src/model/index.ts'
import { DAY_MS } from '../../../src/model/index.ts'
import { countBefore, type WatchedSpan } from '../../analysis/index.ts'
import type { Trace } from '../../worlds/trace.ts'

/** What polls of a collection meet, added up. */
export interface PollTotals {
  readonly polls: number
  /** Items in the answers if each is sent whole. */
  readonly shown: number
  /** Items that were not in the answer before. */
  readonly fresh: number
  /** Polls that find nothing new, and the items in their answers: what a 304 saves. */
  readonly emptyPolls: number
  readonly shownInVain: number
}

/**
 * Polls every source evenly, `perDay` times a day within the span, each at a phase of its own. A feed shows the last
 * `window` items; one that has not yet published anything is not polled.
 */
export function pollEvenly(
  trace: Trace,
  span: WatchedSpan,
  perDay: number,
  window: number,
  random: Random,
): PollTotals {
  const totals = { polls: 0, shown: 0, fresh: 0, emptyPolls: 0, shownInVain: 0 }
  const everyMs = DAY_MS / perDay
  for (const { times } of trace.sources) {
    let reached = 0
    let hasPolled = false
    for (let at = span.from + random() * everyMs; at < span.to; at += everyMs) {
      const published = countBefore(times, at + 1)
      if (published === 0) continue
      // The first poll of a source shows everything for the first time: no protocol saves that.
      if (hasPolled) count(totals, Math.min(window, published), Math.min(window, published - reached))
      hasPolled = true
      reached = published
    }
  }
  return totals
}

function count(totals: { -readonly [Key in keyof PollTotals]: number }, itemsShown: number, fresh: number): void {
  totals.polls++
  totals.shown += itemsShown
  totals.fresh += fresh
  if (fresh > 0) return
  totals.emptyPolls++
  totals.shownInVain += itemsShown
}

/** Share of the items that need not be sent if a feed sends only what is new since the last poll (4.6). */
export function savedByNewOnly({ shown: itemsShown, fresh }: PollTotals): number {
  return itemsShown > 0 ? 1 - fresh / itemsShown : 0
}

/** Share of the items that need not be sent if a feed without news answers 304 Not Modified. */
export function bytesSavedByNotModified({ shown: itemsShown, shownInVain }: PollTotals): number {
  return itemsShown > 0 ? shownInVain / itemsShown : 0
}
