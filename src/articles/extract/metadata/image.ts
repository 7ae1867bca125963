import type { LeadImage } from '../../article.ts'
import { absoluteAddress, srcsetCandidates } from '../page/addresses.ts'
import type { DomElement } from '../page/dom.ts'
import { type JsonLdNode, ldText, nodesOf } from './json-ld.ts'
import { articleProperty, type DocumentFacts } from './page-facts.ts'

/** Smaller ones count visits, or decorate. */
const SMALLEST_SIDE = 50
const NO_LEAD =
  /(?:^|[/_.-])(?:pixel|spacer|blank|1x1|transparent|loading|placeholder|avatar|gravatar|favicon|sprite|emoji)(?:[/_.-]|$)/i

/**
 * Who is believed, in this order: og:image, JSON-LD, twitter:image, link rel=image_src, the first image of the text that is large
 * enough. Sizes that one of them knows are taken from it for the same address.
 */
export function leadImageOf(facts: DocumentFacts, content: DomElement | null): LeadImage | null {
  const inText = content === null ? [] : contentImages(content, facts.base)
  const declared = [...openGraphImages(facts), ...jsonLdImages(facts), ...namedImages(facts)]
  const all = [...declared, ...inText]
  const chosen = all.find(({ url, width, height }) => !isSmall(width) && !isSmall(height) && !NO_LEAD.test(pathOf(url)))
  if (chosen === undefined || chosen.width !== null) return chosen ?? null
  return all.find(({ url, width }) => url === chosen.url && width !== null) ?? chosen
}

function isSmall(side: number | null): boolean {
  return side !== null && side < SMALLEST_SIDE
}

function pathOf(url: string): string {
  return new URL(url).pathname
}

function image(address: string | null | undefined, base: string, width: unknown, height: unknown): LeadImage[] {
  const url = absoluteAddress(address, base)
  return url === null ? [] : [{ url, width: pixels(width), height: pixels(height) }]
}

/** `1200`, `"1200"`, `1200px`; null for anything else, such as a share of the page. */
function pixels(value: unknown): number | null {
  const digits = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  const number = /^(\d{1,5})(?:\.\d+)?(?:px)?$/i.exec(digits)?.[1]
  return number === undefined ? null : Number(number)
}

/** Sizes follow the image that they belong to; of several images only the first is read. */
function openGraphImages({ metas, base }: DocumentFacts): LeadImage[] {
  const address = ['og:image:secure_url', 'og:image', 'og:image:url'].map((name) => metas.get(name)?.[0]).find(Boolean)
  return image(address, base, metas.get('og:image:width')?.[0], metas.get('og:image:height')?.[0])
}

function jsonLdImages(facts: DocumentFacts): LeadImage[] {
  const values = nodesOf(articleProperty(facts, 'image') ?? articleProperty(facts, 'thumbnailUrl'), facts.jsonLd)
  return values.flatMap((value) => {
    if (typeof value === 'string') return image(value, facts.base, null, null)
    return image(
      ldText(value['url']) ?? ldText(value['contentUrl']),
      facts.base,
      side(value, 'width'),
      side(value, 'height'),
    )
  })
}

function side(node: JsonLdNode, name: string): unknown {
  const value = node[name]
  return typeof value === 'object' && value !== null && 'value' in value ? value.value : value
}

function namedImages({ metas, base, document }: DocumentFacts): LeadImage[] {
  const twitter =
    metas.get('twitter:image')?.[0] ?? metas.get('twitter:image:src')?.[0] ?? metas.get('sailthru.image.full')?.[0]
  const link = document.querySelector('link[rel~="image_src"]')?.getAttribute('href')
  const marked = document.querySelector('img[itemprop~="image"]')?.getAttribute('src')
  return [twitter, link, marked].flatMap((address) => image(address, base, null, null))
}

function contentImages(content: DomElement, base: string): LeadImage[] {
  return content.querySelectorAll('img').flatMap((element) => {
    const largest = largestOf(element.getAttribute('srcset') ?? '')
    const address = largest ?? element.getAttribute('src')
    const width = largest === null ? element.getAttribute('width') : null
    const height = largest === null ? element.getAttribute('height') : null
    // A size in the markup that is too small says so for all files of it.
    if (isSmall(pixels(element.getAttribute('width'))) || isSmall(pixels(element.getAttribute('height')))) return []
    return image(address, base, width, height)
  })
}

function largestOf(srcset: string): string | null {
  const byWidth = srcsetCandidates(srcset)
    .map(({ address, descriptor }) => ({ address, width: Number(/^(\d+)w$/.exec(descriptor)?.[1] ?? 0) }))
    .sort((a, b) => b.width - a.width)
  return byWidth[0]?.address ?? null
}
