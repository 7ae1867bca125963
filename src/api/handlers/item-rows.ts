import type { z } from 'zod'
import type { Item, ItemSeq, Mark, User } from '../../model/index.ts'
import type { FeedService } from '../../publisher/feeds.ts'
import type { ImageAddress } from '../../publisher/images/image-address.ts'
import { plainText } from '../../publisher/plain-text.ts'
import { webAddress, withoutCredentials } from '../../publisher/web-address.ts'
import { oneLine } from '../../publisher/xml-text.ts'
import type { ItemHead } from '../../store/item-heads.ts'
import type { Store } from '../../store/store.ts'
import type { itemRow } from '../operations/items.ts'
import type { HandlerDeps } from './deps.ts'

type ItemRow = z.input<typeof itemRow>

const EXCERPT_LENGTH = 280
/** The end of a cut text may be half a reference (`&CounterClockwiseContourIntegral;` is the longest): it is not shown. */
const LOOSE_END = 40

/** Items as lists show them, with the user's marks. */
export async function itemRows(
  items: readonly Pick<Item, 'seq'>[],
  user: User,
  { store, feeds }: Pick<HandlerDeps, 'store' | 'feeds'>,
): Promise<ItemRow[]> {
  const imageAddress = ownImages(feeds)
  const seqs = items.map(({ seq }) => seq)
  const heads = await store.itemHeads(seqs)
  const marks = await store.marks(user.id, seqs)
  const excerpts = await excerptsOf(heads, store)
  return heads.map((head) =>
    rowOf(head, excerpts.get(head.seq) ?? '', imageOf(head, imageAddress), marks.get(head.seq) ?? UNREAD),
  )
}

const UNREAD: Mark = { isRead: false, isStarred: false }

async function excerptsOf(
  heads: readonly ItemHead[],
  store: Pick<Store, 'itemsBySeq'>,
): Promise<ReadonlyMap<ItemSeq, string>> {
  const excerpts = new Map(heads.map((head) => [head.seq, excerptOf(head)]))
  const missing = heads.filter(({ seq }) => excerpts.get(seq) === null)
  const whole = missing.length === 0 ? [] : await store.itemsBySeq(missing.map(({ seq }) => seq))
  for (const { seq, summary, content } of whole) excerpts.set(seq, plainText(summary ?? content ?? '', EXCERPT_LENGTH))
  return excerpts as ReadonlyMap<ItemSeq, string>
}

/** The same as of the whole text; null: the beginning is not enough to know. */
export function excerptOf({ text, isCut }: Pick<ItemHead, 'text' | 'isCut'>): string | null {
  if (!isCut) return plainText(text, EXCERPT_LENGTH)
  const known = plainText(text, EXCERPT_LENGTH + LOOSE_END)
  return known.length < EXCERPT_LENGTH + LOOSE_END ? null : oneLine(known, EXCERPT_LENGTH)
}

/** Only of the web: what a feed calls a picture may be anything. */
function imageOf({ image, source }: ItemHead, imageAddress: ImageAddress | null): string | null {
  const address = webAddress(image, withoutCredentials(source.url))
  return address === null || imageAddress === null ? address : imageAddress(address)
}

/** The dashboard is at this node already, by whatever name. */
export function ownImages({ imageAddress }: Pick<FeedService, 'imageAddress'>): ImageAddress | null {
  if (imageAddress === null) return null
  return (url) => {
    const address = imageAddress(url)
    return address === null ? null : new URL(address).pathname
  }
}

/** One literal: three spreads of it took four fifths of what a row costs. */
function rowOf(head: ItemHead, excerpt: string, image: string | null, { isRead, isStarred }: Mark): ItemRow {
  const { seq, sourceId, sortAt, published, firstSeenAt, changedAt, authors, source } = head
  const url = withoutCredentials(source.url)
  return {
    seq,
    sourceId,
    sourceName: source.name || source.title || url,
    title: plainText(head.title ?? '', 500) || null,
    link: webAddress(head.link, url),
    authors: authors.flatMap(({ name, email }) => name ?? email ?? []).slice(0, 10),
    sortAt,
    published,
    firstSeenAt,
    changedAt,
    excerpt,
    medium: head.medium,
    image,
    isRead,
    isStarred,
  }
}
