import { gunzipSync } from 'node:zlib'
import { Parser } from 'htmlparser2'
import { DEFAULT_PARSE_LIMITS } from '../crawler/parse/limits.ts'
import type { ProblemList } from '../crawler/parse/problems.ts'
import { BLANK_ITEM, type InstantMs, type ParsedItem } from '../model/index.ts'
import { parseFeedDate } from '../text/dates/dates.ts'
import { addressOf } from './page.ts'

/** A sitemap (sitemaps.org 0.9, with news), as items: newest first where it has dates. */
export interface Sitemap {
  /** `index`: its items are other sitemaps. */
  readonly kind: 'sitemap' | 'sitemap-index'
  readonly items: readonly ParsedItem[]
}

const ROOT = /<(?:[\w-]+:)?(urlset|sitemapindex)[\s>]/i
/** Where the root element has to be. */
const HEAD_CHARS = 4_000

export function isSitemap(text: string): boolean {
  return ROOT.test(text.slice(0, HEAD_CHARS))
}

interface Entry {
  readonly fields: Map<string, string>
}

/** null: it is none. Never throws. */
export function readSitemap(text: string, url: string, problems: ProblemList): Sitemap | null {
  const root = ROOT.exec(text.slice(0, HEAD_CHARS))?.[1]?.toLowerCase()
  if (root === undefined) return null
  const reader = new EntryReader()
  new Parser(reader.handler, { xmlMode: true, decodeEntities: true }).end(text)
  const { maxItems } = DEFAULT_PARSE_LIMITS
  const items = newestFirst(reader.entries.flatMap((entry) => itemOf(entry, url) ?? []))
  if (items.length > maxItems) problems.add('too-many-items')
  return { kind: root === 'urlset' ? 'sitemap' : 'sitemap-index', items: items.slice(0, maxItems) }
}

const MOST_ENTRIES = 50_000
const LONGEST_FIELD = 4_000

/** Reads `url` and `sitemap` elements, each with its fields by name without the prefix. */
class EntryReader {
  readonly entries: Entry[] = []
  private entry: Entry | null = null
  private path: string[] = []
  private text = ''

  readonly handler = {
    onopentag: (name: string) => {
      const local = localName(name)
      if (this.path.length < 20) this.path.push(local)
      if ((local === 'url' || local === 'sitemap') && this.entry === null) this.entry = { fields: new Map() }
      this.text = ''
    },
    ontext: (text: string) => {
      if (this.entry !== null && this.text.length < LONGEST_FIELD) this.text += text
    },
    onclosetag: (name: string) => {
      const local = localName(name)
      this.path.pop()
      if (this.entry === null) return
      if (local === 'url' || local === 'sitemap') {
        if (this.entries.length < MOST_ENTRIES) this.entries.push(this.entry)
        this.entry = null
      } else this.addField(local)
      this.text = ''
    },
  }

  /** image:loc and video:title describe something else. */
  private addField(name: string): void {
    const above = this.path.at(-1)
    const value = this.text.trim().slice(0, LONGEST_FIELD)
    if (value === '' || above === 'image' || above === 'video') return
    if (!this.entry?.fields.has(name)) this.entry?.fields.set(name, value)
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase()
}

function itemOf({ fields }: Entry, url: string): ParsedItem | null {
  const link = addressOf(fields.get('loc'), url)
  if (link === null) return null
  const published = dateOf(fields.get('publication_date'))
  const updated = dateOf(fields.get('lastmod'))
  const keywords = fields.get('keywords')?.split(',') ?? []
  return {
    ...BLANK_ITEM,
    title: fields.get('title') ?? null,
    link,
    published: published ?? updated,
    updated,
    language: fields.get('language') ?? null,
    categories: [...new Set(keywords.map((word) => word.trim()).filter((word) => word !== ''))].slice(0, 50),
  }
}

function dateOf(text: string | undefined): InstantMs | null {
  return text === undefined ? null : parseFeedDate(text)
}

/** Sitemaps have no order; those without a date stay in that of the document, after the others. */
function newestFirst(items: ParsedItem[]): ParsedItem[] {
  const at = ({ published }: ParsedItem) => published ?? Number.NEGATIVE_INFINITY
  return items.sort((a, b) => (at(a) === at(b) ? 0 : at(b) - at(a)))
}

/** `sitemap.xml.gz` comes as a file that is compressed, whatever the transfer does. null: broken or too large. */
export function unpacked(bytes: Uint8Array): Uint8Array | null {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return gunzipSync(bytes, { maxOutputLength: DEFAULT_PARSE_LIMITS.maxBytes })
  } catch {
    return null
  }
}
