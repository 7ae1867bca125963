import type { z } from 'zod'
import type { InstantMs, Item, ItemSeq, Mark, User } from '../../model/index.ts'
import { plainText } from '../../publisher/plain-text.ts'
import { webAddress } from '../../publisher/web-address.ts'
import type { itemRow } from '../operations/items.ts'
import type { HandlerDeps } from './deps.ts'

type ItemRow = z.input<typeof itemRow>

const EXCERPT_LENGTH = 280

/** Items as lists show them, with what the user thinks of them. */
export async function itemRows(
  items: readonly Item[],
  user: User,
  { store, directory }: Pick<HandlerDeps, 'store' | 'directory'>,
): Promise<ItemRow[]> {
  const marks = await store.marks(
    user.id,
    items.map(({ seq }) => seq),
  )
  const sources = await directory.byId()
  return items.map((item) => rowOf(item, sources.get(item.sourceId), marks))
}

const UNREAD: Mark = { isRead: false, isStarred: false }

function rowOf(
  item: Item,
  source: { readonly name: string; readonly url: string } | undefined,
  marks: ReadonlyMap<ItemSeq, Mark>,
): ItemRow {
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
