import type { FeedProblem } from '../../model/feed.ts'
import { ListCollector, type ListEntry } from '../list-collector.ts'
import { listText } from '../list-text.ts'
import { arrayOf, type ExportedItem, objectOf } from './exported-item.ts'
import { readGreaderItem } from './greader-json.ts'
import { readMinifluxEntry } from './miniflux-json.ts'
import { readTtrssArticles } from './ttrss-xml.ts'

export type { ExportedItem } from './exported-item.ts'

export interface ReaderExport {
  /** The feeds that its articles are of. */
  readonly entries: readonly ListEntry[]
  readonly items: readonly ExportedItem[]
  readonly problems: readonly FeedProblem[]
}

/** Articles that another reader wrote to a file, with their state. null: it is something else, as a list of feeds. */
export function readExport(bytes: Uint8Array): ReaderExport | null {
  const text = listText(bytes).replace(/^\ufeff/, '')
  const read = /^\s*[[{]/.test(text) ? readJson(text) : isTtrss(text) ? readTtrssArticles(text) : null
  if (read === null) return null
  const { items, lost } = read
  const feeds = new ListCollector()
  for (const { feedUrl, feedTitle, siteUrl, folders } of items) feeds.addFeed(feedUrl, feedTitle, siteUrl, folders)
  const passed = { code: 'no-feed-of-item', message: `${lost} articles do not say what feed they are of`, offset: null }
  return { entries: feeds.entries(), items, problems: lost === 0 ? [] : [passed] }
}

function isTtrss(text: string): boolean {
  return /^\s*(<\?xml[^>]{0,200}\?>\s*)?<articles[\s>]/i.test(text)
}

/** null: JSON of no form that is known, or none at all. */
function readJson(text: string): { readonly items: readonly ExportedItem[]; readonly lost: number } | null {
  const document = parsed(text)
  const { items, entries } = objectOf(document)
  const rows = Array.isArray(document) ? document : Array.isArray(items) ? items : arrayOf(entries)
  if (rows.length === 0 && !Array.isArray(items) && !Array.isArray(entries)) return null
  const read = rows.map((row) => ('feed' in objectOf(row) ? readMinifluxEntry(row) : readGreaderItem(row)))
  const found = read.filter((one) => one !== null)
  return { items: found, lost: read.length - found.length }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
