import type { FeedFormat, ParsedItem } from '../../model/index.ts'
import { atomFields, atomFormat, entryFields } from './atom.ts'
import { cdfFields, readAttributes } from './cdf.ts'
import { DateReader } from './date-reader.ts'
import type { FeedDraft } from './draft.ts'
import { type ElementHandlers, Extractor, type RootReader } from './extractor.ts'
import type { ParseLimits } from './limits.ts'
import { extensionField } from './modules.ts'
import type { ProblemList } from './problems.ts'
import { isRss11, openChannel, rdfFormat, rssChannelFields, rssFields, rssFormat } from './rss.ts'
import { XmlScanner } from './xml/scanner.ts'

export interface FeedContents {
  readonly format: FeedFormat
  readonly feed: FeedDraft
  /** Without what they have from their feed. */
  readonly items: readonly ParsedItem[]
}

// How deep a feed may be wrapped in something else, such as a SOAP envelope.
const DEEPEST_ROOT = 3

/** Reads a feed in any of the XML formats. */
export function readXmlFeed(
  text: string,
  url: string | null,
  problems: ProblemList,
  limits: ParseLimits,
): FeedContents {
  const dates = new DateReader(problems)
  // Let go of before it is read again: both together would take twice the memory.
  let feed: FeedContents | null = readOnce(text, url, problems, limits, dates)
  const order = dates.judgeOrder()
  if (order === null) return feed
  feed = null
  return readOnce(text, url, problems, limits, new DateReader(problems, order))
}

function readOnce(
  text: string,
  url: string | null,
  problems: ProblemList,
  limits: ParseLimits,
  dates: DateReader,
): FeedContents {
  let format: FeedFormat = 'unknown'
  const readRoot: RootReader = (x, name) => {
    switch (name.local.toLowerCase()) {
      case 'rss':
        return start(rssFields, rssFormat(x))
      case 'rdf':
        return start(rssFields, rdfFormat(x))
      case 'feed':
        x.feed.language.offer(x.language, 1)
        x.keepsDiv = atomFormat(x) === 'atom-0.3'
        return start(atomFields, atomFormat(x))
      case 'entry':
        if (name.namespace !== 'atom') return null
        x.startItem()
        return start(entryFields, atomFormat(x))
      case 'channel':
        if (isRss11(x)) {
          openChannel(x)
          return start(rssChannelFields, 'rss-1.1')
        }
        readAttributes(x)
        return start(cdfFields, 'cdf')
      case 'html':
        return null
      default:
        return x.scannedDepth < DEEPEST_ROOT ? 'look-inside' : null
    }
  }
  const start = (fields: ElementHandlers, found: FeedFormat): ElementHandlers => {
    format = found
    return fields
  }
  const x = new Extractor({ url, problems, dates, limits, readRoot, fallback: extensionField })
  new XmlScanner(text, x, problems, limits).run()
  x.endDocument()
  if (!x.isFeed) problems.add('not-a-feed')
  return { format: x.isFeed ? format : 'unknown', feed: x.feed, items: x.items }
}
