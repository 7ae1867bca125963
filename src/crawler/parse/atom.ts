import { type FeedFormat, ORIGIN, type Person } from '../../model/index.ts'
import { categoryElement, categoryList } from './categories.ts'
import { type FeedDraft, MAKESHIFT, MODULE, OF_THE_FORMAT } from './draft.ts'
import { type ElementHandler, type ElementHandlers, type Extractor, mergeHandlers } from './extractor.ts'
import { feedModules, itemModules, readLength } from './modules.ts'
import { plainName, readPerson } from './person.ts'
import { hasScheme } from './url.ts'

type Table = Readonly<Record<string, ElementHandler>>

/** The same fields under the names that they have as guests in RSS. */
function asGuests(table: Table): Table {
  return Object.fromEntries(Object.entries(table).map(([key, field]) => [`atom:${key}`, field]))
}

// Persons -------------------------------------------------------------------------------------------------------------

const personUrl: ElementHandler = {
  text: 'plain',
  close: (x, v) => {
    if (v !== '') x.person.url = x.resolve(v)
  },
}

const personParts: Table = {
  name: {
    text: 'plain',
    close: (x, v) => {
      x.person.name = v
    },
  },
  email: {
    text: 'plain',
    close: (x, v) => {
      x.person.email = v
    },
  },
  uri: personUrl,
  url: personUrl,
  homepage: personUrl,
}

const personFields = mergeHandlers(personParts, asGuests(personParts))

type AddPerson = (x: Extractor, person: Person | null) => void

/** atom:author. Text instead of elements, as in RSS, is read as `mail (name)`. */
export function author(rank: number, add: AddPerson = (x, person) => x.target.addAuthor(person, rank)): ElementHandler {
  return {
    open: (x) => {
      x.person = { name: '', email: '', url: '' }
    },
    text: 'plain',
    children: personFields,
    close: (x, v) => {
      const { name, email, url } = x.person
      const parts = name !== '' || email !== '' || url !== ''
      const plain = name === '' ? null : plainName(name)
      add(x, parts ? { name: plain, email: email || null, url: url || null } : readPerson(v))
    },
  }
}

// Links ---------------------------------------------------------------------------------------------------------------

/** atom:link, in feeds and items alike; `rank` is how good its `alternate` is. */
export function readLink(x: Extractor, rank: number): void {
  const href = x.attribute('href')
  const relations = relationsOf(x)
  x.linkRelation = relations[0] ?? ''
  x.linkType = x.attribute('type')
  // An empty one is a mistake, not a link to the document itself.
  const url = href === null ? '' : x.resolve(href)
  if (url === '') return
  for (const rel of relations) readRelation(x, rel, url, rank)
}

function readRelation(x: Extractor, rel: string, url: string, rank: number): void {
  const type = x.linkType
  if (rel === 'alternate') x.target.link.offer(url, linkRank(type, rank))
  if (rel === 'enclosure') x.target.addEnclosure({ url, type, lengthBytes: readLength(x.attribute('length')) })
  if (rel === 'replies') x.target.commentsUrl ??= type === 'text/html' ? url : null
  // A link to nowhere else is better than none.
  if (rel === 'self' || rel === 'related' || rel === 'via') x.target.link.offer(x.target === x.feed ? null : url, LAST)
  if (x.target === x.feed) readFeedLink(x.feed, rel, url)
}

