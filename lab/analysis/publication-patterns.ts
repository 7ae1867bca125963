import { DAY_MS, HOUR_MS, type InstantMs, MINUTE_MS } from '../../src/model/index.ts'
import { countBefore, type WatchedSpan } from './collection.ts'

/** Publication patterns of [RUM+11] (thesis 5.1). `empty`: nothing was ever published. */
export type PublicationPattern = 'zombie' | 'spontaneous' | 'sliced' | 'constant' | 'chunked' | 'on-the-fly' | 'empty'

/**
 * Where the thesis gives a number (a mean interval of at least a day: spontaneous; intervals of at most 2 hours: constant)
 * it is used; the rest is chosen:
 * - "a long time ago": four weeks, and ten times the source's own mean interval;
 * - "at most 2 hours" for 95 % of the intervals, since one maintenance night is not a habit;
 * - "all at once": four items in five share their minute with others, in groups of three or more on average;
 * - "the current time as their publication date": nine dates in ten within two minutes of the fetch that showed them.
 */
const ZOMBIE_MS = 28 * DAY_MS
const ZOMBIE_INTERVALS = 10
const CONSTANT_MS = 2 * HOUR_MS
const CONSTANT_SHARE = 0.95
const CHUNK_MS = MINUTE_MS
const ON_THE_FLY_MS = 2 * MINUTE_MS

export interface PublicationRecord {
  readonly times: ArrayLike<InstantMs>
  /** When each item was first fetched, in the same order; only needed to know on-the-fly feeds. */
  readonly fetchedAt?: ArrayLike<InstantMs>
}

export function publicationPattern(source: PublicationRecord, span: WatchedSpan): PublicationPattern {
  const end = countBefore(source.times, span.to)
  if (end === 0) return 'empty'
  if (isOnTheFly(source, end)) return 'on-the-fly'
  const chunks = chunksOf(source.times, end)
  if (isZombie(source.times[end - 1] ?? 0, chunks, span)) return 'zombie'
  if (isChunked(chunks, end)) return 'chunked'
  const gaps = gapsOf(chunks.map(({ at }) => at))
  if (gaps.length > 0 && shareUpTo(gaps, CONSTANT_MS) >= CONSTANT_SHARE) return 'constant'
  return gaps.length === 0 || mean(gaps) >= DAY_MS ? 'spontaneous' : 'sliced'
}

interface Chunk {
  readonly at: InstantMs
  readonly items: number
}

/** Items less than a minute after the one before count as published at once. */
function chunksOf(times: ArrayLike<InstantMs>, end: number): Chunk[] {
  const chunks: { at: InstantMs; items: number }[] = []
  for (let index = 0; index < end; index++) {
    const together = index > 0 && (times[index] ?? 0) - (times[index - 1] ?? 0) < CHUNK_MS
    if (together) chunks.at(-1)!.items++
    else chunks.push({ at: times[index] ?? 0, items: 1 })
  }
  return chunks
}

function isZombie(lastAt: InstantMs, chunks: readonly Chunk[], span: WatchedSpan): boolean {
  const silence = span.to - lastAt
  const [first] = chunks
  const meanGap = first !== undefined && chunks.length > 1 ? (lastAt - first.at) / (chunks.length - 1) : 0
  return silence >= ZOMBIE_MS && silence >= ZOMBIE_INTERVALS * meanGap
}

function isChunked(chunks: readonly Chunk[], items: number): boolean {
  const inGroups = chunks.reduce((sum, chunk) => sum + (chunk.items > 1 ? chunk.items : 0), 0)
  return items >= 3 && inGroups >= 0.8 * items && items / chunks.length >= 3
}

function isOnTheFly({ times, fetchedAt }: PublicationRecord, end: number): boolean {
  if (fetchedAt === undefined || end < 3) return false
  let close = 0
  for (let index = 0; index < end; index++) {
    if (Math.abs((times[index] ?? 0) - (fetchedAt[index] ?? 0)) <= ON_THE_FLY_MS) close++
  }
  return close >= 0.9 * end
}

function gapsOf(times: readonly InstantMs[]): number[] {
  return times.slice(1).map((time, index) => time - (times[index] ?? 0))
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function shareUpTo(values: readonly number[], limit: number): number {
  return values.filter((value) => value <= limit).length / values.length
}
