import type { InstantMs, Observation, ParsedItem, Random, Source, SourceId } from '../../model/index.ts'
import type { LiveScheduler } from '../../refresh/scheduler/live-scheduler.ts'
import type { FetchOutcome, FetchRequest } from '../fetch/fetcher.ts'
import type { PipelineDeps, SourceRefresh } from '../pipeline.ts'
import { nextAfterFailure } from '../politeness/backoff.ts'
import { unreadable } from '../refresh-outcome.ts'
import type { ComposedFamily } from './families.ts'
import { type SeenPart, seePart } from './part.ts'
import { storeParts } from './store-parts.ts'

/** Several sources of a site under one address. What it has of the last answer goes with the process. */
export interface LiveBundle {
  /** Negative: no source has it. */
  readonly id: SourceId
  readonly family: Pick<ComposedFamily, 'namesOf' | 'limits'>
  readonly url: string
  readonly host: string
  /** By their names in the address, in small letters. */
  readonly members: ReadonlyMap<string, SourceId>
  lastAt: InstantMs | null
  etag: string | null
  lastModified: string | null
  failureCount: number
}

export function firstMemberOf({ members }: LiveBundle): SourceId {
  const [first] = members.values()
  if (first === undefined) throw new Error('nobody is in this bundle')
  return first
}

export interface BundleRefreshDeps extends Pick<PipelineDeps, 'fetcher' | 'parse' | 'clock' | 'why' | 'lease'> {
  readonly store: PipelineDeps['store'] & { source(id: SourceId): Promise<Source | null> }
  readonly scheduler: Pick<LiveScheduler, 'bundles' | 'explain' | 'finish'>
  readonly random: Random
}

export interface BundleRefresh {
  readonly fetched: FetchOutcome
  /** One for each member; none where it failed. */
  readonly refreshed: readonly SourceRefresh[]
}

const NO_CREDENTIALS = { headers: {}, basicAuth: null, userAgent: null, proxyUrl: null } as const

/**
 * The way of the items of several sources from one answer:
 *
 *   fetch ─► parse ─► whose is each? ─► per source: deduplicate, admit, observe ─► plan all ─► record each
 *
 * Each source is stored by itself. Killed in between, those that are not stored have not been refreshed, and the next answer
 * is a whole one.
 */
export async function refreshBundle(
  bundle: LiveBundle,
  request: Pick<FetchRequest, 'signal' | 'enterHop' | 'watch'>,
  deps: BundleRefreshDeps,
): Promise<BundleRefresh | 'aborted'> {
  const { url, etag, lastModified } = bundle
  const fetched = await deps.fetcher.fetch({ ...NO_CREDENTIALS, url, etag, lastModified, ...request })
  const isCalledOff = fetched.kind === 'failed' && fetched.code === 'FETCH_ABORTED'
  if (request.signal?.aborted || isCalledOff) return 'aborted'
  const items = itemsOf(bundle, fetched, deps)
  if (items === null) {
    fail(bundle, fetched, deps)
    return { fetched, refreshed: [] }
  }
  // Until all of it is stored nothing of it counts as known.
  Object.assign(bundle, { etag: null, lastModified: null })
  const parts = await partsOf(bundle, items, fetched, deps)
  if (request.signal?.aborted) return 'aborted'
  deps.scheduler.bundles?.plan({
    bundle: wholeOf(bundle, items, parts, deps.clock.now()),
    members: observationsOf(parts),
  })
  const refreshed = await storeParts(parts, { url, fetched, isCounted: true }, deps)
  if (fetched.kind !== 'failed') {
    const known = { etag: fetched.etag, lastModified: fetched.lastModified }
    Object.assign(bundle, { ...known, lastAt: deps.clock.now(), failureCount: 0 })
  }
  deps.scheduler.finish(bundle.id, null)
  return { fetched, refreshed }
}

/** null: it cannot be used. */
function itemsOf(
  { url }: LiveBundle,
  fetched: FetchOutcome,
  { parse }: BundleRefreshDeps,
): readonly ParsedItem[] | null {
  if (fetched.kind === 'failed') return null
  if (fetched.kind === 'not-modified') return []
  const { contentType } = fetched
  const parsed = parse(fetched.body, { contentType, url: fetched.finalUrl || url, listing: null, last: null })
  return unreadable(parsed) === null ? parsed.items : null
}

/** Its members are asked themselves until it can be. */
function fail(bundle: LiveBundle, fetched: FetchOutcome, { scheduler, clock, random }: BundleRefreshDeps): void {
  bundle.failureCount++
  Object.assign(bundle, { etag: null, lastModified: null })
  const code = fetched.kind === 'failed' ? fetched.code : 'PARSE_NOT_A_FEED'
  const retryAt = fetched.kind === 'failed' ? fetched.retryAt : null
  const { failureCount } = bundle
  const next = nextAfterFailure({ failureCount, code, retryAt, now: clock.now(), baseIntervalMs: null, random })
  scheduler.bundles?.fail(bundle.id)
  scheduler.finish(bundle.id, next.at)
}

async function partsOf(
  bundle: LiveBundle,
  items: readonly ParsedItem[],
  fetched: FetchOutcome,
  deps: BundleRefreshDeps,
): Promise<SeenPart[]> {
  const { members, family } = bundle
  const itemsOf = new Map<SourceId, ParsedItem[]>([...members.values()].map((id) => [id, []]))
  for (const item of items) {
    const ids = new Set(family.namesOf(item).flatMap((name) => members.get(name) ?? []))
    for (const id of ids) itemsOf.get(id)?.push(item)
  }
  const facts = { at: deps.clock.now(), bytes: Math.round(fetched.bytes / members.size), latencyMs: fetched.latencyMs }
  const parts: SeenPart[] = []
  for (const [id, own] of itemsOf) {
    const source = await deps.store.source(id)
    // One that fails by itself or was never read has to show itself first.
    if (source === null || source.state.status !== 'active' || source.state.lastSuccessAt === null) continue
    parts.push(await seePart(source, own, facts, deps))
  }
  return parts
}

function observationsOf(parts: readonly SeenPart[]): readonly Observation[] {
  return parts.map(({ observation }) => observation)
}

/** All of it new: something may have been pushed out before it was seen. */
function wholeOf(
  bundle: LiveBundle,
  items: readonly ParsedItem[],
  parts: readonly SeenPart[],
  at: InstantMs,
): Observation {
  const newItems = parts.reduce((sum, { observation }) => sum + observation.newItems, 0)
  const isFull = items.length > 0 && newItems >= items.length && bundle.lastAt !== null
  return {
    sourceId: bundle.id,
    previousAt: bundle.lastAt,
    at,
    newItems,
    windowSize: items.length === 0 ? null : items.length,
    overlap: isFull ? 'none' : 'some',
    lostAtLeast: 0,
    itemTimes: [],
    notModified: items.length === 0,
    bytes: 0,
    latencyMs: 0,
  }
}
