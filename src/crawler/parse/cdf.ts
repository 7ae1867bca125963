import { OF_THE_FORMAT } from './draft.ts'
import { type ElementHandler, type ElementHandlers, type Extractor, mergeHandlers } from './extractor.ts'
import { rssChannelFields } from './rss.ts'

type Table = Readonly<Record<string, ElementHandler>>

/** Channel Definition Format (W3C note, 1997): addresses and dates are attributes. */
const shared: Table = {
  title: { text: 'html', close: (x, v) => x.target.title.offer(v, OF_THE_FORMAT) },
  abstract: { text: 'html', close: (x, v) => x.target.summary.offer(v, OF_THE_FORMAT) },
  a: { open: (x) => offerHref(x), children: 'same' },
  logo: {
    open: (x) => {
      const href = x.attribute('href')
      if (href !== null) x.target.image.offer(x.resolve(href), OF_THE_FORMAT)
    },
  },
}

const item: ElementHandler = {
  open: (x) => {
    x.startItem()
    readAttributes(x)
  },
  close: (x) => x.endItem(),
  children: mergeHandlers(shared),
}

/** A channel without `rss` around it is CDF, or RSS that lost its root: both are understood. */
export const cdfFields: ElementHandlers = mergeHandlers(Object.fromEntries(rssChannelFields), shared, {
  item,
  ...nestedChannel(),
})

export function readAttributes(x: Extractor): void {
  offerHref(x)
  x.target.updated.replace(x.date(x.scanner.attribute('lastmod')), OF_THE_FORMAT)
}

function offerHref(x: Extractor): void {
  const href = x.attribute('href')
  if (href !== null) x.target.link.offer(x.resolve(href), OF_THE_FORMAT)
}

/** Channels may hold channels; their items are all ours. */
function nestedChannel(): Table {
  return { channel: { children: mergeHandlers({ item }) } }
}
