import { DAY_MS, type InstantMs, MINUTE_MS, type Observation, type SourceId } from '../../model/index.ts'
import { estimateLoss } from '../../quality/loss.ts'
import type { DedupResult } from './deduplicate.ts'

export interface RefreshFacts {
  readonly sourceId: SourceId
  readonly previousAt: InstantMs | null
  readonly at: InstantMs
  readonly bytes: number
  readonly latencyMs: number
}

/** Clocks of publishers run a little fast; more than this in the future is not a date of publication. */
const CLOCK_SKEW_MS = 5 * MINUTE_MS

/** Field by field: most refreshes end here, and copying the facts would cost more than the rest of it. */
export function observeUnchanged({ sourceId, previousAt, at, bytes, latencyMs }: RefreshFacts): Observation {
  return {
    sourceId,
    previousAt,
    at,
    bytes,
    latencyMs,
    newItems: 0,
    windowSize: null,
    overlap: previousAt === null ? 'first' : 'some',
    lostAtLeast: 0,
    itemTimes: [],
    notModified: true,
  }
}

/** What was found: in the window, and, where that showed nothing known, on older pages. */
export interface RefreshFindings {
  /** With those of older pages. */
  readonly added: DedupResult['added']
  readonly windowSize: number
  readonly overlap: Observation['overlap']
  readonly datesCredible: boolean
  /** Items an hour that the source usually publishes; null: unknown. */
  readonly usualPerHour: number | null
}

export function observeContent(facts: RefreshFacts, found: RefreshFindings): Observation {
  const { added, overlap } = found
  const itemTimes = found.datesCredible ? credibleTimes(added, facts.at) : []
  const observation = {
    ...facts,
    newItems: added.length,
    windowSize: found.windowSize,
    overlap,
    lostAtLeast: overlap === 'none' ? lostAtLeast(facts, itemTimes) : 0,
    itemTimes,
    notModified: false,
  }
  if (overlap !== 'none' || facts.previousAt === null) return observation
  const { previousAt, at } = facts
  const loss = estimateLoss({
    previousAt,
    at,
    newItems: added.length,
    times: itemTimes,
    usualPerHour: found.usualPerHour,
  })
  return loss === null ? observation : { ...observation, loss }
}

function credibleTimes(added: DedupResult['added'], at: InstantMs): InstantMs[] {
  const times: InstantMs[] = []
  for (const { item } of added) {
    if (item.published !== null && item.published > 0 && item.published <= at) times.push(item.published)
  }
  return times.sort((a, b) => a - b)
}

/**
 * Without overlap, what was published between the last refresh and the oldest item now shown is lost. How much that is
 * follows from the pace of the window itself: its items over its span. A lower bound, since a busy source that had
 * slowed down by now would have lost more.
 */
export function lostAtLeast({ previousAt }: Pick<RefreshFacts, 'previousAt'>, itemTimes: readonly InstantMs[]): number {
  const oldest = itemTimes[0]
  const newest = itemTimes.at(-1)
  if (previousAt === null || oldest === undefined || newest === undefined) return 0
  const spanMs = newest - oldest
  const gapMs = oldest - previousAt
  if (spanMs <= 0 || gapMs <= 0) return 0
  return Math.max(0, Math.floor((gapMs * (itemTimes.length - 1)) / spanMs) - 1)
}

/**
 * Whether a source's dates can be believed is itself learnt (refresh-science §3). Each refresh that says something
 * about it decides again; one that says nothing leaves the belief as it was.
 */
export function judgeDates(
  before: boolean,
  dedup: DedupResult,
  items: readonly { readonly published: InstantMs | null }[],
  at: InstantMs,
  previousAt: InstantMs | null,
): boolean {
  // An empty document has no dates to be wrong.
  if (items.length === 0) return before
  const dates = items.flatMap(({ published }) => (published === null ? [] : [published]))
  if (dates.length === 0 || dates.length * 2 < items.length) return false
  // The dates of known items moved: the site stamps the moment of the request.
  if (dedup.knownAgain > 0 && dedup.redated * 2 >= dedup.knownAgain) return false
  // "Now" on every item.
  if (dates.length >= 3 && dates.every((date) => Math.abs(date - at) < MINUTE_MS)) return false
  const future = dates.filter((date) => date > at + CLOCK_SKEW_MS).length
  if (future * 2 >= dates.length) return false
  // New since the last refresh, yet dated long before it: dates of events, not of publication.
  if (previousAt !== null && dedup.overlap === 'some' && dedup.added.length > 0) {
    const backdated = dedup.added.filter(({ item }) => (item.published ?? at) < previousAt - DAY_MS).length
    if (backdated * 2 > dedup.added.length) return false
    return true
  }
  return dedup.knownAgain > 0 ? true : before
}

/** The place of an item in the order of publication: its stated date where that can be, else when we first saw it. */
export function sortTime(published: InstantMs | null, firstSeenAt: InstantMs): InstantMs {
  return published !== null && published > 0 && published <= firstSeenAt ? published : firstSeenAt
}
