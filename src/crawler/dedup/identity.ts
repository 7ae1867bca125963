import { entryAt } from '../../model/entry-at.ts'
import type { ItemKey, ParsedItem } from '../../model/index.ts'
import { canonicalLink } from './canonical-link.ts'
import { aliasOf } from './face.ts'
import { partsHash } from './hash.ts'

/**
 * How an item is known again within its source: by guid/id, else by link, else by content. Position and dates play no
 * part, so reordering or re-dating a feed changes nothing.
 *
 * Some publishers give every item the same guid or link (a changelog page, a template mistake). Where two different
 * items of one document share the primary name, all that share it are `crowded` and known by name, link and title.
 */
export interface Identity {
  readonly item: ParsedItem
  readonly primary: ItemKey
  /** A function, because hardly any feed ever needs it and hashing is a twentieth of a cold refresh. */
  composite(): ItemKey
  /** What it would be known by without its guid; null: it has none, or no link. */
  byLink(): ItemKey | null
  readonly crowded: boolean
  readonly contentHash: string
  readonly alias: string | null
}

/** Names are compared by their hashes and made again where they are needed: for 10,000 items they are megabytes. */
export function identify(items: readonly ParsedItem[]): readonly Identity[] {
  const keys = items.map(primaryKey)
  const crowded = crowdedKeys(items, keys)
  return items.map((item, place) => {
    const primary = entryAt(keys, place)
    return new ItemIdentity(item, primary, crowded.has(primary))
  })
}

class ItemIdentity implements Identity {
  readonly item: ParsedItem
  readonly primary: ItemKey
  readonly crowded: boolean
  readonly contentHash: string
  readonly alias: string | null

  constructor(item: ParsedItem, primary: ItemKey, crowded: boolean) {
    this.item = item
    this.primary = primary
    this.crowded = crowded
    this.contentHash = contentHash(item)
    this.alias = aliasOf(item)
  }

  composite(): ItemKey {
    const { link, title } = this.item
    return partsHash([...nameParts(this.item), link, title])
  }

  byLink(): ItemKey | null {
    const { id, link } = this.item
    return id && link ? partsHash(['link', canonicalLink(link)]) : null
  }
}

function crowdedKeys(items: readonly ParsedItem[], keys: readonly ItemKey[]): ReadonlySet<ItemKey> {
  const first = new Map<ItemKey, ParsedItem>()
  const crowded = new Set<ItemKey>()
  for (const [place, item] of items.entries()) {
    const key = entryAt(keys, place)
    const known = first.get(key)
    if (known === undefined) first.set(key, item)
    else if (!looksAlike(known, item)) crowded.add(key)
  }
  for (const key of crowded) if (hasTwoHeadlines(key, items, keys)) crowded.delete(key)
  return crowded
}

function looksAlike(one: ParsedItem, other: ParsedItem): boolean {
  return (one.link ?? '') === (other.link ?? '') && (one.title ?? '') === (other.title ?? '')
}

/**
 * One article that a page shows twice under two headlines: a pair with the same link and the same moment of publication, which no
 * other item has, among items that have names of their own. Anything less may be two items: a lost one is worse than a double.
 */
function hasTwoHeadlines(key: ItemKey, items: readonly ParsedItem[], keys: readonly ItemKey[]): boolean {
  const [first, second, third] = items.filter((_, place) => keys[place] === key)
  if (first === undefined || second === undefined || third !== undefined) return false
  if (first.link !== second.link || first.published === null || first.published !== second.published) return false
  const others = items.filter((_, place) => keys[place] !== key)
  return others.length >= FEWEST_OTHERS && others.every(({ published }) => published !== first.published)
}

const FEWEST_OTHERS = 2

function primaryKey(item: ParsedItem): ItemKey {
  return partsHash(nameParts(item))
}

function nameParts(item: ParsedItem): readonly (string | null | undefined)[] {
  if (item.id) return ['id', item.id]
  if (item.link) return ['link', canonicalLink(item.link)]
  return ['content', item.title, item.summary, item.content, item.enclosures[0]?.url]
}

/** Over what a reader would see. Dates are left out: a date that changes at every poll is not an edit. */
function contentHash(item: ParsedItem): string {
  const parts = [item.title, item.link, item.summary, item.content, item.image]
  if (!item.inheritsAuthors) for (const author of item.authors) parts.push(author.name, author.email)
  for (const category of item.categories) parts.push(category)
  for (const enclosure of item.enclosures) parts.push(enclosure.url)
  return partsHash(parts)
}
