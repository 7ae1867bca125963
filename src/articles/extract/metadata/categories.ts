import { lineOf, singleLine } from '../page/dom.ts'
import { ldTexts } from './json-ld.ts'
import { articleProperty, type DocumentFacts } from './page-facts.ts'

const MOST_CATEGORIES = 20
const LONGEST_CATEGORY = 80

/**
 * Sections before keywords: JSON-LD articleSection, article:section, microdata; then article:tag, news_keywords, JSON-LD keywords, links
 * with rel=tag or rel=category. The general `keywords` of a page are written for search engines, and are left aside.
 */
export function declaredCategories(facts: DocumentFacts): readonly string[] {
  const { document, metas } = facts
  const values = [
    ...ldTexts(articleProperty(facts, 'articleSection')),
    ...metaTexts(metas, 'article:section', 'og:article:section', 'parsely-section', 'cxenseparse:category'),
    ...document
      .querySelectorAll('[itemprop~="articleSection"]')
      .map((one) => one.getAttribute('content') ?? lineOf(one)),
    ...metaTexts(metas, 'article:tag', 'og:article:tag'),
    ...metaTexts(metas, 'news_keywords', 'parsely-tags', 'sailthru.tags').flatMap((text) => text.split(/[,;]/)),
    ...ldTexts(articleProperty(facts, 'keywords')),
    ...document.querySelectorAll('a[rel~="tag"], a[rel~="category"], .p-category').map(lineOf),
  ]
  return distinct(values.map(singleLine).filter((text) => text !== '' && text.length <= LONGEST_CATEGORY)).slice(
    0,
    MOST_CATEGORIES,
  )
}

function metaTexts(metas: DocumentFacts['metas'], ...names: readonly string[]): string[] {
  return names.flatMap((name) => metas.get(name) ?? [])
}

function distinct(values: readonly string[]): string[] {
  const seen = new Set<string>()
  return values.filter((value) => !seen.has(value.toLowerCase()) && seen.add(value.toLowerCase()))
}
