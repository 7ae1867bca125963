import type { z } from 'zod'
import type { InstantMs, Item, ItemSeq, Mark, SourceId, User } from '../../model/index.ts'
import { plainText } from '../../publisher/plain-text.ts'
import { webAddress, withoutCredentials } from '../../publisher/web-address.ts'
import type { Store } from '../../store/store.ts'
import type { itemRow } from '../operations/items.ts'
import type { HandlerDeps } from './deps.ts'

type ItemRow = z.input<typeof itemRow>

const EXCERPT_LENGTH = 280

/** Items as lists show them, with what the user thinks of them. */
export async function itemRows(
  items: readonly Item[],
  user: User,
  { store }: Pick<HandlerDeps, 'store'>,
): Promise<ItemRow[]> {
  const marks = await store.marks(
    user.id,
    items.map(({ seq }) => seq),
  )
  const sources = new Map<SourceId, Origin | null>()
  // Not from the list of all sources, which is read anew every now and then.
  for (const id of new Set(items.map(({ sourceId }) => sourceId))) sources.set(id, await originOf(id, store))
  return items.map((item) => rowOf(item, sources.get(item.sourceId) ?? null, marks))
}

/** What a row says of the source, as lists of sources call it. */
interface Origin {
  readonly name: string
  readonly url: string
}

async function originOf(id: SourceId, store: Pick<Store, 'source'>): Promise<Origin | null> {
  const source = await store.source(id)
  if (source === null) return null
  const url = withoutCredentials(source.url)
  return { name: source.name || source.state.title || url, url }
}

const UNREAD: Mark = { isRead: false, isStarred: false }

function rowOf(item: Item, source: Origin | null, marks: ReadonlyMap<ItemSeq, Mark>): ItemRow {
  const published: InstantMs | null = item.published
  return {
    seq: item.seq,
    sourceId: item.sourceId,
    sourceName: source?.name ?? `Source ${item.sourceId}`,
    title: plainText(item.title ?? '', 500) || null,
    link: webAddress(item.link, source?.url ?? null),
    authors: item.authors.flatMap(({ name, email }) => name ?? email ?? []).slice(0, 10),
    sortAt: item.sortAt,
    published,
    firstSeenAt: item.firstSeenAt,
    changedAt: item.changedAt,
    excerpt: plainText(item.summary ?? item.content ?? '', EXCERPT_LENGTH),
    ...(marks.get(item.seq) ?? UNREAD),
  }
}
