import { type FeedFormat, ORIGIN, type Person, PROVENANCE } from '../../model/index.ts'
import { DateReader } from './date-reader.ts'
import { Draft, FeedDraft, MAKESHIFT, MODULE, OF_THE_FORMAT } from './draft.ts'
import { finishItem } from './finish.ts'
import { resolveHtmlLinks } from './html-links.ts'
import { standardNames } from './json-names.ts'
import { hasMoreValues } from './json-values.ts'
import { parseLenientJson } from './lenient-json.ts'
import type { ParseLimits } from './limits.ts'
import { type MediaFacts, mediaFacts, readMediaDuration, readPixels } from './media-facts.ts'
import { plainName, readPerson } from './person.ts'
import { readPlain } from './plain-text.ts'
import type { ProblemList } from './problems.ts'
import { resolveUrl } from './url.ts'
import type { FeedContents } from './xml-feed.ts'

type Json = Readonly<Record<string, unknown>>

/** JSON Feed 1.0 and 1.1 (jsonfeed.org). */
export function readJsonFeed(
  text: string,
  url: string | null,
  problems: ProblemList,
  limits: ParseLimits,
): FeedContents {
  const json = parse(text, problems, limits)
  const root = isObject(json) ? standardNames(json) : json
  const format = isObject(root) ? formatOf(root) : null
  if (!isObject(root) || format === null) {
    problems.add('not-a-feed')
    return { format: 'unknown', feed: new FeedDraft(), items: [] }
  }
  const entries = array(root['items'])
  if (entries.length > limits.maxItems) problems.add('too-many-items')
  const members = entries.slice(0, limits.maxItems).filter(isObject).map(standardNames)
  const dates = new DateReader(problems)
  const read = (reader: JsonReader): FeedContents => ({
    format,
    feed: reader.readFeed(root),
    items: members.map((member) => finishItem(reader.readItem(member), limits, problems)),
  })
  let feed: FeedContents | null = read(new JsonReader(url, limits, problems, dates))
  const order = dates.judgeOrder()
  if (order === null) return feed
  feed = null
  return read(new JsonReader(url, limits, problems, new DateReader(problems, order)))
}

function parse(text: string, problems: ProblemList, limits: ParseLimits): unknown {
  if (hasMoreValues(text, limits.maxJsonValues)) {
    problems.add('too-large')
    return parseLenientJson(text, limits)
  }
  try {
    return JSON.parse(text)
  } catch {
    problems.add('bad-json')
    return parseLenientJson(text, limits)
  }
}

/** By its version; a feed that lost it is known by its items. */
function formatOf(root: Json): FeedFormat | null {
  const version = string(root['version'])
  const named = version !== null && /jsonfeed\.org\/version\//i.test(version)
  if (!named && !(array(root['items']).length > 0 && (typeof root['title'] === 'string' || version !== null)))
    return null
  if (version === null) return 'json'
  if (/(?:^|\/)1\.1\/?$/.test(version)) return 'json-1.1'
  return /(?:^|\/)1(?:\.0)?\/?$/.test(version) ? 'json-1.0' : 'json'
}

class JsonReader {
  private readonly base: string | null
  private readonly limits: ParseLimits
  private readonly problems: ProblemList
  private readonly dates: DateReader

  constructor(base: string | null, limits: ParseLimits, problems: ProblemList, dates: DateReader) {
    this.base = base
    this.limits = limits
    this.problems = problems
    this.dates = dates
  }

  readFeed(json: Json): FeedDraft {
    const feed = new FeedDraft()
    feed.title.offer(this.plain(json['title']), OF_THE_FORMAT)
    feed.link.offer(this.url(json['home_page_url']), OF_THE_FORMAT)
    feed.summary.offer(this.plain(json['description']), OF_THE_FORMAT)
    feed.language.offer(this.text(json['language']), OF_THE_FORMAT)
    feed.image.offer(this.url(json['icon']), OF_THE_FORMAT)
    feed.icon.offer(this.url(json['favicon']), OF_THE_FORMAT)
    feed.selfUrl = this.url(json['feed_url'])
    feed.id = this.text(json['feed_url'])
    feed.nextUrl = this.url(json['next_url'])
    this.readAuthors(json, feed)
    for (const hub of array(json['hubs'])) {
      const hubUrl = isObject(hub) ? this.url(hub['url']) : null
      if (hubUrl !== null) feed.hubs.push(hubUrl)
    }
    // As our own feeds say it: the format has no categories of feeds.
    const ours = json['_headwater']
    for (const category of array(isObject(ours) ? ours['categories'] : null)) {
      if (typeof category === 'string') feed.addCategory(category)
    }
    this.readExtensions(json, feed)
    return feed
  }

