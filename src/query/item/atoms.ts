import { addressesOf } from '../../model/index.ts'
import { parseUrl } from '../../runtime/parse-url.ts'
import { words } from '../../store/text/fold.ts'
import type { ItemOrigin, ItemPredicate } from '../language/ast.ts'
import type { Arrival, MatchSource } from './arrival.ts'

export type EqualField = Extract<ItemPredicate, { kind: 'equals' }>['field']

/*
 * Equality by names: each value of an item has a name such as `CATEGORY=iceland`, and `CATEGORY = "Iceland"` holds if
 * the item has one of that name. What is folded is folded in the name, so that an index needs to know nothing else.
 */

/** Case, accents and everything that separates words are no difference. */
function foldValue(text: string): string {
  return words(text).join(' ') || text.trim().toLowerCase()
}

function canonicalUrl(text: string): string {
  const trimmed = text.trim()
  return parseUrl(trimmed)?.href ?? trimmed
}

/** Addresses of feeds differ in no fragment, which is never sent to a server (RFC 9110 §4.2.4). */
export function sourceAddress(text: string): string {
  const url = canonicalUrl(text)
  return url.includes('#') ? url.slice(0, url.indexOf('#')) : url
}

const isUrl = (text: string): boolean => /^https?:\/\//i.test(text.trim())

/** The name that an item must have for a field to equal a value. */
export function atomOf(field: EqualField, value: string): string {
  switch (field) {
    case 'LINK':
      return `LINK=${canonicalUrl(value)}`
    case 'LANGUAGE':
      return `LANGUAGE=${value.toLowerCase()}`
    case 'SOURCE':
      return isUrl(value) ? `SOURCE@${sourceAddress(value)}` : `SOURCE=${foldValue(value)}`
    case 'ENCLOSURE':
      return isUrl(value) ? `ENCLOSURE@${canonicalUrl(value)}` : `ENCLOSURE=${value.trim().toLowerCase()}`
    default:
      return `${field}=${foldValue(value)}`
  }
}

/** null: every item comes from there. */
export function originAtom(origin: ItemOrigin): string | null {
  switch (origin.kind) {
    case 'all':
      return null
    case 'url':
      return `FROM@${sourceAddress(origin.url)}`
    case 'category':
      return `FROM/${folderPath(origin.category)}`
    case 'name':
      return feedAtom(origin.name)
  }
}

export const FEED_ATOM = 'FROM='

/** Items of a registered source and of a query feed are named alike: queries need not know which it is. */
export function feedAtom(name: string): string {
  return FEED_ATOM + name
}

function folderPath(category: string): string {
  return category.split('/').map(foldValue).join('/')
}

/** Names for where an item comes from: its source, and the query feeds that are known to hold it. */
export function originAtomsOf({ source, feeds }: Pick<Arrival, 'source' | 'feeds'>): string[] {
  const atoms = addressesOf(source).map((url) => `FROM@${sourceAddress(url)}`)
  if (source.name !== null) atoms.push(feedAtom(source.name))
  for (const category of source.categories) {
    const path = folderPath(category).split('/')
    for (let depth = 1; depth <= path.length; depth++) atoms.push(`FROM/${path.slice(0, depth).join('/')}`)
  }
  for (const feed of feeds ?? []) atoms.push(feedAtom(feed))
  return atoms
}

/** What a source is about: what its feed declares, and each folder that it is in with those around it. */
export function sourceCategories({ categories, feedCategories }: MatchSource): string[] {
  const folders = categories.flatMap((category) => {
    const path = category.split('/')
    return path.map((_, depth) => path.slice(0, depth + 1).join('/'))
  })
  return [...new Set([...feedCategories, ...folders])]
}

export function sourceCategoryAtoms(source: MatchSource): string[] {
  return sourceCategories(source).map((category) => atomOf('SOURCE CATEGORY', category))
}

/** Names for where the item comes from and for its short values, of the kinds that somebody asks for. */
export function* atomsOf(arrival: Arrival, asksFor: (kind: AtomKind) => boolean): Generator<string> {
  for (const kind of ATOM_KINDS) if (asksFor(kind)) yield* ATOMS[kind](arrival)
}

export type AtomKind = 'FROM' | 'SOURCE' | 'SOURCE CATEGORY' | 'CATEGORY' | 'AUTHOR' | 'LINK' | 'ENCLOSURE'

const ATOMS: Readonly<Record<AtomKind, (arrival: Arrival) => readonly string[]>> = {
  FROM: originAtomsOf,
  SOURCE: ({ source }) => sourceAtoms(source),
  'SOURCE CATEGORY': ({ source }) => sourceCategoryAtoms(source),
  CATEGORY: ({ item }) => item.categories.map((category) => atomOf('CATEGORY', category)),
  AUTHOR: ({ item }) =>
    item.authors.flatMap(({ name, email }) =>
      [name, email].flatMap((one) => (one === null ? [] : atomOf('AUTHOR', one))),
    ),
  LINK: ({ item }) => (item.link === null ? [] : [atomOf('LINK', item.link)]),
  ENCLOSURE: ({ item }) => item.enclosures.flatMap(({ url, type }) => enclosureAtoms(url, type)),
}
const ATOM_KINDS = Object.keys(ATOMS) as AtomKind[]

function sourceAtoms(source: MatchSource): string[] {
  const atoms = addressesOf(source).map((url) => `SOURCE@${sourceAddress(url)}`)
  if (source.name !== null) atoms.push(`SOURCE=${foldValue(source.name)}`)
  if (source.title !== null) atoms.push(`SOURCE=${foldValue(source.title)}`)
  return atoms
}

function enclosureAtoms(url: string, type: string | null): string[] {
  const atoms = [atomOf('ENCLOSURE', url)]
  const [plain] = (type ?? '').toLowerCase().split(';', 1) as [string]
  if (plain.trim() !== '') atoms.push(`ENCLOSURE=${plain.trim()}`, `ENCLOSURE=${plain.trim().split('/', 1)[0]}/*`)
  return atoms
}

/** `en-gb` is also `en` (RFC 4647, basic filtering). */
export function languageAtoms(language: string): string[] {
  const parts = language.toLowerCase().split('-')
  return language === '' ? [] : parts.map((_, depth) => `LANGUAGE=${parts.slice(0, depth + 1).join('-')}`)
}
