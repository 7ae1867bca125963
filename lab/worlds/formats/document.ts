import type { InstantMs } from '../../../src/model/index.ts'
import type { FeedHabits } from '../feed-plan.ts'
import type { WorldItem } from '../items.ts'

/** A feed document before it takes a form: the dates are those that the feed states, credible or not. */
export interface FeedDocument {
  readonly title: string
  readonly siteUrl: string
  readonly feedUrl: string
  readonly nextUrl: string | null
  /** RFC 5005 §4. */
  readonly prevArchiveUrl: string | null
  readonly isArchive: boolean
  readonly generator: string | null
  readonly updatedAt: InstantMs
  readonly habits: FeedHabits
  readonly items: readonly DatedItem[]
}

export interface DatedItem extends WorldItem {
  readonly statedAt: InstantMs | null
  readonly statedEditAt: InstantMs | null
}

export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

export function markup(html: string, habits: FeedHabits): string {
  return habits.markup === 'cdata' ? `<![CDATA[${html}]]>` : escapeXml(html)
}

export function optional(element: string, text: string | null): string {
  return text === null ? '' : `<${element}>${escapeXml(text)}</${element}>`
}

/** Links to older items and marks of RFC 5005, with this prefix for Atom's elements. */
export function historyLinks(document: FeedDocument, atom: 'atom:' | ''): string {
  const link = (rel: string, url: string | null) =>
    url === null ? '' : `<${atom}link rel="${rel}" href="${escapeXml(url)}"/>`
  const archive = document.isArchive
    ? `<fh:archive xmlns:fh="http://purl.org/syndication/history/1.0"/>${link('current', document.feedUrl)}`
    : ''
  return `${link('next', document.nextUrl)}${link('prev-archive', document.prevArchiveUrl)}${archive}`
}

/** Media RSS. */
export function thumbnail({ image }: Pick<DatedItem, 'image'>): string {
  return image === null ? '' : `<media:thumbnail url="${escapeXml(image)}"/>`
}

/** RFC 1123, as RSS wants it. */
export function rssDate(at: InstantMs): string {
  return new Date(at).toUTCString()
}

/** RFC 3339, to the second. */
export function isoDate(at: InstantMs): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`
}

/** The first sentences without markup. */
export function summaryOf(html: string): string {
  return html
    .slice(0, 400)
    .replace(/<[^>]*>?/g, ' ')
    .replace(/&\w*;?$/, '')
    .trim()
}
