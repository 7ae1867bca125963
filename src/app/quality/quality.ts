import type { ShareService } from '../../api/services.ts'
import { entryAt } from '../../model/entry-at.ts'
import {
  addCounts,
  type DelayCount,
  HOUR_MS,
  type InstantMs,
  NO_COUNTS,
  type QualityScope,
  type QualityTally,
  type SourceId,
} from '../../model/index.ts'
import {
  type MeasuredPeriod,
  measureOfFeed,
  measureQuality,
  PERIODS,
  periodUntil,
  type QualityMeasures,
} from '../../quality/live.ts'
import type { Clock } from '../../runtime/clock.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import type { Store } from '../../store/store.ts'
import { type QualitySeries, type ReadMeasures, seriesOf, seriesOfNode } from './quality-series.ts'
import type { RecentQuality } from './recent-quality.ts'

/** How good the node is over a while, for itself or for some of it. */
export interface QualityReport extends QualityMeasures {
  /** As it was asked for: `node`, `source:3`, `category:News/Science`, `feed:ice`. */
  readonly scope: string
  readonly over: MeasuredPeriod
  /** Whole hours, the one under way included. */
  readonly from: InstantMs
  readonly to: InstantMs
}

export type QualityStore = Pick<
  Store,
  'quality' | 'qualities' | 'qualityEver' | 'source' | 'categories' | 'queryFeed' | 'publishedBetween'
>

export interface QualityService {
  report(scope: string, over: string): Promise<QualityReport>
  /** Of the hours that begin in [since, until). */
  between(scope: string, since: InstantMs, until: InstantMs): Promise<QualityMeasures>
  /** Step by step, for a curve. */
  series(scope: string, over: MeasuredPeriod): Promise<QualitySeries>
  /** Of the node, since its data folder exists. */
  ever(): Promise<QualityTally>
}

/** `recent`: what a running node remembers of the last day; null: only what is stored is known. */
export function createQualityService(
  store: QualityStore,
  clock: Clock,
  recent: Pick<RecentQuality, 'steps'> | null,
  shares: Pick<ShareService, 'ofFeed'>,
): QualityService {
  const readerOf = (scope: string) => measuresReader(scope, store, shares)
  return {
    async report(scope, overText) {
      const over = periodNamed(overText)
      const { since, until } = periodUntil(over, clock.now())
      const read = await readerOf(scope)
      return { scope, over, from: since, to: until, ...(await read(since, until)) }
    },
    async between(scope, since, until) {
      const read = await readerOf(scope)
      return read(since, until)
    },
    async series(scope, over) {
      const read = await readerOf(scope)
      const isOfNode = scope === 'node' && recent !== null
      return isOfNode ? seriesOfNode(over, clock.now(), read, recent) : seriesOf(over, clock.now(), read)
    },
    ever: () => store.qualityEver(),
  }
}

function periodNamed(text: string): MeasuredPeriod {
  if (Object.hasOwn(PERIODS, text)) return text as MeasuredPeriod
  throw new HeadwaterError('QUALITY_SCOPE', `no period "${text}"; there is ${Object.keys(PERIODS).join(', ')}`)
}

/** What is asked about is looked up once, however many stretches of time a curve has. */
async function measuresReader(
  scope: string,
  store: QualityStore,
  shares: Pick<ShareService, 'ofFeed'>,
): Promise<ReadMeasures> {
  const reading =
    (which: QualityScope): ReadMeasures =>
    async (since, until) =>
      measureQuality(await store.quality(which, since, until))
  const [kind, name] = scope.includes(':') ? splitOnce(scope) : [scope, '']
  if (kind === 'node' && name === '') return reading({ kind: 'node' })
  if (kind === 'source' && /^\d+$/.test(name)) {
    if ((await store.source(Number(name))) === null) throw new HeadwaterError('SOURCE_NOT_FOUND', name)
    return reading({ kind: 'sources', ids: [Number(name)] })
  }
  if (kind === 'category' && name !== '') {
    const known = (await store.categories()).some(({ category }) => category === name)
    if (!known) throw new HeadwaterError('QUALITY_SCOPE', `no category "${name}"`)
    return reading({ kind: 'category', category: name })
  }
  if (kind === 'feed' && name !== '') return feedReader(name, store, shares)
  throw new HeadwaterError('QUALITY_SCOPE', `"${scope}"`)
}

/**
 * What a query feed has published is counted. What it lost nobody has seen: of each source its selectivity's share (thesis
 * 2.1: Div(s, q) = sel(q)·Div(s)), since the query was made; so are delays.
 */
async function feedReader(
  name: string,
  store: QualityStore,
  shares: Pick<ShareService, 'ofFeed'>,
): Promise<ReadMeasures> {
  const feed = await store.queryFeed(name)
  if (feed === null) throw new HeadwaterError('FEED_NOT_FOUND', name)
  const sources = new Map<number, SourceId[]>()
  for (const { sourceId, share } of await shares.ofFeed(feed.id)) {
    const alike = sources.get(share)
    if (alike === undefined) sources.set(share, [sourceId])
    else alike.push(sourceId)
  }
  const sharesOfGroups = [...sources.keys()]
  const createdAt = Math.floor(feed.createdAt / HOUR_MS) * HOUR_MS
  return async (since, until) => {
    const from = Math.max(since, createdAt)
    // Before it was made it has lost nothing.
    const tallies = from < until ? await store.qualities([...sources.values()], from, until) : []
    let sum: QualityTally = { ...NO_COUNTS, delays: [] }
    for (const [index, tally] of tallies.entries()) {
      const share = entryAt(sharesOfGroups, index)
      sum = { ...addCounts(sum, scaleTally(tally, share)), delays: joined(sum.delays, tally.delays, share) }
    }
    return measureOfFeed(sum, await store.publishedBetween(feed.id, since, until))
  }
}

/** Requests and time are the source's; of its items a share is the feed's. */
function scaleTally(tally: QualityTally, share: number): QualityTally {
  return {
    ...tally,
    items: tally.items * share,
    lost: tally.lost * share,
    lostAtLeast: tally.lostAtLeast * share,
    lostAtMost: tally.lostAtMost * share,
    repaired: tally.repaired * share,
    delayMs: tally.delayMs * share,
    guessedDelays: tally.guessedDelays * share,
  }
}

function joined(a: readonly DelayCount[], b: readonly DelayCount[], share: number): DelayCount[] {
  const counts = new Map(a.map(({ bucket, items }) => [bucket, items]))
  for (const { bucket, items } of b) counts.set(bucket, (counts.get(bucket) ?? 0) + items * share)
  return [...counts].sort(([x], [y]) => x - y).map(([bucket, items]) => ({ bucket, items }))
}

function splitOnce(scope: string): [string, string] {
  const colon = scope.indexOf(':')
  return [scope.slice(0, colon), scope.slice(colon + 1)]
}
