import { type DomElement, lineOf, singleLine } from '../page/dom.ts'
import { ldText, nodesOf } from './json-ld.ts'
import { articleProperty, type DocumentFacts, firstLines, metaOf } from './page-facts.ts'

const LONGEST_AUTHOR = 120
const MOST_AUTHORS = 6

const META_NAMES = [
  'author',
  'article:author',
  'og:article:author',
  'byl',
  'parsely-author',
  'sailthru.author',
  'dc.creator',
  'dcterms.creator',
  'citation_author',
  'article.author',
  'twitter:data1',
]

/**
 * Who is believed, in this order: JSON-LD, meta elements, microdata and microformats, links to authors, what is called a
 * byline by its class, links to pages of authors, a line that begins with `By`. Addresses and names of accounts are nobody's name.
 */
export function authorOf(facts: DocumentFacts): string | null {
  return (
    joined(jsonLdAuthors(facts)) ??
    joined(metaAuthors(facts)) ??
    joined(markedAuthors(facts, '[itemprop~="author"], [rel~="author"], .p-author, .vcard .fn')) ??
    joined(markedAuthors(facts, BYLINES)) ??
    joined(markedAuthors(facts, AUTHOR_PAGES)) ??
    joined(authorsInLines(facts))
  )
}

const BYLINES =
  '.byline, .author-name, .author, .post-author, .article-author, .entry-author, .byline-name, .c-byline, .article__author, .post__author, [class*="byline"], [class*="author-name"], [class*="authorName"], [class*="author__name"], [data-testid*="author"], .writer, .autor'

const AUTHOR_PAGES =
  'a[href*="/author/"], a[href*="/authors/"], a[href*="/contributor/"], a[href*="/contributors/"], a[href*="/autor/"], a[href*="/auteur/"]'

const BY = /^(?:by|von|par|por|door|автор|作者|文)(?:\s*[:：]\s*|\s+)\p{L}/iu
const LONGEST_BYLINE = 100

function authorsInLines(facts: DocumentFacts): string[] {
  const line = firstLines(facts).find((text) => text.length < LONGEST_BYLINE && BY.test(text) && !/[.!?]$/.test(text))
  // Names are written with capitals, where a script has them.
  return cleanAuthor(line ?? '').filter((name) => !/^\p{Ll}|\s\p{Ll}{4,}/u.test(name))
}

function joined(names: readonly string[]): string | null {
  const distinct = names.filter((name, at) => names.findIndex((one) => one.toLowerCase() === name.toLowerCase()) === at)
  return distinct.length === 0 ? null : distinct.slice(0, MOST_AUTHORS).join(', ')
}

function jsonLdAuthors(facts: DocumentFacts): string[] {
  const value = articleProperty(facts, 'author') ?? articleProperty(facts, 'creator')
  return nodesOf(value, facts.jsonLd).flatMap((author) => {
    if (typeof author === 'string') return cleanAuthor(author)
    const names = Array.isArray(author['name']) ? author['name'] : [author['name']]
    return names.flatMap((name) => cleanAuthor(ldText(name) ?? ''))
  })
}

function metaAuthors(facts: DocumentFacts): string[] {
  for (const name of META_NAMES) {
    if (name === 'twitter:data1' && !/written|author|by/i.test(metaOf(facts, 'twitter:label1') ?? '')) continue
    const authors = (facts.metas.get(name) ?? []).flatMap(cleanAuthor)
    if (authors.length > 0) return authors
  }
  return []
}

/** Those at the first place that names somebody; below it there may be comments. */
function markedAuthors({ document }: DocumentFacts, selectors: string): string[] {
  for (const element of document.querySelectorAll(selectors).slice(0, 20)) {
    if (element.localName === 'meta' || element.closest(ELSEWHERE) !== null) continue
    const authors = namesIn(element)
    if (authors.length > 0) return authors
  }
  return []
}

const ELSEWHERE = '[class*="comment"], [id*="comment"], aside, footer, nav, [class*="related"]'

function namesIn(element: DomElement): string[] {
  const named = element.querySelectorAll('[itemprop~="name"], [rel~="author"], .fn, a[href*="author"], a[href*="/by/"]')
  const names = named
    .filter((one) => one.querySelector('[itemprop~="name"], .fn') === null)
    .flatMap((one) => cleanAuthor(lineOf(one)))
  return names.length > 0 ? names : cleanAuthor(lineOf(element))
}

const PREFIX =
  /^(?:(?:written|posted|words|text|story|reported|article|review)\s+)?(?:by|von|par|por|door|av|af|autor(?:in)?|author|автор|текст|文|作者|記者|记者|著者)(?:\s*[:：/／]\s*|\s+)/i
const SUFFIX =
  /\s*(?:[|•·–—]|\s-\s|\(|\b(?:on|published|posted|updated|last updated)\b|\d{1,2}[:.]\d\d|\d{4}|,?\s*\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.?\s\d)|,\s*(?:staff|senior|special|cnn|reuters|correspondent|editor|writer|reporter|contributor)).*$/i
const NO_NAME =
  /^(?:https?:|www\.|@|\/|#|\d)|@|^(?:admin|administrator|staff|editor|webmaster|author|byline|anonymous|none|null|undefined|about|share|follow)$/i

/** None, or the name without what stands around it. */
export function cleanAuthor(text: string): string[] {
  const name = singleLine(text)
    .replace(PREFIX, '')
    // Capital, it is a name.
    .replace(/^di\s+(?=\p{Lu})/u, '')
    .replace(SUFFIX, '')
    .replace(/[\s,;:]+$/, '')
  if (name === '' || name.length > LONGEST_AUTHOR || NO_NAME.test(name) || !/\p{L}{2}|\p{Lo}/u.test(name)) return []
  // A sentence is no name.
  if (name.split(' ').length > 12) return []
  return [name]
}
