import { HOUR_MS, type InstantMs } from '../../src/model/index.ts'
import { type SimWorld, simSource } from '../simulator/world.ts'
import { planFeed } from '../worlds/feed-plan.ts'
import { publications } from '../worlds/publication.ts'

const START: InstantMs = Date.UTC(2026, 0, 5)

/** The feeds of a world on loopback (`startWorld`) without the network: they publish at the same moments. */
export function plannedWorld(options: {
  readonly feeds: number
  readonly itemsPerDay: number
  readonly hours: number
  readonly seed: number
}): SimWorld {
  const { seed, itemsPerDay } = options
  const windowItems = 20
  const endMs = START + options.hours * HOUR_MS
  const sources = Array.from({ length: options.feeds }, (_, index) => {
    const { publication } = planFeed(index, { seed, windowItems, itemsPerDay, oddShare: 0 })
    const feed = publications(publication, seed, index)
    const window: InstantMs[] = []
    for (const { at } of feed.newestFirst(START)) if (window.push(at) >= windowItems) break
    const later = [...feed.between(START, endMs)].map(({ at }) => at)
    return simSource(index + 1, Float64Array.from([...window.reverse(), ...later]), windowItems)
  })
  return { startMs: START, endMs, sources }
}
