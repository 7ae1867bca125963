import { Parser } from 'htmlparser2'
import { parseUrl } from '../runtime/parse-url.ts'

export interface DiscoveredFeed {
  readonly url: string
  readonly title: string | null
  /** As the page names it, lower case; null where it names none. */
  readonly type: string | null
  /** Named by a link element, so that the site means it as its feed; else an anchor that looks like one. */
  readonly isDeclared: boolean
}

interface Candidate extends DiscoveredFeed {
  /** Smaller is likelier to be what the visitor wants. */
  readonly rank: number
}

type Attributes = Readonly<Record<string, string>>

const LONGEST_PAGE = 2_000_000
const DEEPEST_ELEMENT = 500
const MOST_CANDIDATES = 200

/** What a page says about itself. */
export interface PageLinks {
  /** Likeliest first. */
  readonly feeds: readonly DiscoveredFeed[]
  /** The address that it goes by (RFC 6596), where that is another; null: it names none. */
  readonly canonicalUrl: string | null
  /** Pictures that stand for the site, the likeliest to be small and sharp first. */
  readonly icons: readonly string[]
}

/**
 * Feeds in this order: link elements of a feed's type, in the page's order, feeds of comments after all others; then
 * anchors that look like a feed, which are tried where the declared ones lead nowhere.
 */
export function readPageLinks(html: string, pageUrl: string): PageLinks {
  const links: Attributes[] = []
  const anchors: (Attributes & { text: string })[] = []
  const base = collect(html.slice(0, LONGEST_PAGE), pageUrl, links, anchors)
  const declared = ordered(links.flatMap((link) => fromLink(link, base)))
  const urls = new Set(declared.map(({ url }) => url))
  const others = ordered(anchors.flatMap((anchor) => fromAnchor(anchor, base)))
  const feeds = [...declared, ...others.filter(({ url }) => !urls.has(url))]
  return { feeds, canonicalUrl: canonicalOf(links, base, pageUrl), icons: iconsOf(links, base) }
}

function canonicalOf(links: readonly Attributes[], base: string, pageUrl: string): string | null {
  const link = links.find(({ rel }) => relsOf(rel).includes('canonical'))
  const url = resolve(link?.['href'], base)
  return url === pageUrl ? null : url
}

/** Lists show some 32 pixels, sharp screens twice as many. */
const BEST_ICON_PX = 64
const UNKNOWN_PX = 32
const TOUCH_PX = 180

function iconsOf(links: readonly Attributes[], base: string): readonly string[] {
  const found = links.flatMap((link) => {
    const rels = relsOf(link['rel'])
    const isTouch = rels.some((rel) => rel.startsWith('apple-touch-icon'))
    const url = isTouch || rels.includes('icon') ? resolve(link['href'], base) : null
    const isDrawing = link['type']?.includes('svg') === true || /\.svgz?$/i.test(url ?? '')
    if (url === null || isDrawing) return []
    const px = Number(/\d+/.exec(link['sizes'] ?? '')?.[0] ?? (isTouch ? TOUCH_PX : UNKNOWN_PX))
    // One that is too large is better than one that is too small.
    return [{ url, rank: px >= BEST_ICON_PX ? px - BEST_ICON_PX : 1_000 * (BEST_ICON_PX - px) }]
  })
  return [...new Set(found.sort((a, b) => a.rank - b.rank).map(({ url }) => url))]
}

function relsOf(rel: string | undefined): readonly string[] {
  return (rel ?? '').toLowerCase().split(/\s+/)
}

/** Fills the two lists; the base that addresses of the page are relative to. */
function collect(
  html: string,
  pageUrl: string,
  links: Attributes[],
  anchors: (Attributes & { text: string })[],
): string {
  let base: string | null = null
  let depth = 0
  let anchor: (Attributes & { text: string }) | null = null
  const endAnchor = () => {
    if (anchor !== null && anchors.length < MOST_CANDIDATES && looksLikeFeed(anchor)) anchors.push(anchor)
    anchor = null
  }
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1
        if (depth > DEEPEST_ELEMENT) throw new TooDeep()
        if (name === 'link' && links.length < MOST_CANDIDATES) links.push(attributes)
        else if (name === 'base' && base === null) base = resolve(attributes['href'], pageUrl)
        else if (name === 'a') {
          endAnchor()
          if (mayBeFeed(attributes)) anchor = { ...attributes, text: '' }
        } else if (name === 'img' && anchor !== null) anchor.text += ` ${attributes['alt'] ?? ''}`
      },
      ontext(text) {
        if (anchor !== null && anchor.text.length < 200) anchor.text += text
      },
      onclosetag(name) {
        depth -= 1
        if (name === 'a') endAnchor()
      },
      onend: endAnchor,
    },
    { lowerCaseTags: true, lowerCaseAttributeNames: true },
  )
  try {
    parser.end(html)
  } catch (error) {
    // What the page named before it went astray is enough.
    if (!(error instanceof TooDeep)) throw error
  }
  return base ?? pageUrl
}

class TooDeep extends Error {}

