import { lineOf, singleLine } from '../page/dom.ts'
import { ldText } from './json-ld.ts'
import { articleProperty, type DocumentFacts, metaOf } from './page-facts.ts'

const LONGEST_TITLE = 500

/**
 * Who is believed, in this order: JSON-LD (headline, name), og:title, the microdata headline, the heading that the window's title
 * repeats, twitter:title, the window's title without the name of the site, the only h1.
 */
export function titleOf(facts: DocumentFacts): string | null {
  const site = siteNameOf(facts)
  const candidates = [
    ldText(articleProperty(facts, 'headline')) ?? ldText(articleProperty(facts, 'name')),
    metaOf(facts, 'og:title'),
    lineOf(
      facts.document.querySelector('h1[itemprop~="headline"], h1 [itemprop~="headline"], h1.p-name, h1.entry-title'),
    ),
    headingInWindowTitle(facts),
    metaOf(facts, 'twitter:title', 'dc.title', 'dcterms.title', 'sailthru.title', 'parsely-title'),
    facts.windowTitle,
    lineOf(facts.document.querySelector('h1')),
  ].map((text) => withoutSite(singleLine(plain(text ?? '')), site))
  const chosen = candidates.find((text) => text !== '' && text !== site)
  if (chosen === undefined) return null
  return withoutRest(whole(chosen, candidates), facts).slice(0, LONGEST_TITLE)
}

/** A heading that is most of the title is the title: the rest is the name of the site or of a section. */
function withoutRest(title: string, { document }: DocumentFacts): string {
  const folded = fold(title)
  const isMost = (heading: string) => folded.includes(fold(heading)) && heading.length > 0.5 * title.length
  return document.querySelectorAll('h1').slice(0, 10).map(lineOf).find(isMost) ?? title
}

/** JSON-LD escapes what is no markup there. */
export function plain(text: string): string {
  if (!text.includes('&') && !text.includes('<')) return text
  return text
    .replace(/<\/?[a-z][^<>]{0,200}>/gi, '')
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|quot|apos|lt|gt|nbsp));/gi, (all, decimal, hex, name) =>
      name === undefined
        ? characterOf(Number.parseInt(decimal ?? hex, decimal === undefined ? 16 : 10), all)
        : (NAMED[name.toLowerCase()] ?? all),
    )
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>', nbsp: ' ' }

function characterOf(code: number, otherwise: string): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : otherwise
}

/** Search engines want at most 110 characters, so that some cut what they declare. */
function whole(title: string, candidates: readonly string[]): string {
  const start = /^(.{20,}?)\s?(?:…|\.\.\.)$/.exec(title)?.[1]
  if (start === undefined) return title
  return candidates.find((text) => text.length > title.length && text.startsWith(start)) ?? title
}

function siteNameOf(facts: DocumentFacts): string | null {
  return metaOf(facts, 'og:site_name', 'application-name', 'al:ios:app_name')
}

const SEPARATOR = '\\s*(?:[|·•»«—–]|\\s-|::|:)\\s*'

function withoutSite(title: string, site: string | null): string {
  if (site === null || site.length > 60) return title
  const name = site.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const shorter = title
    .replace(new RegExp(`${SEPARATOR}${name}$`, 'i'), '')
    .replace(new RegExp(`^${name}${SEPARATOR}`, 'i'), '')
  return shorter === '' ? title : shorter
}

/** The first h1 or h2 that stands in the window's title, with which most pages begin. */
function headingInWindowTitle({ document, windowTitle }: DocumentFacts): string | null {
  const folded = fold(windowTitle)
  const headings = [...document.querySelectorAll('h1'), ...document.querySelectorAll('h2')].slice(0, 30).map(lineOf)
  const matching = headings.find((text) => text.length > 5 && folded.includes(fold(text)))
  return matching ?? withoutLastPart(windowTitle)
}

/** `A long headline | Site` without the site; left as it is where the first part is no headline. */
function withoutLastPart(title: string): string | null {
  const first = /^(.+?)\s+[|–—»·-]\s+[^|–—»·]+$/.exec(title)?.[1]
  return first !== undefined && first.split(/\s+/).length > 3 ? first : null
}

export function fold(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
