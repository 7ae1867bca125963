import { type FeedFormat, ORIGIN } from '../../model/index.ts'
import { atomDates, atomGuests, atomInChannels, atomInItems, author, readLink } from './atom.ts'
import { categoryElement, categoryList } from './categories.ts'
import { MAKESHIFT, MODULE, OF_THE_FORMAT } from './draft.ts'
import { type ElementHandler, type ElementHandlers, type Extractor, mergeHandlers } from './extractor.ts'
import { feedModules, itemModules, readLength } from './modules.ts'
import { readPerson } from './person.ts'
import { hasScheme } from './url.ts'

type Table = Readonly<Record<string, ElementHandler>>

const shared: Table = {
  ...atomDates,
  title: { text: 'html', oneLine: true, close: (x, v) => x.target.title.offer(v, OF_THE_FORMAT) },
  link: { open: (x) => readLink(x, MODULE), text: 'plain', close: offerLink },
  pubdate: { text: 'date', close: (x, v) => x.target.published.replace(x.date(v), OF_THE_FORMAT) },
  category: categoryElement,
  categories: categoryList,
  author: author(OF_THE_FORMAT),
}

function offerLink(x: Extractor, text: string): void {
  if (text !== '' && x.linkRelation === 'alternate') x.target.link.offer(x.resolve(text), OF_THE_FORMAT)
}

// Items ---------------------------------------------------------------------------------------------------------------

const itemOnly: Table = {
  guid: { open: notePermalink, text: 'plain', close: readGuid },
  description: { text: 'html', close: offerText },
  summary: { text: 'html', close: offerText },
  body: { text: 'html', close: (x, v) => x.target.content.offer(v, MODULE) },
  fullitem: { text: 'html', close: (x, v) => x.target.content.offer(v, MODULE) },
  content: { text: 'typed', close: (x, v) => x.target.content.offer(v, MAKESHIFT) },
  comments: {
    text: 'plain',
    close: (x, v) => {
      if (COMMENTS_PAGE.test(v)) x.target.commentsUrl ??= x.resolve(v) || null
    },
  },
  source: {
    open: (x) => {
      const url = x.attribute('url')
      if (url !== null) x.extend(ORIGIN.url, x.resolve(url))
    },
    text: 'plain',
    children: mergeHandlers({ title: { text: 'plain', close: (x, v) => x.extend(ORIGIN.title, v) } }),
    close: (x, v) => x.extend(ORIGIN.title, v),
  },
  enclosure: { open: readEnclosure, text: 'plain', close: readEnclosureText },
  tags: categoryList,
  image: {
    text: 'plain',
    children: mergeHandlers({
      url: { text: 'plain', close: (x, v) => x.target.image.offer(v === '' ? null : x.resolve(v), OF_THE_FORMAT) },
    }),
    close: (x, v) => x.target.image.offer(v === '' ? null : x.resolve(v), OF_THE_FORMAT),
  },
}

/** Where both are there, the first is the summary and the second the full text. */
function offerText(x: Extractor, text: string): void {
  if (x.target.summary.hasBest()) x.target.content.offer(text, MAKESHIFT)
  else x.target.summary.offer(text, OF_THE_FORMAT)
}

function notePermalink(x: Extractor): void {
  x.target.idIsLink = x.attribute('ispermalink')?.toLowerCase() !== 'false'
}

function readGuid(x: Extractor, id: string): void {
  if (id === '') return
  x.target.id ??= id
  if (x.target.idIsLink && WEB_ADDRESS.test(id)) x.target.idLink ??= x.resolve(id)
}

