import { DAY_MS, HOUR_MS, WEEK_MS } from '../../model/index.ts'
import { detach } from '../../text/strings.ts'
import { MAKESHIFT, MODULE, OF_THE_FORMAT } from './draft.ts'
import type { ElementHandler, Extractor } from './extractor.ts'
import { mediaFacts, readMediaDuration, readPixels } from './media-facts.ts'
import type { ResolvedName } from './namespaces.ts'
import { readPerson } from './person.ts'
import { splitList } from './split-list.ts'

type Table = Readonly<Record<string, ElementHandler>>

/** Ranks below MAKESHIFT, for what is hardly ever the best. */
const LAST = 3

/** Dublin Core, for feed and items. dc:date is whatever date there is; RSS 1.0 has no other. */
const dublinCore: Table = {
  'dc:title': { text: 'html', close: (x, v) => x.target.title.offer(v, MODULE) },
  'dc:creator': { text: 'plain', close: (x, v) => x.target.addAuthor(readPerson(v), MODULE) },
  'dc:author': { text: 'plain', close: (x, v) => x.target.addAuthor(readPerson(v), MODULE) },
  'dc:subject': { text: 'plain', close: (x, v) => x.target.addCategory(v) },
  'dc:language': { text: 'plain', close: (x, v) => x.target.language.offer(v, MODULE) },
  'dc:date': {
    text: 'date',
    close: (x, v) => {
      const date = x.date(v)
      x.target.published.replace(date, MAKESHIFT)
      x.target.updated.replace(date, MAKESHIFT)
    },
  },
  'dcterms:issued': { text: 'date', close: (x, v) => x.target.published.replace(x.date(v), MODULE) },
  'dcterms:created': { text: 'date', close: (x, v) => x.target.published.replace(x.date(v), LAST) },
  'dcterms:modified': { text: 'date', close: (x, v) => x.target.updated.replace(x.date(v), MODULE) },
}

const dublinCoreItem: Table = {
  'dc:description': { text: 'html', close: (x, v) => x.target.summary.offer(v, MODULE) },
}

const dublinCoreFeed: Table = {
  'dc:description': { text: 'html', close: (x, v) => x.target.summary.offer(v, MODULE) },
  'dc:rights': { text: 'html', close: (x, v) => x.feed.copyright.offer(v, MODULE) },
}

const content: Table = {
  'content:encoded': { text: 'html', close: (x, v) => x.target.content.offer(v, OF_THE_FORMAT) },
  'payload:payload': { text: 'html', close: (x, v) => x.target.content.offer(v, OF_THE_FORMAT) },
  'xhtml:body': { text: 'html', close: (x, v) => x.target.content.offer(v, MODULE) },
  'xhtml:div': { text: 'html', close: (x, v) => x.target.content.offer(v, MODULE) },
}

const itunes: Table = {
  'itunes:author': { text: 'plain', close: (x, v) => noteAndOffer(x, 'itunes:author', v, LAST) },
  'googleplay:author': { text: 'plain', close: (x, v) => noteAndOffer(x, 'googleplay:author', v, LAST + 1) },
  'itunes:title': { text: 'plain', close: (x, v) => x.target.title.offer(v, LAST) },
  'itunes:summary': { text: 'html', close: (x, v) => x.target.summary.offer(v, MAKESHIFT) },
  'itunes:subtitle': {
    text: 'plain',
    close: (x, v) => {
      x.extend('itunes:subtitle', v)
      x.target.summary.offer(v, LAST)
    },
  },
  'googleplay:description': { text: 'html', close: (x, v) => x.target.summary.offer(v, LAST) },
  'itunes:image': { open: readItunesImage, text: 'plain', close: (x, v) => offerImage(x, v, MODULE) },
  'itunes:link': {
    open: (x) => {
      if (x.attribute('rel') === 'image') offerImage(x, x.attribute('href'), MODULE)
    },
  },
  'googleplay:image': { open: (x) => offerImage(x, x.attribute('href'), MAKESHIFT) },
  'itunes:category': { open: (x) => x.target.addCategory(x.attribute('text') ?? ''), children: 'same' },
  'itunes:keywords': { text: 'plain', close: keepKeywords },
  'itunes:owner': { children: 'same' },
  'itunes:name': { text: 'plain', close: (x, v) => noteAndOffer(x, 'itunes:name', v, LAST + 1) },
}

function noteAndOffer(x: Extractor, key: string, name: string, rank: number): void {
  x.extend(key, name)
  x.target.addAuthor(readPerson(name), rank)
}

function readItunesImage(x: Extractor): void {
  offerImage(x, x.attribute('href') ?? x.attribute('url'), MODULE)
}

function offerImage(x: Extractor, url: string | null, rank: number): void {
  if (url !== null && url !== '') x.target.image.offer(x.resolve(url), rank)
}

/** Keywords are for search engines; they are categories only where there are no others. */
function keepKeywords(x: Extractor, text: string): void {
  x.target.keywords ??= text
}

export function splitCategories(x: Extractor, text: string): void {
  for (const part of splitList(text)) x.target.addCategory(part)
}

