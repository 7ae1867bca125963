import {
  type DatedItem,
  escapeXml,
  type FeedDocument,
  historyLinks,
  isoDate,
  markup,
  optional,
  rssDate,
  summaryOf,
  thumbnail,
} from './document.ts'

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'

/** RSS 2.0 with content:encoded. */
export function rss2(document: FeedDocument): string {
  const { habits } = document
  const history = `${historyLinks(document, 'atom:')}${optional('generator', document.generator)}`
  let xml = `${DECLARATION}<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>${escapeXml(document.title)}</title><link>${escapeXml(document.siteUrl)}</link><description>${escapeXml(document.title)}</description><language>${habits.language}</language><atom:link rel="self" type="application/rss+xml" href="${escapeXml(document.feedUrl)}"/>${history}\n`
  for (const item of document.items) xml += rss2Item(item, document)
  return `${xml}</channel></rss>\n`
}

function rss2Item(item: DatedItem, { habits }: FeedDocument): string {
  const id = item.id === null ? '' : `<guid isPermaLink="false">${escapeXml(item.id)}</guid>`
  const date = item.statedAt === null ? '' : `<pubDate>${rssDate(item.statedAt)}</pubDate>`
  const enclosure =
    item.enclosure === null
      ? ''
      : `<enclosure url="${escapeXml(item.enclosure.url)}" type="${item.enclosure.type}" length="${item.enclosure.lengthBytes}"/>`
  const categories = item.categories.map((category) => `<category>${escapeXml(category)}</category>`).join('')
  return `<item><title>${escapeXml(item.title)}</title><link>${escapeXml(item.link)}</link>${id}${date}${optional('dc:creator', item.author)}${categories}${enclosure}${thumbnail(item)}<description>${escapeXml(summaryOf(item.html))}</description><content:encoded>${markup(item.html, habits)}</content:encoded></item>\n`
}

/** RSS 1.0 (RDF): items are beside the channel; rdf:about is their name. */
export function rss1(document: FeedDocument): string {
  const { habits } = document
  const names = document.items.map((item) => escapeXml(item.id ?? item.link))
  const list = names.map((name) => `<rdf:li rdf:resource="${name}"/>`).join('')
  let xml = `${DECLARATION}<rdf:RDF xmlns="http://purl.org/rss/1.0/" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel rdf:about="${escapeXml(document.feedUrl)}"><title>${escapeXml(document.title)}</title><link>${escapeXml(document.siteUrl)}</link><description>${escapeXml(document.title)}</description><dc:language>${habits.language}</dc:language><items><rdf:Seq>${list}</rdf:Seq></items></channel>\n`
  document.items.forEach((item, index) => {
    const date = item.statedAt === null ? '' : `<dc:date>${isoDate(item.statedAt)}</dc:date>`
    const subjects = item.categories.map((category) => `<dc:subject>${escapeXml(category)}</dc:subject>`).join('')
    xml += `<item rdf:about="${names[index]}"><title>${escapeXml(item.title)}</title><link>${escapeXml(item.link)}</link>${date}${optional('dc:creator', item.author)}${subjects}<description>${escapeXml(summaryOf(item.html))}</description><content:encoded>${markup(item.html, habits)}</content:encoded></item>\n`
  })
  return `${xml}</rdf:RDF>\n`
}

/** RSS 0.91: no ids, no item dates; the description is all there is. */
export function rss091(document: FeedDocument): string {
  const { habits } = document
  let xml = `${DECLARATION}<rss version="0.91"><channel><title>${escapeXml(document.title)}</title><link>${escapeXml(document.siteUrl)}</link><description>${escapeXml(document.title)}</description><language>${habits.language}</language>\n`
  for (const item of document.items) {
    xml += `<item><title>${escapeXml(item.title)}</title><link>${escapeXml(item.link)}</link><description>${markup(item.html, habits)}</description></item>\n`
  }
  return `${xml}</channel></rss>\n`
}
