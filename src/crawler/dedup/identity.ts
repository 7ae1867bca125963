import type { ItemKey, ParsedItem } from '../../model/index.ts'
import { canonicalLink } from './canonical-link.ts'
import { aliasOf } from './face.ts'
import { partsHash, SEPARATOR, textHash } from './hash.ts'

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
  readonly composite: () => ItemKey
  readonly crowded: boolean
  readonly contentHash: string
  readonly alias: string | null
}

export function identify(items: readonly ParsedItem[]): readonly Identity[] {
  const all = items.map(named)
  const faceOfName = new Map<string, string>()
  const crowdedNames = new Set<string>()
  for (const { name, face } of all) {
    const known = faceOfName.get(name)
    if (known === undefined) faceOfName.set(name, face)
    else if (known !== face) crowdedNames.add(name)
  }
  for (const name of crowdedNames) if (hasTwoHeadlines(name, all)) crowdedNames.delete(name)
  return all.map(({ item, name, face }) => ({
    item,
    primary: textHash(name),
    composite: () => textHash(`${name}${SEPARATOR}${face}`),
    crowded: crowdedNames.has(name),
    contentHash: contentHash(item),
    alias: aliasOf(item),
  }))
}

interface Named {
  readonly item: ParsedItem
  readonly name: string
  readonly face: string
}

function named(item: ParsedItem): Named {
  return { item, name: primaryName(item), face: `${item.link ?? ''}${SEPARATOR}${item.title ?? ''}` }
}

/**
 * One article that a page shows twice under two headlines: a pair with the same link and the same moment of publication, which no
 * other item has, among items that have names of their own. Anything less may be two items: a lost one is worse than a double.
 */
function hasTwoHeadlines(name: string, all: readonly Named[]): boolean {
  const [one, other, third] = all.filter((each) => each.name === name)
  if (one === undefined || other === undefined || third !== undefined) return false
  const [first, second] = [one.item, other.item]
  if (first.link !== second.link || first.published === null || first.published !== second.published) return false
  const others = all.filter((each) => each.name !== name)
  return others.length >= FEWEST_OTHERS && others.every(({ item }) => item.published !== first.published)
}

const FEWEST_OTHERS = 2

function primaryName(item: ParsedItem): string {
  if (item.id) return `id${SEPARATOR}${item.id}`
  if (item.link) return `link${SEPARATOR}${canonicalLink(item.link)}`
  return `content${SEPARATOR}${[item.title, item.summary, item.content, item.enclosures[0]?.url].join(SEPARATOR)}`
}

/** Over what a reader would see. Dates are left out: a date that changes at every poll is not an edit. */
function contentHash(item: ParsedItem): string {
  const parts = [item.title, item.link, item.summary, item.content, item.image]
  if (!item.inheritsAuthors) for (const author of item.authors) parts.push(author.name, author.email)
  for (const category of item.categories) parts.push(category)
  for (const enclosure of item.enclosures) parts.push(enclosure.url)
  return partsHash(parts)
}