function resolve(href: string | undefined, base: string): string | null {
  const text = href?.trim().replace(/^feed:(?:\/\/)?(?=https?:)/i, '')
  const url = text ? parseUrl(text, base) : null
  if (!text || url === null) return null
  if (url.protocol === 'feed:') return resolve(`https:${text.slice(5)}`, base)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null
  url.hash = ''
  return url.href
}

// As it should be, and as it is written: application/rss-xml, text/x-rss, application/xml+rss.
const FEED_TYPE = /^(?:application|text)\/(?:(?:x[-.])?(?:rss|atom|rdf|feed)(?:[+-](?:xml|json))?|xml\+(?:rss|atom))$/
const MAYBE_FEED_TYPE = /^(?:application|text)\/(?:xml|json|x-xml)$/

function fromLink(link: Attributes, base: string): Candidate[] {
  const rel = relsOf(link['rel'])
  // Atom's first form of autodiscovery, which old templates have.
  const isFeed = rel.includes('feed') || rel.includes('service.feed')
  if (!isFeed && !rel.includes('alternate')) return []
  const type = link['type']?.split(';', 1)[0]?.trim().toLowerCase() || null
  const url = resolve(link['href'], base)
  if (url === null || !(isFeed || isFeedType(type, url) || isUntypedFeed(link, url))) return []
  const title = link['title']?.replace(/\s+/g, ' ').trim() || null
  return [{ url, title, type, isDeclared: true, rank: rank(url, title, type) }]
}

/** An alternate without a type is the page in another language or for another screen, unless its address says otherwise. */
function isUntypedFeed(link: Attributes, url: string): boolean {
  const isOtherPage = link['type'] || link['hreflang'] || link['media']
  return !isOtherPage && FEED_ADDRESS.test(pathOf(url))
}

/** application/json and xml are feeds only if the address says so: WordPress offers its whole API as `alternate`. */
function isFeedType(type: string | null, url: string): boolean {
  if (type === null) return false
  return (
    FEED_TYPE.test(type) ||
    (MAYBE_FEED_TYPE.test(type) && FEED_ADDRESS.test(pathOf(url)) && !/wp-json|oembed/.test(url))
  )
}

// No letter may stand before, none after: /feed/, rss.xml, index.rdf, but not /feedback or /progress.
const FEED_ADDRESS =
  /(?:^|[^a-z])(?:feeds?|rss2?|atom|rdf)(?:[^a-z]|$)|(?:index|feed)\.xml$|[?&](?:feed|format)=(?:rss|atom)/i

function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}

const DOCUMENT = /\.(?:xml|rss|rdf|atom|json)(?:[?#]|$)/i
const SAYS_FEED = /\b(?:rss|atom|feeds?|subscribe|abonnieren|syndication)\b/i

/** Cheap: only the attributes are examined, unresolved. */
function mayBeFeed(attributes: Attributes): boolean {
  const href = attributes['href']
  if (href === undefined || href.length > 2_000) return false
  return hasFeedAddress(attributes) || DOCUMENT.test(href)
}

function hasFeedAddress(attributes: Attributes): boolean {
  const href = attributes['href'] ?? ''
  const path = href.replace(/^[a-z]+:\/\/[^/?#]*/i, '')
  return href.startsWith('feed:') || FEED_TYPE.test(attributes['type']?.toLowerCase() ?? '') || FEED_ADDRESS.test(path)
}

/** By its address; or it is a document, and its words say that it is a feed: `<a href="posts.xml">RSS</a>`. */
function looksLikeFeed(anchor: Attributes & { text: string }): boolean {
  return (
    hasFeedAddress(anchor) || [anchor.text, anchor['title'], anchor['class']].some((text) => SAYS_FEED.test(text ?? ''))
  )
}

function fromAnchor(anchor: Attributes & { text: string }, base: string): Candidate[] {
  const url = resolve(anchor['href'], base)
  if (url === null) return []
  const title = (anchor['title'] ?? anchor.text).replace(/\s+/g, ' ').trim() || null
  const type = anchor['type']?.trim().toLowerCase() || null
  // Another site's feed is rarely this page's.
  const away = new URL(url).hostname === new URL(base).hostname ? 0 : 1
  return [{ url, title, type, isDeclared: false, rank: rank(url, title, type) + away }]
}

const COMMENTS = /comment|kommentar|commentaire|comentario|commenti|reacties|обсужд|коммент/i

function rank(url: string, title: string | null, type: string | null): number {
  const comments = COMMENTS.test(pathOf(url)) || COMMENTS.test(title ?? '') ? 10 : 0
  // Read as well as any, but rarely as complete as the site's main feed.
  const vague = type !== null && MAYBE_FEED_TYPE.test(type) ? 2 : 0
  return comments + vague
}

/** By rank, else in the page's order; each address once. */
function ordered(candidates: readonly Candidate[]): DiscoveredFeed[] {
  const seen = new Set<string>()
  return [...candidates]
    .sort((a, b) => a.rank - b.rank)
    .filter(({ url }) => !seen.has(url) && seen.add(url))
    .map(({ url, title, type, isDeclared }) => ({ url, title, type, isDeclared }))
}