  readItem(json: Json): Draft {
    const item = new Draft()
    const { id } = json
    item.id = typeof id === 'number' ? String(id) : this.text(id)
    item.title.offer(this.plain(json['title']), OF_THE_FORMAT)
    item.link.offer(this.url(json['url']), OF_THE_FORMAT)
    item.link.offer(this.url(json['external_url']), MODULE)
    const html = this.text(json['content_html'])
    item.content.offer(html === null ? null : resolveHtmlLinks(html, this.base), OF_THE_FORMAT)
    item.content.offer(this.plain(json['content_text']), MODULE)
    item.summary.offer(this.plain(json['summary']), OF_THE_FORMAT)
    item.image.offer(this.url(json['image']), OF_THE_FORMAT)
    item.image.offer(this.url(json['banner_image']), MODULE)
    this.readImageSize(json['_headwater'], item)
    item.published.offer(this.date(json['date_published']), OF_THE_FORMAT)
    item.updated.offer(this.date(json['date_modified']), OF_THE_FORMAT)
    item.language.offer(this.text(json['language']), OF_THE_FORMAT)
    for (const tag of tagsOf(json['tags'])) if (typeof tag === 'string') item.addCategory(tag)
    this.readAuthors(json, item)
    this.readAttachments(json, item)
    this.readOrigin(json['_headwater'], item)
    this.readExtensions(json, item)
    return item
  }

  /** 1.1 has `authors`; 1.0 has `author`, which some 1.1 feeds still give beside it. */
  private readAuthors(json: Json, draft: Draft): void {
    for (const author of array(json['authors'])) draft.addAuthor(this.person(author), OF_THE_FORMAT)
    for (const author of array(json['author'])) draft.addAuthor(this.person(author), MAKESHIFT)
  }

  private person(json: unknown): Person | null {
    if (typeof json === 'string') return readPerson(json)
    if (!isObject(json)) return null
    const person = standardNames(json)
    const fullName = this.text(person['name'])
    const name = fullName === null ? null : plainName(fullName)
    const url = this.url(person['url'])
    return name === null && url === null ? null : { name, email: null, url }
  }

  private readAttachments(json: Json, item: Draft): void {
    for (const entry of array(json['attachments'])) {
      if (!isObject(entry)) continue
      const attachment = standardNames(entry)
      const url = this.url(attachment['url'])
      if (url === null) continue
      const size = attachment['size_in_bytes']
      const lengthBytes = typeof size === 'number' && size >= 0 ? size : null
      item.addEnclosure({ url, type: this.text(attachment['mime_type']), lengthBytes })
      item.noteMedia(url, this.facts(attachment, attachment['_headwater']))
    }
  }

  /** JSON Feed has durations, and no place for widths and heights; this is ours. */
  private facts(attachment: Json, ours: unknown): MediaFacts {
    const sizes = isObject(ours) ? ours : {}
    return mediaFacts({
      durationMs: readMediaDuration(numberIn(attachment['duration_in_seconds'])),
      width: readPixels(numberIn(sizes['width'])),
      height: readPixels(numberIn(sizes['height'])),
    })
  }

  private readImageSize(ours: unknown, item: Draft): void {
    if (!isObject(ours) || item.image.value === null) return
    const { image_width: width, image_height: height } = ours
    item.noteMedia(item.image.value, this.facts({}, { width, height }))
  }

  /** JSON Feed has no place for where an item comes from; this is ours. */
  private readOrigin(json: unknown, item: Draft): void {
    if (!isObject(json)) return
    const { source_title: title, source_url: url, source_site_url: siteUrl, origin, path } = json
    const extensions = {
      [ORIGIN.title]: this.text(title),
      [ORIGIN.url]: this.url(url),
      [ORIGIN.siteUrl]: this.url(siteUrl),
      [PROVENANCE.origin]: this.text(origin),
      [PROVENANCE.path]: this.text(Array.isArray(path) ? path.join(' ') : null),
    }
    for (const [key, value] of Object.entries(extensions)) {
      if (value === null) continue
      item.extensions ??= {}
      item.extensions[key] = value
      item.extensionCount++
    }
  }

  /** Custom members begin with an underscore; those that are plain values are stored. */
  private readExtensions(json: Json, draft: Draft): void {
    for (const key in json) {
      if (!key.startsWith('_') || draft.extensionCount >= this.limits.maxExtensions) continue
      const value = json[key]
      if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') continue
      draft.extensions ??= {}
      draft.extensions[`json:${key}`] = String(value)
      draft.extensionCount++
    }
  }

  private text(value: unknown): string | null {
    const text = string(value)?.trim()
    if (text === undefined || text === '') return null
    if (text.length <= this.limits.maxFieldChars) return text
    this.problems.add('field-too-long')
    return text.slice(0, this.limits.maxFieldChars)
  }

  private date(value: unknown): number | null {
    const text = typeof value === 'number' ? String(value) : string(value)
    return text === null ? null : this.dates.read(text)
  }

  /** JSON Feed 1.1: plain text; as HTML that shows it. */
  private plain(value: unknown): string | null {
    const text = this.text(value)
    return text === null ? null : readPlain(text, this.problems).text
  }

  private url(value: unknown): string | null {
    const text = this.text(value)
    return text === null ? null : resolveUrl(text, this.base)
  }
}

function string(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** One thing instead of a list is a list of one. */
function array(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return isObject(value) || typeof value === 'string' ? [value] : []
}

/** A text instead of a list: separated by commas. */
function tagsOf(value: unknown): readonly unknown[] {
  return typeof value === 'string' ? value.slice(0, LONGEST_LIST).split(',') : array(value)
}

const LONGEST_LIST = 10_000

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function numberIn(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}
