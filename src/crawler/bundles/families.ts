import type { ParsedItem } from '../../model/index.ts'
import type { BundleLimits } from '../../refresh/bundles/composition.ts'

/** What the address of a source asks for, where a site answers for several such at once. */
export interface ComposableAddress {
  /** Only sources of one group can be asked for together. */
  readonly group: string
  /** What stands for this one in a composed address, as it is written there. */
  readonly name: string
}

/**
 * A site whose addresses can be composed of several, with what it says about size and about programs that ask. How often it may be
 * asked is in politeness/stated-paces.ts: it counts for sources that are asked for alone, too.
 */
export interface ComposedFamily {
  readonly id: string
  readonly limits: BundleLimits
  /** Whether it is used where nobody has said so (`bundleFamilies`): not where the site speaks against it. robots.txt is asked all the same. */
  readonly isOnByDefault: boolean
  /** null: not an address of this family, or one that others cannot be added to. */
  read(url: URL): ComposableAddress | null
  compose(group: string, names: readonly string[]): string
  /** Of which of them an item is, in small letters. */
  namesOf(item: ParsedItem): readonly string[]
}

/**
 * Lists in the order of time only: one sorted by votes shows what is liked best of all together, so that a large community hides
 * a small one. `limit` is the site's own parameter, at most 100 (reddit.com/dev/api, "listings").
 *
 * Off: since 2024 its robots.txt disallows everything to everybody, its User Agreement grants crawling by that file alone, and its Data API
 * wants OAuth. Who has its permission turns it on.
 */
const REDDIT: ComposedFamily = {
  id: 'reddit',
  isOnByDefault: false,
  limits: { mostMembers: 10, windowSize: 100 },
  read(url) {
    const name = /^\/r\/(\w{2,21})\/new\/?\.rss$/.exec(url.pathname)?.[1]
    const isPlain = [...url.searchParams.keys()].every((key) => key === 'limit' || key === 'sort')
    if (name === undefined || !isPlain || !/^(?:www\.|old\.)?reddit\.com$/.test(url.hostname)) return null
    return { group: url.origin, name }
  },
  compose: (group, names) => `${group}/r/${names.join('+')}/new/.rss?limit=100`,
  namesOf({ link }) {
    const name = link === null ? undefined : /\/r\/(\w+)\/comments\//.exec(link)?.[1]
    return name === undefined ? [] : [name.toLowerCase()]
  },
}

/**
 * The feeds of a day, 2,000 papers at most, of several categories where they are joined with plus signs (info.arxiv.org/help/rss). A paper is in all
 * categories that it names.
 *
 * On: its terms for the feeds (info.arxiv.org/help/api/tou) allow programs within their pace. How many categories an address may name they do not say:
 * ten of the busiest publish some thousand papers a day.
 */
const ARXIV: ComposedFamily = {
  id: 'arxiv',
  isOnByDefault: true,
  limits: { mostMembers: 10, windowSize: 2_000 },
  read(url) {
    const [, format, name] = /^\/(rss|atom)\/([a-z-]+(?:\.[A-Za-z-]+)?)$/.exec(url.pathname) ?? []
    if (format === undefined || name === undefined || url.search !== '') return null
    if (!/^(?:rss|export)\.arxiv\.org$/.test(url.hostname)) return null
    return { group: `${url.origin}/${format}`, name }
  },
  compose: (group, names) => `${group}/${names.join('+')}`,
  namesOf: ({ categories }) => categories.flatMap((category) => withArchive(category.toLowerCase())),
}

/** What is in cs.AI is in cs, too. */
function withArchive(category: string): readonly string[] {
  const [archive = category] = category.split('.')
  return [category, archive]
}

/**
 * `tagnames=a+or+b`: questions with one of them; thirty in an answer (stackexchange.com/feeds). Five tags are our own limit.
 *
 * Off: since 2025 its robots.txt disallows everything, though under status 418, by which RFC 9309 takes it for absent. Nothing is published about how
 * often feeds may be asked.
 */
const STACK_EXCHANGE: ComposedFamily = {
  id: 'stack-exchange',
  isOnByDefault: false,
  limits: { mostMembers: 5, windowSize: 30 },
  read(url) {
    if (!STACK_HOSTS.test(url.hostname)) return null
    const inPath = /^\/feeds\/tag\/([^/+ ]+)$/.exec(url.pathname)?.[1]
    const inQuery = url.pathname === '/feeds/tag' ? url.searchParams.get('tagnames') : null
    const name = inPath === undefined ? inQuery : decodeURIComponent(inPath)
    if (name === null || !/^[\w.#-]+$/.test(name)) return null
    return { group: `${url.origin}/feeds/tag?sort=${url.searchParams.get('sort') ?? 'active'}`, name }
  },
  compose: (group, names) => `${group}&tagnames=${names.map(encodeURIComponent).join('+or+')}`,
  namesOf: ({ categories }) => categories.map((category) => category.toLowerCase()),
}

const STACK_HOSTS =
  /^(?:(?:[\w-]+\.)?stackexchange\.com|stackoverflow\.com|superuser\.com|serverfault\.com|askubuntu\.com|mathoverflow\.net)$/

export const COMPOSED_FAMILIES: readonly ComposedFamily[] = [REDDIT, ARXIV, STACK_EXCHANGE]

export const FAMILY_IDS: readonly string[] = COMPOSED_FAMILIES.map(({ id }) => id)

/** Those that are used where nobody says which. */
export const USUAL_FAMILIES: readonly string[] = COMPOSED_FAMILIES.flatMap(({ id, isOnByDefault }) =>
  isOnByDefault ? [id] : [],
)