/** Some write how many there are, or whether there may be any; a mere place on a page names no page. */
const COMMENTS_PAGE = /^(?!n\/a$)(?:https?:\/\/|\/|\.{0,2}\/|[^\s/?#:]+(?:\/|\.[a-z]{2,5}(?:[?#]|$))|\?\S)\S*$/i

const WEB_ADDRESS = /^(?:https?:|\/)/i

function readEnclosure(x: Extractor): void {
  const url = x.attribute('url') ?? x.attribute('href')
  if (url === null) return
  x.target.addEnclosure({
    url: x.resolve(url),
    type: x.attribute('type'),
    lengthBytes: readLength(x.attribute('length')),
  })
}

/** `<enclosure>http://…</enclosure>` is not RSS, but it is meant. */
function readEnclosureText(x: Extractor, text: string): void {
  if (hasScheme(text)) x.target.addEnclosure({ url: x.resolve(text), type: null, lengthBytes: null })
}

function startItem(x: Extractor): void {
  x.startItem()
  const about = x.attribute('rdf:about') ?? x.attribute('about')
  if (about !== null) x.target.id ??= about
}

/** An item inside an item: the outer one was never closed. */
const nestedItem: Table = { item: { open: startItem, close: (x) => x.endItem(), children: 'same' } }

const itemFields: ElementHandlers = mergeHandlers(...itemModules, atomInItems, atomGuests, shared, itemOnly, nestedItem)

const item: ElementHandler = { open: startItem, close: (x) => x.endItem(), children: itemFields }

// Channel -------------------------------------------------------------------------------------------------------------

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

const image: ElementHandler = {
  children: mergeHandlers({
    url: { text: 'plain', close: (x, v) => x.feed.image.offer(v === '' ? null : x.resolve(v), OF_THE_FORMAT) },
  }),
}

const feedOnly: Table = {
  description: { text: 'html', close: (x, v) => x.target.summary.offer(v, OF_THE_FORMAT) },
  tagline: { text: 'typed', close: (x, v) => x.target.summary.offer(v, MODULE) },
  subtitle: { text: 'typed', close: (x, v) => x.target.summary.offer(v, MODULE) },
  language: { text: 'plain', close: (x, v) => x.feed.language.offer(v, OF_THE_FORMAT) },
  copyright: { text: 'html', close: (x, v) => x.feed.copyright.offer(v, OF_THE_FORMAT) },
  rights: { text: 'html', close: (x, v) => x.feed.copyright.offer(v, MODULE) },
  managingeditor: { text: 'plain', close: (x, v) => x.feed.addAuthor(readPerson(v), OF_THE_FORMAT) },
  webmaster: { text: 'plain', close: (x, v) => x.feed.addAuthor(readPerson(v), MAKESHIFT) },
  lastbuilddate: { text: 'date', close: (x, v) => x.feed.updated.replace(x.date(v), OF_THE_FORMAT) },
  generator: {
    text: 'plain',
    close: (x, v) => {
      if (v !== '') x.feed.generator ??= v
    },
  },
  ttl: { text: 'plain', close: readTtl },
  cloud: { open: readCloud },
  skiphours: { children: mergeHandlers({ hour: { text: 'plain', close: readHour } }) },
  skipdays: { children: mergeHandlers({ day: { text: 'plain', close: readDay } }) },
  image,
}

function readTtl(x: Extractor, text: string): void {
  const minutes = Number.parseFloat(text)
  if (minutes > 0 && minutes < 1e7) x.feed.ttlMinutes = minutes
}

/** rssCloud over plain HTTP alone: nobody speaks XML-RPC or SOAP for it any more. */
function readCloud(x: Extractor): void {
  const protocol = x.attribute('protocol')?.toLowerCase() ?? ''
  const domain = x.attribute('domain') ?? ''
  const path = x.attribute('path') ?? ''
  const port = Number(x.attribute('port') ?? 80)
  if (
    !/^https?-post$/.test(protocol) ||
    !/^[\w.-]+$/.test(domain) ||
    !path.startsWith('/') ||
    !(port > 0 && port < 65_536)
  )
    return
  const scheme = protocol === 'https-post' || port === 443 ? 'https' : 'http'
  x.feed.cloudUrl ??= `${scheme}://${domain}:${port}${path}`
}

/** 0 to 23; RSS 0.91 counted from 1 to 24. */
function readHour(x: Extractor, text: string): void {
  const hour = Number.parseInt(text, 10)
  if (hour >= 0 && hour <= 24 && !x.feed.skipHours.includes(hour % 24)) x.feed.skipHours.push(hour % 24)
}

function readDay(x: Extractor, text: string): void {
  const day = DAYS.findIndex((name) => text.length >= 3 && name.startsWith(text.toLowerCase()))
  if (day >= 0 && !x.feed.skipDays.includes(day)) x.feed.skipDays.push(day)
}

/** Children of channel. */
export const rssChannelFields: ElementHandlers = mergeHandlers(
  ...feedModules,
  atomInChannels,
  atomGuests,
  shared,
  feedOnly,
  {
    item,
    // RSS 1.1 keeps them in a list.
    items: { children: mergeHandlers({ item }) },
  },
)

const channel: ElementHandler = { open: openChannel, children: rssChannelFields }

export function openChannel(x: Extractor): void {
  const about = x.attribute('rdf:about')
  if (about !== null) x.feed.id ??= about
  // xml:lang of rss or channel, unless `language` says otherwise.
  x.feed.language.offer(x.language, MAKESHIFT)
}

/** Children of rss and rdf:RDF. RSS 0.90 and 1.0 put items and image beside the channel; careless ones do so anyway. */
export const rssFields: ElementHandlers = mergeHandlers({ channel, item, image, entry: item })

export function rssFormat(x: Extractor): FeedFormat {
  const version = x.attribute('version')?.trim() ?? ''
  if (version.startsWith('2')) return 'rss-2.0'
  if (version.startsWith('1.')) return 'rss-1.0'
  const known: readonly FeedFormat[] = ['rss-0.90', 'rss-0.91', 'rss-0.92', 'rss-0.93', 'rss-0.94']
  return known.find((format) => format.slice(4) === version || format.slice(4, -1) === version) ?? 'rss'
}

export function isRss11(x: Extractor): boolean {
  return x.scope.someUri((uri) => /purl\.org\/net\/rss1\.1/i.test(uri))
}

export function rdfFormat(x: Extractor): FeedFormat {
  if (isRss11(x)) return 'rss-1.1'
  if (x.scope.someUri((uri) => uri.includes('purl.org/rss/1.0') && !uri.includes('modules'))) return 'rss-1.0'
  return x.scope.someUri((uri) => uri.includes('netscape.com/rdf/simple/0.9')) ? 'rss-0.90' : 'rss-1.0'
}
