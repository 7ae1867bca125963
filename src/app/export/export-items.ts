import { type InstantMs, type Item, type ItemSeq, isForLetters, type SourceId, type UserId } from '../../model/index.ts'
import { withoutCredentials } from '../../publisher/web-address.ts'
import { type ExportedOrigin, writeGreaderItem } from '../../sources/exports/write-items.ts'
import { allSources } from '../../store/all-sources.ts'
import type { Store } from '../../store/store.ts'

type ExportStore = Pick<Store, 'sources' | 'lastItemSeq' | 'firstBySeq' | 'marks'>

const AT_A_TIME = 200

export interface ExportChoice {
  readonly starredOnly: boolean
  /** Only what was first seen from then on. */
  readonly since: InstantMs
}

/**
 * The archive with a user's marks as one JSON document in Google Reader's form (docs/moving.md), in parts: nothing of it is
 * in memory longer than it is written.
 */
export async function* exportedItems(
  userId: UserId,
  { starredOnly, since }: ExportChoice,
  store: ExportStore,
): AsyncGenerator<string> {
  const origins = await originsOf(store)
  yield `{"id":"user/-/state/com.google/${starredOnly ? 'starred' : 'reading-list'}","items":[`
  let isFirst = true
  for await (const items of itemsInOrder(store)) {
    const marks = await store.marks(
      userId,
      items.map(({ seq }) => seq),
    )
    for (const item of items) {
      const origin = origins.get(item.sourceId)
      const mark = marks.get(item.seq)
      if (origin === undefined || mark === undefined || item.firstSeenAt < since) continue
      if (starredOnly && !mark.isStarred) continue
      yield `${isFirst ? '' : ','}\n${writeGreaderItem(item, mark, origin)}`
      isFirst = false
    }
  }
  yield '\n]}\n'
}

/** What comes as letters has an address that only its owner may know. */
async function originsOf(store: ExportStore): Promise<ReadonlyMap<SourceId, ExportedOrigin>> {
  const origins = new Map<SourceId, ExportedOrigin>()
  for (const source of await allSources(store)) {
    if (isForLetters(source)) continue
    const title = source.name ?? source.state.title ?? source.url
    origins.set(source.id, { url: withoutCredentials(source.url), title, siteUrl: source.state.siteUrl })
  }
  return origins
}

async function* itemsInOrder(store: ExportStore): AsyncGenerator<readonly Item[]> {
  const last = await store.lastItemSeq()
  let at: ItemSeq = 1
  while (at <= last) {
    const seqs = Array.from({ length: Math.min(AT_A_TIME, last - at + 1) }, (_, index) => at + index)
    const { items, count } = await store.firstBySeq(seqs)
    yield [...items].sort((a, b) => a.seq - b.seq)
    at += count
  }
}
