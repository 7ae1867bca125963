import type { SiteRule } from '../../article.ts'
import type { DomDocument, DomElement } from '../page/dom.ts'
import { lineOf } from '../page/dom.ts'
import { isXPath, selectIn } from './select.ts'
import { isForHost } from './site-rule.ts'

/** The first rule that is for this page. */
export function ruleFor(rules: readonly SiteRule[], url: string, document: DomDocument): SiteRule | null {
  // What a page says of itself is in its head, which is soon searched.
  const scopeOf = (where: string) => (/^meta\[[^,]+$/.test(where) ? document.head : document)
  const isThere = (where: string) =>
    isXPath(where) ? selectIn(document, where).length > 0 : scopeOf(where).querySelector(where) !== null
  const isMet = ({ where }: SiteRule) => where === null || isThere(where)
  return rules.find((rule) => isForHost(rule, url) && isMet(rule)) ?? null
}

export function removeBy(rule: SiteRule, document: DomDocument): number {
  const found = rule.remove.flatMap((selector) => [...selectIn(document, selector)])
  for (const element of found) if (element !== document.documentElement && element !== document.body) element.remove()
  return found.length
}

/** What the rule calls the article, in an element of its own; null: nothing on this page. */
export function contentBy(rule: SiteRule, document: DomDocument): DomElement | null {
  const found = firstMatches(rule.content, document)
  const outermost = found.filter((element) => !found.some((other) => other !== element && other.contains(element)))
  if (outermost.length === 0) return null
  const content = document.createElement('div')
  for (const element of outermost) content.appendChild(element === document.body ? copyOfBody(document) : element)
  return content
}

function copyOfBody(document: DomDocument): DomElement {
  const copy = document.createElement('div')
  copy.innerHTML = document.body.innerHTML
  return copy
}

/** A text that the rule points at: what the element says in an attribute for machines, else what it shows. */
export function textBy(selectors: readonly string[], document: DomDocument): string | null {
  const [element] = firstMatches(selectors, document)
  if (element === undefined) return null
  const text = element.getAttribute('content') ?? element.getAttribute('datetime') ?? lineOf(element)
  return text.trim() === '' ? null : text.trim()
}

export function firstMatches(selectors: readonly string[], document: DomDocument): readonly DomElement[] {
  for (const selector of selectors) {
    const found = selectIn(document, selector)
    if (found.length > 0) return found
  }
  return []
}