const media: Table = {
  'media:group': { children: 'same' },
  'media:content': { open: readMediaContent, children: 'same' },
  'media:title': { text: 'html', close: (x, v) => x.target.title.offer(v, LAST) },
  'media:description': { text: 'html', close: (x, v) => x.target.summary.offer(v, LAST) },
  'media:thumbnail': { open: readThumbnail },
  'media:category': { text: 'plain', close: (x, v) => x.target.addCategory(v) },
  'media:keywords': { text: 'plain', close: keepKeywords },
}

function readThumbnail(x: Extractor): void {
  const url = x.attribute('url')
  if (url === null) return
  noteMedia(x, url)
  offerImage(x, url, MODULE)
}

/** Media RSS says it beside the address, for pictures and for what enclosures name as well. */
function noteMedia(x: Extractor, url: string): void {
  const facts = {
    lengthBytes: readLength(x.attribute('filesize')),
    durationMs: readMediaDuration(x.attribute('duration')),
    width: readPixels(x.attribute('width')),
    height: readPixels(x.attribute('height')),
  }
  if (
    facts.lengthBytes === null &&
    facts.durationMs === undefined &&
    facts.width === undefined &&
    facts.height === undefined
  )
    return
  x.target.noteMedia(x.resolve(url), mediaFacts(facts))
}

function readMediaContent(x: Extractor): void {
  const url = x.attribute('url')
  if (url === null) return
  const type = x.attribute('type')
  const medium = x.attribute('medium') ?? type ?? ''
  noteMedia(x, url)
  if (medium.startsWith('image')) offerImage(x, url, MAKESHIFT)
  else if (/^(?:audio|video|application)/.test(medium)) {
    x.target.addMedia({ url: x.resolve(url), type, lengthBytes: readLength(x.attribute('filesize')) })
  }
}

export function readLength(text: string | null): number | null {
  if (text === null || !/^\s*[0-9]{1,15}\s*$/.test(text)) return null
  return Number(text)
}

const comments: Table = {
  'wfw:comment': { text: 'plain', close: (x, v) => x.extend('wfw:comment', x.resolve(v)) },
  'wfw:commentrss': { text: 'plain', close: (x, v) => x.extend('wfw:commentrss', x.resolve(v)) },
  'feedburner:origlink': { text: 'plain', close: (x, v) => x.extend('feedburner:origlink', x.resolve(v)) },
}

const PERIODS_MS: ReadonlyMap<string, number> = new Map([
  ['hourly', HOUR_MS],
  ['daily', DAY_MS],
  ['weekly', WEEK_MS],
  ['monthly', 30 * DAY_MS],
  ['yearly', 365 * DAY_MS],
])

/** What a publisher asks of those who poll: RSS 1.0 syndication module, RFC 5005. */
const syndication: Table = {
  'sy:updateperiod': { text: 'plain', close: (x, v) => setPeriod(x, v) },
  'sy:updatefrequency': { text: 'plain', close: (x, v) => setFrequency(x, v) },
  'sy:updatebase': { text: 'date', close: (x, v) => setBase(x, v) },
  'fh:complete': { open: (x) => markComplete(x) },
}

function setPeriod(x: Extractor, text: string): void {
  const periodMs = PERIODS_MS.get(text.toLowerCase())
  if (periodMs !== undefined) x.feed.updatePeriodMs = periodMs
}

function setFrequency(x: Extractor, text: string): void {
  const frequency = Number.parseInt(text, 10)
  if (frequency > 0 && frequency <= 3600) x.feed.updateFrequency = frequency
}

function setBase(x: Extractor, text: string): void {
  x.feed.updateBaseAt = x.date(text)
}

function markComplete(x: Extractor): void {
  x.feed.complete = true
}

/** Modules whose values we keep without knowing what they mean. */
const MODULES = new Set([
  'itunes',
  'googleplay',
  'podcast',
  'thr',
  'slash',
  'georss',
  'gml',
  'geo',
  'media',
  'psc',
  'cc',
  'creativecommons',
  'source',
  'snf',
  'headwater',
  'dc',
  'dcterms',
])

const moduleFields = new Map<string, ElementHandler>()

/** A field for what no table names; undefined where it is of no interest. */
export function extensionField(name: ResolvedName): ElementHandler | undefined {
  if (!MODULES.has(name.namespace)) return undefined
  let field = moduleFields.get(name.key)
  if (field === undefined) {
    field = makeExtensionField(name.key)
    if (moduleFields.size < MOST_KEPT_FIELDS) moduleFields.set(name.key, field)
  }
  return field
}

const MOST_KEPT_FIELDS = 500

/** Text as `slash:comments`, attributes as `thr:in-reply-to@ref`. */
function makeExtensionField(key: string): ElementHandler {
  return {
    open: (x) => {
      const { scanner } = x
      for (let i = 0; i < scanner.attributeCount; i++) {
        const attribute = scanner.attributeNames[i] ?? ''
        if (attribute.startsWith('xml')) continue
        x.extend(`${key}@${attribute.toLowerCase()}`, detach(scanner.attributeValue(i)))
      }
    },
    text: 'plain',
    close: (x, value) => x.extend(key, value),
    children: 'same',
  }
}

/** Everything that may be in an item of any XML format. */
export const itemModules: readonly Table[] = [dublinCore, dublinCoreItem, content, itunes, media, comments]
export const feedModules: readonly Table[] = [dublinCore, dublinCoreFeed, itunes, media, syndication]
