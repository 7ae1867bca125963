import type { ParsedItem } from '../../model/index.ts'
import type { DocumentItem } from '../../refresh/covers/shown-items.ts'
import { parseUrl } from '../../runtime/parse-url.ts'
import { canonicalLink } from '../dedup/canonical-link.ts'
import { hash32 } from '../dedup/hash.ts'

/** Of every item of a document: a feed all of whose items another one has, too. */
const ANY = '*'
const MOST_FOLDERS = 3
const MOST_CATEGORIES = 5
const LONGEST = 60

/** What may distinguish the items of one section of a site: the folders of their links, and their categories. */
export function marksOf({ link, categories }: Pick<ParsedItem, 'link' | 'categories'>): readonly string[] {
  const named = categories.slice(0, MOST_CATEGORIES).map((category) => `category ${category.toLowerCase()}`)
  return [ANY, ...foldersOf(link), ...named].map((mark) => mark.slice(0, LONGEST))
}

/** Of /news/sports/2026/match.html: /news, /news/sports, /news/sports/2026. */
function foldersOf(link: string | null): readonly string[] {
  const url = link === null ? null : parseUrl(link)
  if (url === null) return []
  const folders = url.pathname.split('/').slice(1, -1).slice(0, MOST_FOLDERS)
  return folders.map((_, index) => `${url.host}/${folders.slice(0, index + 1).join('/')}`)
}

/** The face of a link, as windows keep it; null: there is none. */
export function linkFace(link: string | null): string | null {
  return link === null || link === '' ? null : hash32(canonicalLink(link))
}

/** A document by its links. Items without one are known on no other page. */
export function shownItemsOf(items: readonly ParsedItem[]): readonly DocumentItem[] {
  return items.flatMap((item) => {
    const link = linkFace(item.link)
    return link === null
      ? []
      : [{ link, published: item.published, isTitled: item.title !== null, marks: () => marksOf(item) }]
  })
}
