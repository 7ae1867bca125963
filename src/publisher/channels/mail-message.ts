import { createHash } from 'node:crypto'
import { plainText } from '../plain-text.ts'
import { type PresentedItem, titleOrExcerpt } from '../present.ts'
import { oneLine } from '../xml-text.ts'
import type { Outgoing, OutgoingItem, OutgoingItems } from './channel.ts'

/** A mail before it takes the form of MIME. */
export interface MailMessage {
  readonly from: string
  readonly to: string
  readonly subject: string
  readonly messageId: string
  readonly date: Date
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly html: string
}

const TEXT_LENGTH = 2_000

export function composeMail(outgoing: Outgoing, from: string): MailMessage {
  const { feed, items, target } = outgoing
  const domain = domainOf(from)
  const isDigest = outgoing.everyMs !== null
  const title = oneLine(feed.title, 200)
  const last = lastOf(items)
  return {
    from,
    to: target,
    subject: isDigest ? digestSubject(title, items) : oneLine(`[${title}] ${titleOrExcerpt(last.item)}`, 300),
    messageId: messageIdOf(outgoing, domain),
    date: new Date(last.publishedAt),
    headers: {
      'List-Id': `${quoted(title)} <${listLabel(feed.name)}.headwater.${domain}>`,
      // RFC 3834 §5: vacation programs leave mail alone that a machine has sent.
      'Auto-Submitted': 'auto-generated',
      'Headwater-Publications': items
        .slice(0, 20)
        .map(({ publicationId }) => publicationId)
        .join(' '),
    },
    text: items.map(({ item }) => itemAsText(item)).join('\n\n-- \n\n'),
    html: htmlPage(items.map(({ item }) => itemAsHtml(item))),
  }
}

/**
 * The same for the same publications and receiver, however often it is sent (RFC 5322 §3.6.4): mail programs and servers
 * know a repetition by it.
 */
function messageIdOf({ items, target }: Outgoing, domain: string): string {
  const names = [target, items[0].publicationId, lastOf(items).publicationId, items.length]
  return `<${createHash('sha256').update(names.join(' ')).digest('hex').slice(0, 40)}@${domain}>`
}

function lastOf(items: OutgoingItems): OutgoingItem {
  return items.at(-1) ?? items[0]
}

function digestSubject(title: string, items: readonly OutgoingItem[]): string {
  return oneLine(`[${title}] ${items.length === 1 ? '1 item' : `${items.length} items`}`, 300)
}

/** RFC 2919: a list is named like a host; the phrase before it is for people. */
function listLabel(name: string): string {
  return /^[\w-]{1,60}$/.test(name) ? name : createHash('sha256').update(name).digest('hex').slice(0, 16)
}

function quoted(text: string): string {
  return `"${text.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, "'")}"`
}

function domainOf(address: string): string {
  return /@([\w.-]+)>?\s*$/.exec(address)?.[1]?.toLowerCase() ?? 'localhost'
}

function itemAsText(item: PresentedItem): string {
  const excerpt = plainText(item.summaryHtml ?? item.contentHtml ?? '', TEXT_LENGTH)
  const lines = [titleOrExcerpt(item), item.source.title, item.link, excerpt === item.title ? '' : excerpt]
  return lines.filter((line) => line !== null && line !== '').join('\n')
}

function itemAsHtml(item: PresentedItem): string {
  const title = escapeHtml(titleOrExcerpt(item))
  const heading = item.link === null ? title : `<a href="${escapeHtml(item.link)}">${title}</a>`
  // Content was sanitised when the item was presented.
  return `<h2>${heading}</h2>\n<p><i>${escapeHtml(item.source.title)}</i></p>\n${item.contentHtml ?? item.summaryHtml ?? ''}`
}

function htmlPage(articles: readonly string[]): string {
  return `<!doctype html>\n<html><head><meta charset="utf-8"></head><body>\n${articles.join('\n<hr>\n')}\n</body></html>\n`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
