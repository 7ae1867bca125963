import type { DomDocument, DomElement } from '../page/dom.ts'
import type { ReadPage } from '../page/read-page.ts'
import { textOfContent } from '../page/text.ts'
import { type JsonLdNode, mainArticle, readJsonLd } from './json-ld.ts'

/** What the head of a page declares, read once. */
export interface DocumentFacts {
  readonly document: DomDocument
  readonly url: string
  readonly base: string
  /** By name, property, itemprop or http-equiv in lower case; in the page's order. */
  readonly metas: ReadonlyMap<string, readonly string[]>
  readonly jsonLd: readonly JsonLdNode[]
  /** The one that the page is about. */
  readonly article: JsonLdNode | null
  /** As in the title element. */
  readonly windowTitle: string
  /** All that the page shows, one paragraph a line. */
  readonly pageText: string
}

/** The first lines that a page shows, in which authors and dates stand. */
export function firstLines({ pageText }: DocumentFacts): readonly string[] {
  return pageText.split('\n', MOST_LINES)
}

const MOST_LINES = 250

export function readFacts({ document, jsonLd: scripts, url, base }: ReadPage): DocumentFacts {
  const metas = readMetas(document)
  const jsonLd = readJsonLd(scripts)
  const windowTitle = (document.querySelector('title')?.textContent ?? '').replace(/\s+/g, ' ').trim()
  const canonical = document.querySelector('link[rel~="canonical"]')?.getAttribute('href')
  const urls = [url, canonical ?? url, metas.get('og:url')?.[0] ?? url]
  const title = `${windowTitle} ${metas.get('og:title')?.[0] ?? ''}`
  const article = mainArticle(jsonLd, { urls, title })
  return { document, url, base, metas, jsonLd, article, windowTitle, pageText: textOfContent(document.body) }
}

const NAMING = ['property', 'name', 'itemprop', 'http-equiv']

function readMetas(document: DomDocument): ReadonlyMap<string, readonly string[]> {
  const metas = new Map<string, string[]>()
  for (const meta of document.querySelectorAll('meta')) {
    const content = (meta.getAttribute('content') ?? meta.getAttribute('value') ?? '').trim()
    if (content === '') continue
    for (const name of new Set(namesOf(meta))) {
      const contents = metas.get(name)
      if (contents === undefined) metas.set(name, [content])
      else contents.push(content)
    }
  }
  return metas
}

function namesOf(meta: DomElement): string[] {
  return NAMING.flatMap((attribute) => {
    const name = meta.getAttribute(attribute)
    return name === null ? [] : [name.trim().toLowerCase()]
  })
}

/** The first of these names that has a value. */
export function metaOf(facts: DocumentFacts, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = facts.metas.get(name)?.[0]
    if (value !== undefined) return value
  }
  return null
}

/** A property of the page's article, else null. */
export function articleProperty(facts: DocumentFacts, name: string): unknown {
  return facts.article?.[name]
}
