import type { InstantMs, ParsedItem, Source, SourceId } from '../../model/index.ts'
import type { LiveScheduler } from '../../refresh/scheduler/live-scheduler.ts'
import type { LiveCover } from '../covers/cover-keeper.ts'
import { linkFace, marksOf } from '../covers/marks.ts'
import { faceOf } from '../dedup/face.ts'
import type { PipelineDeps, SourceRefresh } from '../pipeline.ts'
import { type SeenPart, seePart } from './part.ts'
import { type StorePartsDeps, storeParts } from './store-parts.ts'

export interface ShowMembersDeps extends StorePartsDeps {
  readonly store: PipelineDeps['store'] & { source(id: SourceId): Promise<Source | null> }
  readonly scheduler: Pick<LiveScheduler, 'bundles' | 'explain'>
}

/**
 * What a source has just shown of others is stored with each of them; where nobody can tell whose it is, they are told that
 * there may be something. Killed in between, their own next look finds it.
 */
export async function showMembers(
  live: LiveCover,
  members: readonly SourceId[],
  { record, fetched, url, items }: Pick<SourceRefresh, 'record' | 'fetched' | 'url' | 'items'>,
  deps: ShowMembersDeps,
): Promise<SourceRefresh[]> {
  const { observation } = record
  if (observation === null || fetched.kind === 'failed') return []
  const parts: SeenPart[] = []
  for (const member of members) {
    const part = await partOf(live, member, { newItems: record.newItems, items: items ?? record.newItems }, deps)
    if (part !== null) parts.push(part)
  }
  const seen = parts.map((part) => part.observation)
  deps.scheduler.bundles?.show(live.id, observation.at, seen, observation.overlap === 'none')
  return storeParts(parts, { url, fetched, isCounted: false }, deps)
}

interface ShownByCover {
  readonly newItems: readonly ParsedItem[]
  /** All of its document, where that was read. */
  readonly items: readonly ParsedItem[]
}

async function partOf(
  { cover, site, members }: LiveCover,
  member: SourceId,
  { newItems, items }: ShownByCover,
  deps: ShowMembersDeps,
): Promise<SeenPart | null> {
  const { scheduler, store, clock } = deps
  const source = await store.source(member)
  const ownAt = site.lookedAt(member)
  if (source === null || ownAt === null || source.state.status !== 'active' || source.state.lastSuccessAt === null) {
    return null
  }
  const now = clock.now()
  const itsOf = (shown: readonly ParsedItem[]) =>
    shown.filter(
      (item) => isSince(item, ownAt, now) && isUnknown(item, source) && site.isNamed(cover, member, marksOf(item)),
    )
  // Not only what is new there: it may have been shown while this one was no member, or while nobody could tell whose it was.
  const its = itsOf(items)
  if (members.get(member) === true && its.every(({ title }) => title !== null)) {
    return seePart(source, its.map(withoutId), { at: now, bytes: 0, latencyMs: 0 }, deps)
  }
  // It is fetched where it is known to be the source's, or where all of it can be read.
  const expected = newItems.length === 0 ? 0 : site.expected(cover, member, itsOf(newItems).length)
  if (expected > 0) scheduler.bundles?.announce(member, expected, now)
  return null
}

/** What was there at its last own look it has shown then, or never will: an old item that comes up again is no news. */
function isSince({ published }: ParsedItem, ownAt: InstantMs, now: InstantMs): boolean {
  return published !== null && published > ownAt && published <= now
}

function isUnknown({ link }: ParsedItem, { state }: Source): boolean {
  const face = linkFace(link)
  return face !== null && !state.window.some(({ alias }) => faceOf(alias, 'link') === face)
}

/**
 * Another feed may give it another guid. Stored by its link, it is known again when its own feed shows it, whatever its guid
 * there (deduplicate.ts, knownByLink).
 */
function withoutId(item: ParsedItem): ParsedItem {
  return { ...item, id: null }
}
