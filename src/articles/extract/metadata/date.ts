import { DAY_MS, type InstantMs } from '../../../model/time.ts'
import { parseUrl } from '../../../runtime/parse-url.ts'
import { parseFeedDate } from '../../../text/dates/dates.ts'
import { type DomElement, lineOf } from '../page/dom.ts'
import { ldText } from './json-ld.ts'
import { articleProperty, type DocumentFacts, firstLines } from './page-facts.ts'

const META_NAMES = [
  'article:published_time',
  'og:article:published_time',
  'og:published_time',
  'article:published',
  'article.published',
  'datepublished',
  'parsely-pub-date',
  'sailthru.date',
  'cxenseparse:recs:publishtime',
  'published_at',
  'pubdate',
  'publishdate',
  'publish-date',
  'publish_date',
  'publication_date',
  'published-date',
  'originalpublicationdate',
  'article_date_original',
  'citation_publication_date',
  'citation_date',
  'dc.date.issued',
  'dcterms.issued',
  'dcterms.created',
  'dc.date.created',
  'dc.date',
  'dcterms.date',
  'ptime',
  'date',
  'datecreated',
  'article:create_time',
  'bt:pubdate',
]

/**
 * Who is believed, in this order: JSON-LD (datePublished, dateCreated, uploadDate), meta elements, microdata and microformats, the
 * first time element outside of comments, text that is called a date by its class, a day in the address.
 */
export function publicationTime(facts: DocumentFacts): InstantMs | null {
  return (
    jsonLdDate(facts) ??
    metaDate(facts) ??
    markedDate(
      facts,
      '[itemprop~="datePublished"], .dt-published, .published[datetime], .published[title], time[pubdate]',
    ) ??
    markedDate(facts, 'time[datetime], time') ??
    markedDate(facts, DATE_CLASSES) ??
    dateInLines(firstLines(facts)) ??
    dateInAddress(facts.url)
  )
}

const DATE_CLASSES =
  '.published, .pubdate, .pub-date, .publish-date, .post-date, .entry-date, .article-date, .dateline, .byline-date, .timestamp, .date, .datetime, [class*="publish"], [class*="pubdate"], [class*="-date"], [class*="date-"], [class*="_date"], [class*="Date"], [id*="date"]'

/** Not before the web, and not years ahead of it. */
const EARLIEST = Date.UTC(1990, 0, 1)
const LATEST = Date.UTC(2100, 0, 1)

function plausible(instant: InstantMs | null): InstantMs | null {
  return instant !== null && instant >= EARLIEST && instant < LATEST ? instant : null
}

export function readPageDate(text: string | null): InstantMs | null {
  if (text === null || text.length > 100) return null
  // Seconds or milliseconds since 1970.
  if (/^\d{10}$/.test(text)) return plausible(Number(text) * 1_000)
  if (/^\d{13}$/.test(text)) return plausible(Number(text))
  return plausible(parseFeedDate(text))
}

function jsonLdDate(facts: DocumentFacts): InstantMs | null {
  for (const name of ['datePublished', 'dateCreated', 'uploadDate']) {
    const date = readPageDate(ldText(articleProperty(facts, name)))
    if (date !== null) return date
  }
  // Some declare the page instead of the article.
  const page = facts.jsonLd.find((node) => ldText(node['datePublished']) !== null && node['@type'] === 'WebPage')
  return page === undefined ? null : readPageDate(ldText(page['datePublished']))
}

function metaDate({ metas }: DocumentFacts): InstantMs | null {
  for (const name of META_NAMES) {
    for (const content of metas.get(name) ?? []) {
      const date = readPageDate(content)
      if (date !== null) return date
    }
  }
  return null
}

const ELSEWHERE =
  '[class*="comment"], [id*="comment"], aside, footer, nav, [class*="related"], [class*="sidebar"], [class*="recent"], [class*="popular"]'

/** Those before the headings of other articles: the first that can be read. */
function markedDate({ document }: DocumentFacts, selectors: string): InstantMs | null {
  for (const element of document.querySelectorAll(selectors).slice(0, 25)) {
    if (element.closest(ELSEWHERE) !== null) continue
    const date = dateOfElement(element)
    if (date !== null) return date
  }
  return null
}

function dateOfElement(element: DomElement): InstantMs | null {
  for (const name of ['datetime', 'content', 'title', 'data-datetime', 'data-timestamp', 'data-time']) {
    const date = readPageDate(element.getAttribute(name))
    if (date !== null) return date
  }
  const text = lineOf(element)
  return text.length > 120 ? null : (readPageDate(text) ?? dateWithin(text))
}

/** `19. November 2019`, `Nov. 19, 2019`, `2019-11-19`, `19/11/2019`, `2019年11月19日` within a text. */
const WRITTEN =
  /\d{4}\s?[年./-]\s?\d{1,2}\s?[月./-]\s?\d{1,2}(?!\d)|\d{1,2}[./-]\d{1,2}[./-]\d{4}|\d{1,2}(?:st|nd|rd|th)?\.?(?:\s(?:de|of))?\s\p{L}{3,12}\.?,?(?:\s(?:de|del))?\s\d{4}|\p{L}{3,12}\.?\s\d{1,2}(?:st|nd|rd|th)?,?\s\d{4}/gu

export function dateWithin(text: string): InstantMs | null {
  for (const [written] of text.slice(0, 2_000).matchAll(WRITTEN)) {
    const date = readPageDate(written.replace(/(\d)(?:st|nd|rd|th)\b/, '$1').replace(/\s(?:de|del|of)(?=\s)/g, ''))
    if (date !== null) return date
  }
  return null
}

const ANNOUNCED =
  /^\W{0,3}(?:first |originally )?(?:published|posted|updated|last updated|date|created|veröffentlicht|stand|publié|publicado|pubblicato|gepubliceerd|опубликовано|дата)(?!\p{L})|^\W{0,3}(?:発行|公開|投稿|发布|发表)/iu
const LONGEST_LINE = 160
const LONGEST_DATE = 40

/** A line that announces a date, else the first that is little more than one. */
function dateInLines(lines: readonly string[]): InstantMs | null {
  const short = lines.filter((line) => line.length < LONGEST_LINE && /\d/.test(line))
  const announced = short.filter((line) => ANNOUNCED.test(line) && !/\bupdated/i.test(line))
  const updated = short.filter((line) => ANNOUNCED.test(line))
  const alone = short.filter((line) => line.length < LONGEST_DATE || /^[^.]{0,30}\d{4}[^.]{0,40}$/.test(line))
  for (const line of [...announced, ...updated, ...alone]) {
    const date = dateWithin(line)
    if (date !== null) return date
  }
  return null
}

const IN_ADDRESS = /\/((?:19|20)\d\d)[/-]?(0[1-9]|1[0-2])[/-]?(0[1-9]|[12]\d|3[01])(?=[/-]|\D*$)/

function dateInAddress(url: string): InstantMs | null {
  const [, year, month, day] = IN_ADDRESS.exec(parseUrl(url)?.pathname ?? '') ?? []
  if (year === undefined) return null
  const instant = Date.UTC(Number(year), Number(month) - 1, Number(day))
  return Number.isNaN(instant) ? null : plausible(Math.floor(instant / DAY_MS) * DAY_MS)
}
