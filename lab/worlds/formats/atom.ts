import {
  type DatedItem,
  escapeXml,
  type FeedDocument,
  historyLinks,
  isoDate,
  optional,
  summaryOf,
  thumbnail,
} from './document.ts'

/** Atom 1.0 (RFC 4287), except that ids and dates are left out where the feed's habits say so. */
export function atom(document: FeedDocument): string {
  const { habits } = document
  const history = `${historyLinks(document, '')}${optional('generator', document.generator)}`
  let xml = `<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/" xml:lang="${habits.language}"><id>${escapeXml(document.siteUrl)}</id><title>${escapeXml(document.title)}</title><updated>${isoDate(document.updatedAt)}</updated><link rel="alternate" type="text/html" href="${escapeXml(document.siteUrl)}"/><link rel="self" type="application/atom+xml" href="${escapeXml(document.feedUrl)}"/>${history}<author><name>${escapeXml(document.title)}</name></author>\n`
  for (const item of document.items) xml += entry(item, document)
  return `${xml}</feed>\n`
}

function entry(item: DatedItem, { habits }: FeedDocument): string {
  const id = item.id === null ? '' : `<id>${escapeXml(item.id)}</id>`
  const published = item.statedAt === null ? '' : `<published>${isoDate(item.statedAt)}</published>`
  const updated =
    item.statedAt === null ? '' : `<updated>${isoDate(Math.max(item.statedAt, item.statedEditAt ?? 0))}</updated>`
  const author = item.author === null ? '' : `<author><name>${escapeXml(item.author)}</name></author>`
  const categories = item.categories.map((category) => `<category term="${escapeXml(category)}"/>`).join('')
  const enclosure =
    item.enclosure === null
      ? ''
      : `<link rel="enclosure" href="${escapeXml(item.enclosure.url)}" type="${item.enclosure.type}" length="${item.enclosure.lengthBytes}"/>`
  // Half of the Atom feeds carry XHTML, whose void elements must be closed.
  const content =
    habits.markup === 'cdata'
      ? `<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">${item.html.replace(/<img ([^>]*)>/g, '<img $1/>')}</div></content>`
      : `<content type="html">${escapeXml(item.html)}</content>`
  return `<entry>${id}<title>${escapeXml(item.title)}</title><link rel="alternate" href="${escapeXml(item.link)}"/>${published}${updated}${author}${categories}${enclosure}${thumbnail(item)}<summary>${escapeXml(summaryOf(item.html))}</summary>${content}</entry>\n`
}
