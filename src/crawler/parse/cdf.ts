import { OWN } from './draft.ts'
import { type Extractor, type Field, type Fields, fields } from './extractor.ts'
import { rssChannelFields } from './rss.ts'

type Table = Readonly<Record<string, Field>>

/** Channel Definition Format (W3C note, 1997): addresses and dates are attributes. */
const shared: Table = {
  title: { text: 'html', close: (x, v) => x.target.title.offer(v, OWN) },
  abstract: { text: 'html', close: (x, v) => x.target.summary.offer(v, OWN) },
  a: { open: (x) => offerHref(x), children: 'same' },
  logo: {
    open: (x) => {
      const href = x.attribute('href')
      if (href !== null) x.target.image.offer(x.resolve(href), OWN)
    },
  },
}

const item: Field = {
  open: (x) => {
    x.startItem()
    readAttributes(x)
  },
  close: (x) => x.endItem(),
  children: fields(shared),
}

/** A channel without `rss` around it is CDF, or RSS that lost its root: both are understood. */
export const cdfFields: Fields = fields(Object.fromEntries(rssChannelFields), shared, { item, ...nestedChannel() })

export function readAttributes(x: Extractor): void {
  offerHref(x)
  x.target.updated.replace(x.date(x.scanner.attribute('lastmod')), OWN)
}

function offerHref(x: Extractor): void {
  const href = x.attribute('href')
  if (href !== null) x.target.link.offer(x.resolve(href), OWN)
}

/** Channels may hold channels; their items are all ours. */
function nestedChannel(): Table {
  return { channel: { children: fields({ item }) } }
}
