import type { ReadAccess } from '../../access/index.ts'
import { urlsOfFeed } from '../../api/feed-list.ts'
import { openFeeds } from '../../api/open-feeds.ts'
import type { ShareService } from '../../api/services.ts'
import { DAY_MS, type InstantMs, type QueryFeed, type QueryFeedId, type SourceId } from '../../model/index.ts'
import { mergedWords, profileWords } from '../../network/index.ts'
import type { Clock } from '../../runtime/clock.ts'
import { giveWay } from '../../runtime/event-loop-turns.ts'
import { allListedSources } from '../../store/all-sources.ts'
import type { Store } from '../../store/store.ts'
import type { QualityReport } from '../quality/quality.ts'
import { VERSION } from '../version.ts'
import type { NodeIdentity } from './identity.ts'
import { NETWORK } from './network-state.ts'
import { type ParentFeeds, parentFeeds } from './parent-feeds.ts'
import {
  type FeedProfile,
  MOST_FEEDS,
  MOST_FOLLOWED,
  MOST_NODE_WORDS,
  MOST_NODES_PASSED,
  MOST_PROFILE_BYTES,
  MOST_ROOTS,
  MOST_WORDS,
  type NodeProfile,
  PROFILE_LIFE_MS,
} from './profile-document.ts'

export interface ProfileDeps {
  readonly store: Store
  readonly access: ReadAccess
  readonly shares: Pick<ShareService, 'read'>
  readonly report: (scope: string, over: string) => Promise<QualityReport>
  readonly clock: Pick<Clock, 'now'>
  /** Without a slash at its end. */
  readonly baseUrl: string
  readonly hasHub: boolean
}

/** Items of a feed that say what it is about. */
const ITEMS_READ = 50
const RATE_DAYS = 7
/** Room for the envelope, in which quotes are escaped. */
const MOST_TEXT_BYTES = MOST_PROFILE_BYTES / 2

/** What strangers may know of this node: made of what they may open, by the table of access, and of nothing else. */
export async function ownProfile(
  identity: Pick<NodeIdentity, 'id' | 'key' | 'handovers'>,
  deps: ProfileDeps,
): Promise<NodeProfile> {
  const { store, clock, baseUrl } = deps
  const now = clock.now()
  const state = await store.state(NETWORK)
  const parents = parentFeeds(state.nodes)
  const { feeds, followed } = await publicFeeds(deps, parents, now)
  const { completeness, freshness, delay, lost } = await deps.report('node', 'day')
  const profile: NodeProfile = {
    node: identity.id,
    key: identity.key,
    handovers: [...identity.handovers],
    software: `headwater/${VERSION}`,
    url: baseUrl,
    issuedAt: now,
    expiresAt: now + PROFILE_LIFE_MS,
    keywords: [
      ...mergedWords(
        feeds.map((feed) => feed.keywords),
        MOST_NODE_WORDS,
      ),
    ],
    categories: [
      ...mergedWords(
        feeds.map((feed) => feed.categories),
        MOST_NODE_WORDS,
      ),
    ],
    feeds,
    parents: followed,
    quality: {
      completeness: completeness?.value ?? null,
      freshness: freshness?.value ?? null,
      delayMs: delay?.meanMs ?? null,
      lostItems: lost.items,
    },
    hub: deps.hasHub ? `${baseUrl}/hub` : null,
  }
  return withinSize(profile)
}

async function publicFeeds(deps: ProfileDeps, parents: ParentFeeds, now: InstantMs) {
  const { store } = deps
  const isOpen = await openFeeds(deps)
  const open = (await store.queryFeeds()).filter(({ name }) => isOpen({ kind: 'query', name })).slice(0, MOST_FEEDS)
  const sources = (await allListedSources(store)).filter(({ id }) => isOpen({ kind: 'source', sourceId: id }))
  const ways = new Map(sources.map(({ id, url }) => [id, parents.waysOf(url)]))
  const origins = await keptSources(deps.shares, [...ways.keys()])
  const feeds: FeedProfile[] = []
  for (const feed of open) {
    await giveWay()
    feeds.push(await feedProfile(feed, origins(feed.id), ways, deps, now))
  }
  const followed = new Set(sources.flatMap(({ url }) => parents.nodeOf(url) ?? []))
  return { feeds, followed: [...followed].slice(0, MOST_FOLLOWED) }
}

type KeptSource = { readonly sourceId: SourceId; readonly share: number }

/** What each feed keeps of which sources. */
async function keptSources(shares: ProfileDeps['shares'], all: readonly SourceId[]) {
  const { everything, pairs } = await shares.read()
  return (feedId: QueryFeedId): readonly KeptSource[] =>
    everything.has(feedId)
      ? all.map((sourceId) => ({ sourceId, share: 1 }))
      : pairs.filter((pair) => pair.feedId === feedId)
}

async function feedProfile(
  feed: QueryFeed,
  origins: readonly KeptSource[],
  ways: ReadonlyMap<SourceId, ReturnType<ParentFeeds['waysOf']>>,
  { store, baseUrl }: ProfileDeps,
  now: InstantMs,
): Promise<FeedProfile> {
  const items = (await store.publications(feed.id, { limit: ITEMS_READ })).map(({ item }) => item)
  const words = profileWords(items, MOST_WORDS)
  const days = Math.min(RATE_DAYS, Math.max(1, (now - feed.createdAt) / DAY_MS))
  const published = await store.publishedBetween(feed.id, now - RATE_DAYS * DAY_MS, now)
  const open = origins.flatMap(({ sourceId }) => ways.get(sourceId) ?? [])
  return {
    name: feed.name.slice(0, 200),
    title: (feed.title ?? feed.name).slice(0, 300),
    url: urlsOfFeed(baseUrl, { kind: 'query', name: feed.name }).atom,
    keywords: [...words.keywords],
    categories: [...words.categories],
    selectivity: origins.length === 0 ? null : origins.reduce((sum, { share }) => sum + share, 0) / origins.length,
    itemsPerDay: published / days,
    roots: nearestRoots(open.flatMap(({ roots }) => roots)),
    through: [...new Set(open.flatMap(({ through }) => through))].slice(0, MOST_NODES_PASSED),
  }
}

/** By the shortest way to each. */
function nearestRoots(roots: FeedProfile['roots']): FeedProfile['roots'] {
  const hops = new Map<string, number>()
  for (const root of roots) hops.set(root.id, Math.min(root.hops, hops.get(root.id) ?? Number.POSITIVE_INFINITY))
  return [...hops].map(([id, least]) => ({ id, hops: least })).slice(0, MOST_ROOTS)
}

/** Feeds at the end of the list are left out where all of them would be too much. */
function withinSize(profile: NodeProfile): NodeProfile {
  let { feeds } = profile
  while (feeds.length > 0 && Buffer.byteLength(JSON.stringify(feeds)) > MOST_TEXT_BYTES) {
    feeds = feeds.slice(0, Math.floor(feeds.length * 0.8))
  }
  return { ...profile, feeds }
}
