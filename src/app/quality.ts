import {
  addCounts,
  type DelayCount,
  type InstantMs,
  NO_COUNTS,
  type QualityScope,
  type QualityTally,
} from '../model/index.ts'
import { measure, PERIODS, type Period, periodUntil, type QualityMeasures } from '../quality/live.ts'
import type { Clock } from '../runtime/clock.ts'
import { HeadwaterError } from '../runtime/errors.ts'
import type { Store } from '../store/store.ts'
import { type QualitySeries, seriesOf, seriesOfNode } from './quality-series.ts'
import type { RecentQuality } from './recent-quality.ts'

/** How good the node is over a while, for itself or for some of it. */
export interface QualityReport extends QualityMeasures {
  /** As it was asked for: `node`, `source:3`, `category:News/Science`, `feed:ice`. */
  readonly scope: string
  readonly over: Period
  /** Whole hours, the one under way included. */
  readonly from: InstantMs
  readonly to: InstantMs
}

export type QualityStore = Pick<
  Store,
  'quality' | 'qualityEver' | 'source' | 'categories' | 'queryFeed' | 'selectivities'
>

export interface QualityService {
  report(scope: string, over: string): Promise<QualityReport>
  /** Of the hours that begin in [since, until). */
  between(scope: string, since: InstantMs, until: InstantMs): Promise<QualityMeasures>
  /** Step by step, for a curve. */
  series(scope: string, over: Period): Promise<QualitySeries>
  /** Of the node, since its data folder exists. */
  ever(): Promise<QualityTally>
}

/** `recent`: what a running node remembers of the last day; absent: only what is stored is known. */
export function createQualityService(
  store: QualityStore,
  clock: Clock,
  recent?: Pick<RecentQuality, 'steps'>,
): QualityService {
  return {
    async report(scope, overText) {
      const over = periodNamed(overText)
      const { since, until } = periodUntil(over, clock.now())
      const measures = await measuresOf(scope, since, until, store)
      return { scope, over, from: since, to: until, ...measures }
    },
    between: (scope, since, until) => measuresOf(scope, since, until, store),
    series(scope, over) {
      const read = (since: InstantMs, until: InstantMs) => measuresOf(scope, since, until, store)
      const isOfNode = scope === 'node' && recent !== undefined
      return isOfNode ? seriesOfNode(over, clock.now(), read, recent) : seriesOf(over, clock.now(), read)
    },
    ever: () => store.qualityEver(),
  }
}

function periodNamed(text: string): Period {
  if (Object.hasOwn(PERIODS, text)) return text as Period
  throw new HeadwaterError('QUALITY_SCOPE', `no period "${text}"; there is ${Object.keys(PERIODS).join(', ')}`)
}

async function measuresOf(
  scope: string,
  since: InstantMs,
  until: InstantMs,
  store: QualityStore,
): Promise<QualityMeasures> {
  const read = (which: QualityScope) => store.quality(which, since, until)
  const [kind, name] = scope.includes(':') ? splitOnce(scope) : [scope, '']
  if (kind === 'node' && name === '') return measure(await read({ kind: 'node' }))
  if (kind === 'source' && /^\d+$/.test(name)) {
    if ((await store.source(Number(name))) === null) throw new HeadwaterError('SOURCE_NOT_FOUND', name)
    return measure(await read({ kind: 'sources', ids: [Number(name)] }))
  }
  if (kind === 'category' && name !== '') {
    const known = (await store.categories()).some(({ category }) => category === name)
    if (!known) throw new HeadwaterError('QUALITY_SCOPE', `no category "${name}"`)
    return measure(await read({ kind: 'category', category: name }))
  }
  if (kind === 'feed' && name !== '') return ofQueryFeed(name, read, store)
  throw new HeadwaterError('QUALITY_SCOPE', `"${scope}"`)
}

/**
 * A query feed has of each source what its selectivity says (thesis 2.1: Div(s, q) = sel(q)·Div(s)); which items were lost
 * nobody knows, so all of it is estimated.
 */
async function ofQueryFeed(
  name: string,
  read: (scope: QualityScope) => Promise<QualityTally>,
  store: QualityStore,
): Promise<QualityMeasures> {
  const feed = await store.queryFeed(name)
  if (feed === null) throw new HeadwaterError('FEED_NOT_FOUND', name)
  const shares = (await store.selectivities()).filter(({ feedId, share }) => feedId === feed.id && share > 0)
  let sum: QualityTally = { ...NO_COUNTS, delays: [] }
  for (const { sourceId, share } of shares) {
    const tally = await read({ kind: 'sources', ids: [sourceId] })
    sum = { ...addCounts(sum, kept(tally, share)), delays: joined(sum.delays, tally.delays, share) }
  }
  return measure(sum, { estimated: true })
}

/** Requests and time are the source's; of its items a share is the feed's. */
function kept(tally: QualityTally, share: number): QualityTally {
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