/** RFC 4287 §4.2.7.2: a registered relation may be given as its address, of which there have been several. */
const REGISTERED = /^https?:\/\/(?:www\.)?iana\.org\/assignments\/(?:.*[/#])?/

/** Nearly all are one of these; no list is made for them. */
const USUAL: ReadonlyMap<string, readonly string[]> = new Map(
  ['alternate', 'self', 'enclosure', 'related', 'via', 'replies', 'hub', 'next', 'edit'].map((rel) => [rel, [rel]]),
)
const ALTERNATE = USUAL.get('alternate') as readonly string[]

/** One, in Atom; some write several, as in HTML. */
function relationsOf(x: Extractor): readonly string[] {
  const rel = x.attribute('rel')
  if (rel === null) return ALTERNATE
  const usual = USUAL.get(rel)
  if (usual !== undefined) return usual
  const relations = rel.toLowerCase().split(/\s+/, MOST_RELATIONS)
  return relations.map((one) => (one.startsWith('http') ? one.replace(REGISTERED, '') : one))
}

const MOST_RELATIONS = 10

const LAST = 5

/** Among several alternates the page comes before other forms of it, such as JSON or PDF. */
function linkRank(type: string | null, rank: number): number {
  return type === null || type.includes('html') ? rank : rank + 0.5
}

function readFeedLink(feed: FeedDraft, rel: string, url: string): void {
  if (rel === 'self') feed.selfUrl ??= url
  else if (rel === 'hub' && feed.hubs.length < MOST_HUBS && !feed.hubs.includes(url)) feed.hubs.push(url)
  else if (rel === 'next') feed.nextUrl ??= url
  else if (rel === 'prev-archive') feed.prevArchiveUrl ??= url
}

const MOST_HUBS = 10

// Fields --------------------------------------------------------------------------------------------------------------

/** Dates of Atom 0.3 (issued, modified, created) beside those of 1.0. */
export const atomDates: Table = {
  published: { text: 'date', close: (x, v) => x.target.published.replace(x.date(v), OF_THE_FORMAT) },
  issued: { text: 'date', close: (x, v) => x.target.published.replace(x.date(v), OF_THE_FORMAT) },
  created: { text: 'date', close: (x, v) => x.target.published.replace(x.date(v), MAKESHIFT) },
  updated: { text: 'date', close: (x, v) => x.target.updated.replace(x.date(v), OF_THE_FORMAT) },
  modified: { text: 'date', close: (x, v) => x.target.updated.replace(x.date(v), OF_THE_FORMAT) },
}

const shared = {
  id: {
    text: 'plain',
    close: (x, v) => {
      if (v !== '') x.target.id ??= v
    },
  },
  title: { text: 'typed', oneLine: true, close: (x, v) => x.target.title.offer(v, OF_THE_FORMAT) },
  author: author(OF_THE_FORMAT),
  category: categoryElement,
  categories: categoryList,
  link: { open: (x) => readLink(x, OF_THE_FORMAT), text: 'plain', close: offerLinkText },
  ...atomDates,
} satisfies Table

/** A link written as in RSS. */
function offerLinkText(x: Extractor, text: string): void {
  if (text === '') return
  if (x.linkRelation === 'alternate') x.target.link.offer(x.resolve(text), MODULE)
  if (x.linkRelation === 'enclosure' && hasScheme(text)) {
    x.target.addEnclosure({ url: x.resolve(text), type: x.linkType, lengthBytes: null })
  }
}

/** RFC 4287 §4.2.11: what is here describes another feed. */
const origin: Table = {
  id: { text: 'plain', close: (x, v) => x.extend(ORIGIN.id, v) },
  title: { text: 'typed', oneLine: true, close: (x, v) => x.extend(ORIGIN.title, v) },
  link: { open: readOriginLink },
  author: author(OF_THE_FORMAT, (x, person) => x.target.addSourceAuthor(person)),
}

function readOriginLink(x: Extractor): void {
  const href = x.attribute('href')
  const relations = relationsOf(x)
  if (href === null) return
  if (relations.includes('self')) x.extend(ORIGIN.url, x.resolve(href))
  else if (relations.includes('alternate')) x.extend(ORIGIN.siteUrl, x.resolve(href))
}

const entryOnly = {
  source: { children: mergeHandlers(origin, asGuests(origin)) },
  summary: { text: 'typed', close: (x, v) => x.target.summary.offer(v, OF_THE_FORMAT) },
  content: { open: readContentSource, text: 'typed', close: (x, v) => x.target.content.offer(v, OF_THE_FORMAT) },
  description: { text: 'html', close: (x, v) => x.target.summary.offer(v, MODULE) },
} satisfies Table

/** Content elsewhere (RFC 4287 §4.1.3.2): a film is an enclosure in all but name. */
function readContentSource(x: Extractor): void {
  const src = x.attribute('src')
  if (src === null) return
  const type = x.attribute('type')
  if (type !== null && /^(?:audio|video|image)\//.test(type)) {
    x.target.addMedia({ url: x.resolve(src), type, lengthBytes: null })
  } else x.target.link.offer(x.resolve(src), LAST)
}

const feedOnly = {
  subtitle: { text: 'typed', close: (x, v) => x.target.summary.offer(v, OF_THE_FORMAT) },
  tagline: { text: 'typed', close: (x, v) => x.target.summary.offer(v, OF_THE_FORMAT) },
  info: { text: 'typed', close: (x, v) => x.target.summary.offer(v, MAKESHIFT) },
  rights: { text: 'typed', close: (x, v) => x.feed.copyright.offer(v, OF_THE_FORMAT) },
  copyright: { text: 'typed', close: (x, v) => x.feed.copyright.offer(v, OF_THE_FORMAT) },
  generator: {
    text: 'plain',
    close: (x, v) => {
      if (v !== '') x.feed.generator ??= v
    },
  },
  logo: { text: 'plain', close: (x, v) => x.feed.image.offer(v === '' ? null : x.resolve(v), OF_THE_FORMAT) },
  icon: { text: 'plain', close: (x, v) => x.feed.icon.offer(v === '' ? null : x.resolve(v), OF_THE_FORMAT) },
  language: { text: 'plain', close: (x, v) => x.feed.language.offer(v, OF_THE_FORMAT) },
} satisfies Table

export const entryFields: ElementHandlers = mergeHandlers(...itemModules, shared, entryOnly)

const entry: ElementHandler = { open: (x) => x.startItem(), close: (x) => x.endItem(), children: entryFields }

/** `item` is not Atom, but an Atom feed with RSS items is still readable. */
export const atomFields: ElementHandlers = mergeHandlers(...feedModules, shared, feedOnly, { entry, item: entry })

/** What RSS borrows from Atom. */
export const atomInItems: Table = asGuests({
  source: entryOnly.source,
  summary: { text: 'typed', close: (x, v) => x.target.summary.offer(v, MODULE) },
  content: { text: 'typed', close: (x, v) => x.target.content.offer(v, MODULE) },
})

export const atomGuests: Table = asGuests({
  id: shared.id,
  title: { text: 'typed', close: (x, v) => x.target.title.offer(v, MODULE) },
  author: author(MODULE),
  category: shared.category,
  link: { open: (x) => readLink(x, MODULE) },
  published: { text: 'date', close: (x, v) => x.target.published.replace(x.date(v), MODULE) },
  updated: { text: 'date', close: (x, v) => x.target.updated.replace(x.date(v), MODULE) },
  issued: { text: 'date', close: (x, v) => x.target.published.replace(x.date(v), MODULE) },
  created: { text: 'date', close: (x, v) => x.target.published.replace(x.date(v), MAKESHIFT) },
  modified: { text: 'date', close: (x, v) => x.target.updated.replace(x.date(v), MODULE) },
})

const guestEntry = mergeHandlers(...itemModules, shared, entryOnly, asGuests({ ...shared, ...entryOnly }))

/** What channels borrow from Atom beside that. */
export const atomInChannels: Table = asGuests({
  entry: { ...entry, children: guestEntry },
  generator: feedOnly.generator,
  subtitle: { text: 'typed', close: (x, v) => x.feed.summary.offer(v, MODULE) },
  tagline: { text: 'typed', close: (x, v) => x.feed.summary.offer(v, MODULE) },
  rights: { text: 'typed', close: (x, v) => x.feed.copyright.offer(v, MODULE) },
  copyright: { text: 'typed', close: (x, v) => x.feed.copyright.offer(v, MODULE) },
  logo: { text: 'plain', close: (x, v) => x.feed.image.offer(v === '' ? null : x.resolve(v), MODULE) },
  icon: { text: 'plain', close: offerIcon },
})

/** The picture of a channel that has no other. */
function offerIcon(x: Extractor, text: string): void {
  const url = text === '' ? null : x.resolve(text)
  x.feed.icon.offer(url, MODULE)
  x.feed.image.offer(url, LAST)
}

export function atomFormat(x: Extractor): FeedFormat {
  const version = x.attribute('version')
  if (x.scope.someUri((uri) => /w3\.org\/2005\/atom/i.test(uri))) return 'atom-1.0'
  if (version === '0.3' || x.scope.someUri((uri) => /purl\.org\/atom\/ns#?/i.test(uri))) return 'atom-0.3'
  return version === '1.0' ? 'atom-1.0' : 'atom'
}
