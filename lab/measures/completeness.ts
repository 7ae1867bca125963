import type { InstantMs } from '../../src/model/index.ts'
import { completenessOf } from '../../src/quality/live.ts'
import { type Accepts, everything, streamAt, type TimedItem } from './feed.ts'
import { fetchedBy, type RefreshedSource } from './fetched.ts'

/** Ideal stream I(f, t), Definition 2.2.1: the query over all that its sources ever published, nothing missed. */
export function idealStream<Item extends TimedItem>(
  sources: readonly (readonly Item[])[],
  t: InstantMs,
  accepts: Accepts<Item> = everything,
): Item[] {
  return sources
    .flatMap((items) => streamAt(items, t))
    .filter(accepts)
    .sort((a, b) => a.at - b.at)
}

/** The publication stream F(f, t) of a query feed: what its aggregator really got and kept. */
export function aggregatedStream<Item extends TimedItem>(
  sources: readonly RefreshedSource<Item>[],
  t: InstantMs,
  accepts: Accepts<Item> = everything,
): Item[] {
  return sources
    .flatMap((source) => fetchedBy(source, t).map(({ item }) => item))
    .filter(accepts)
    .sort((a, b) => a.at - b.at)
}

/**
 * C_F(f, t) of a query feed over its sources. Items still waiting in a window count as missing, as the definition has it;
 * measure at a refresh of all sources, or over a long time, to see permanent loss only.
 */
export function feedCompleteness<Item extends TimedItem>(
  sources: readonly RefreshedSource<Item>[],
  t: InstantMs,
  accepts: Accepts<Item> = everything,
): number {
  const ideal = idealStream(
    sources.map(({ items }) => items),
    t,
    accepts,
  )
  return completenessOf(aggregatedStream(sources, t, accepts).length, ideal.length)
}
