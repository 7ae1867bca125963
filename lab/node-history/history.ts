import type { InstantMs, Observation, Source } from '../../src/model/index.ts'
import type { Store } from '../../src/store/store.ts'
import { type SimSource, type SimWorld, simSource } from '../simulator/world.ts'

/** More would take minutes; the busiest say most about what a budget does. */
const MOST_SOURCES = 5_000
const MOST_OBSERVATIONS = 20_000
const USUAL_WINDOW = 20

export type HistoryStore = Pick<Store, 'sources' | 'observations' | 'models'>

/**
 * What the sources of a node published as far as it saw: dated items at their dates, the others spread over the time
 * between the two refreshes that they came in. Lost items are spread likewise. What was there at the first refresh says
 * nothing about when it came, and is left out unless dated within the time. A node that is younger than the time asked for
 * begins with its first refresh.
 */
export async function historyWorld(store: HistoryStore, startMs: InstantMs, endMs: InstantMs): Promise<SimWorld> {
  const histories: { readonly source: Source; readonly observations: readonly Observation[] }[] = []
  for (const source of await store.sources()) {
    const observations = await store.observations(source.id, { since: startMs, limit: MOST_OBSERVATIONS })
    if (observations.length > 0) histories.push({ source, observations })
  }
  const first = histories.reduce((least, { observations }) => observations.reduce(earlier, least), endMs)
  const begunMs = Math.max(startMs, first)
  const models = await store.models(histories.map(({ source }) => source.id))
  const sources: SimSource[] = []
  for (const { source, observations } of histories) {
    const { id, name, url, weight, state } = source
    const times = observations.flatMap(timesOf).filter((time) => time >= begunMs && time < endMs)
    const windowSize = models.get(id)?.windowSize || state.window.length || USUAL_WINDOW
    sources.push(simSource(id, Float64Array.from(times).sort(), windowSize, { name: name ?? url, weight }))
  }
  const busiest = sources.sort((a, b) => b.times.length - a.times.length || a.id - b.id).slice(0, MOST_SOURCES)
  return { startMs: begunMs, endMs, sources: busiest }
}

function earlier(least: InstantMs, { previousAt, at }: Observation): InstantMs {
  return Math.min(least, previousAt ?? at)
}

function timesOf({ itemTimes, newItems, loss, overlap, previousAt, at }: Observation): number[] {
  const undated = Math.max(0, newItems - itemTimes.length) + Math.round(loss?.items ?? 0)
  if (overlap === 'first' || previousAt === null) return [...itemTimes]
  const step = (at - previousAt) / (undated + 1)
  return [...itemTimes, ...Array.from({ length: undated }, (_, index) => previousAt + (index + 1) * step)]
}
