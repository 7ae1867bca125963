import type { InstantMs, ParsedItem, Source, SourceId } from '../../model/index.ts'
import type { LiveScheduler } from '../../refresh/scheduler/live-scheduler.ts'
import type { NewItem, RefreshRecord } from '../../store/store.ts'
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
  { record, fetched, url }: Pick<SourceRefresh, 'record' | 'fetched' | 'url'>,
  deps: ShowMembersDeps,
): Promise<SourceRefresh[]> {
  const { observation } = record
  if (observation === null || fetched.kind === 'failed') return []
  const parts: SeenPart[] = []
  for (const member of members) {
    const part = await partOf(live, member, record, deps)
    if (part !== null) parts.push(part)
  }
  const seen = parts.map((part) => part.observation)
  deps.scheduler.bundles?.show(live.id, observation.at, seen, observation.overlap === 'none')
  return storeParts(parts, { url, fetched, isCounted: false }, deps)
}

async function partOf(
  { cover, site, members }: LiveCover,
  member: SourceId,
  { newItems }: RefreshRecord,
  deps: ShowMembersDeps,
): Promise<SeenPart | null> {
  const { scheduler, store, clock } = deps
  const source = await store.source(member)
  const ownAt = site.lookedAt(member)
  if (source === null || ownAt === null || source.state.status !== 'active' || source.state.lastSuccessAt === null) {
    return null
  }
  const its = newItems.filter(
    (item) =>
      isSince(item, ownAt, clock.now()) && site.isNamed(cover, member, marksOf(item)) && isUnknown(item, source),
  )
  if (members.get(member) === true && its.every(({ title }) => title !== null)) {
    return seePart(source, its.map(withoutId), { at: clock.now(), bytes: 0, latencyMs: 0 }, deps)
  }
  // It is fetched where it is known to be the source's, or where all of it can be read.
  const expected = newItems.length === 0 ? 0 : site.expected(cover, member, its.length)
  if (expected > 0) scheduler.bundles?.announce(member, expected, clock.now())
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
function withoutId(item: NewItem): ParsedItem {
  return { ...item, id: null }
}
