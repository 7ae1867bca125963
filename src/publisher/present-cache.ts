import type { ItemSeq } from '../model/index.ts'
import { createByteCache } from './byte-cache.ts'
import type { ImageAddress } from './images/image-address.ts'
import { attributedTo, type PresentedItem, presentItem, presentRelatedItems } from './present.ts'
import { FEED_FORMATS, type PublishedItem, type SourceLabel } from './published-feed.ts'

export interface PresentCacheOptions {
  readonly maxBytes: number
  /** Whether who shows an item alike gets the same object, and with it what formats have written of it. */
  readonly keepsWritten: boolean
  /** As of presentItem. */
  readonly imageAddress?: ImageAddress | null
  readonly nodeId?: string | null
}

/** What is shown of an item beside what is its own. */
type Surroundings = Pick<PresentedItem, 'source' | 'related' | 'score'>

interface KnownItem {
  /** What it was made of. */
  readonly published: Pick<PublishedItem['item'], 'contentHash' | 'changedAt'> &
    Pick<SourceLabel, 'addedAt' | 'url' | 'siteUrl'>
  readonly isLabel: boolean
  /** Shown with the article of its page. */
  readonly hasArticle: boolean
  /** Alike but for their surroundings; one at least, the last made first. */
  readonly variants: readonly [PresentedItem, ...PresentedItem[]]
}

/** Feeds with scores or joined items show an item otherwise than the rest do. */
const MOST_VARIANTS = 4

/**
 * Presents items as presentItem does, each once as long as it stays what it is. Sanitising is most of the work, then writing,
 * and an item stands in several feeds and formats. Known by their numbers and compared field by field: keys made of all that
 * counts took as long as presenting.
 */
export function createPresentCache({
  maxBytes,
  keepsWritten,
  imageAddress = null,
  nodeId = null,
}: PresentCacheOptions) {
  const items = createByteCache<KnownItem, ItemSeq>(maxBytes)
  return (published: PublishedItem): PresentedItem => {
    const { item, source } = published
    const surroundings: Surroundings = {
      source: attributedTo(item, source),
      related: presentRelatedItems(published.related),
      score: published.score ?? null,
    }
    const cached = items.get(item.seq)
    const known = cached !== undefined && isMadeOf(cached, published) ? cached : null
    const alike = known?.variants.find((one) => isAlike(one, surroundings))
    if (alike !== undefined) return keepsWritten ? alike : { ...alike }
    const shown =
      known === null ? presentItem(published, imageAddress, nodeId) : { ...known.variants[0], ...surroundings }
    const others = known === null ? [] : known.variants.slice(0, keepsWritten ? MOST_VARIANTS - 1 : 0)
    const { contentHash, changedAt } = item
    const { addedAt, url, siteUrl } = source
    const entry: KnownItem = {
      published: { contentHash, changedAt, addedAt, url, siteUrl },
      isLabel: isLabel(item),
      hasArticle: hasArticle(published),
      variants: [shown, ...others],
    }
    items.set(item.seq, entry, bytesOf(entry, keepsWritten))
    return keepsWritten ? shown : { ...shown }
  }
}

/** An item in a document of very long ones may have come without its texts. */
function isLabel({ summary, content }: PublishedItem['item']): boolean {
  return summary === null && content === null
}

function hasArticle({ item, isWhole }: PublishedItem): boolean {
  return isWhole === true && item.article !== undefined
}

function isMadeOf({ published, isLabel: wasLabel, hasArticle: hadArticle }: KnownItem, one: PublishedItem): boolean {
  const { item, source } = one
  return (
    published.contentHash === item.contentHash &&
    published.changedAt === item.changedAt &&
    published.addedAt === source.addedAt &&
    published.url === source.url &&
    published.siteUrl === source.siteUrl &&
    wasLabel === isLabel(item) &&
    hadArticle === hasArticle(one)
  )
}

function isAlike(a: Surroundings, b: Surroundings): boolean {
  return Object.is(a.score, b.score) && isSameLabel(a.source, b.source) && isSameList(a.related, b.related)
}

function isSameList(a: Surroundings['related'], b: Surroundings['related']): boolean {
  return a.length === b.length && (a.length === 0 || JSON.stringify(a) === JSON.stringify(b))
}

function isSameLabel(a: SourceLabel, b: SourceLabel): boolean {
  if (a === b) return true
  return (
    a.id === b.id &&
    a.addedAt === b.addedAt &&
    a.title === b.title &&
    a.url === b.url &&
    a.siteUrl === b.siteUrl &&
    a.weight === b.weight &&
    a.categories.length === b.categories.length &&
    a.categories.every((category, index) => category === b.categories[index])
  )
}

/** With what is written of it, in all formats: it is counted beforehand. */
function bytesOf({ variants }: KnownItem, keepsWritten: boolean): number {
  const [{ contentHtml, summaryHtml }] = variants
  const textBytes = 2 * ((contentHtml?.length ?? 0) + (summaryHtml?.length ?? 0))
  const written = keepsWritten ? variants.length * FEED_FORMATS.length * (textBytes + 2_000) : 0
  return textBytes + 1_000 + written
}
