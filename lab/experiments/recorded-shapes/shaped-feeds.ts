import { entryAt } from '../../../src/model/entry-at.ts'
import { DAY_MS, MINUTE_MS } from '../../../src/model/index.ts'
import { BIG_MAJORITY, discoverShape, hoursOfDay, itemsPerDay, type WatchedSpan } from '../../analysis/index.ts'
import { readTraceSet } from '../../traces/trace-set.ts'
import { CYCLES_PER_DAY, type NormalisedSource, type ShapeName } from '../shapes/normalised-source.ts'
import { firstDays } from '../traces/days.ts'
import { CONFIG } from './config.ts'

/** A recorded feed with the shape that Algorithm 6.1 finds in its first days. */
export interface ShapedFeed {
  readonly name: string
  readonly shape: ShapeName
  readonly perDay: number
  /** First midnight (UTC) of its trace. */
  readonly from: number
  readonly times: Float64Array
}

/** All feeds of the traces that publish enough; the busiest first. */
export async function shapedFeeds(days: number): Promise<ShapedFeed[]> {
  const feeds: ShapedFeed[] = []
  for (const set of CONFIG.traces) {
    const trace = await readTraceSet(set)
    const span = firstDays(trace, days)
    for (const { id, times } of trace.sources) {
      const perDay = itemsPerDay(times, span)
      const shape = perDay >= CONFIG.leastPerDay ? shapeOf(times, span, set.maskedHours) : null
      if (shape !== null) feeds.push({ name: `${set.name} ${id}`, shape, perDay, from: span.from, times })
    }
  }
  return feeds.sort((a, b) => b.perDay - a.perDay || (a.name < b.name ? -1 : 1))
}

/** "A big majority" of the hours decides: no busy feed of ours is pure. */
function shapeOf(times: Float64Array, span: WatchedSpan, maskedHours: readonly number[]): ShapeName | null {
  return discoverShape(
    hoursOfDay(times, span, maskedHours).map(({ mean }) => mean),
    BIG_MAJORITY,
  )
}

/** Ten of a shape, evenly over their ranks, so that not only the very busiest speak. */
export function tenOf(feeds: readonly ShapedFeed[], shape: ShapeName): ShapedFeed[] {
  const all = feeds.filter((feed) => feed.shape === shape)
  const count = Math.min(CONFIG.sources, all.length)
  return Array.from({ length: count }, (_, k) => entryAt(all, Math.floor((k * all.length) / count)))
}

const CYCLE_MS = 10 * MINUTE_MS

/** 7.3.1: x/N items in a cycle, N being the items of its day. */
export function normaliseSource({ times, from }: ShapedFeed, days: number): NormalisedSource {
  const source = new Float64Array(days * CYCLES_PER_DAY)
  const perDay = new Float64Array(days)
  for (const at of times) {
    if (at < from || at >= from + days * DAY_MS) continue
    source[Math.floor((at - from) / CYCLE_MS)] = (source[Math.floor((at - from) / CYCLE_MS)] ?? 0) + 1
    perDay[Math.floor((at - from) / DAY_MS)] = (perDay[Math.floor((at - from) / DAY_MS)] ?? 0) + 1
  }
  return source.map((items, cycle) => {
    const total = entryAt(perDay, Math.floor(cycle / CYCLES_PER_DAY))
    return total > 0 ? items / total : 0
  })
}
