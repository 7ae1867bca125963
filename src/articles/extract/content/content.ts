import type { SiteRule } from '../../article.ts'
import { ldText } from '../metadata/json-ld.ts'
import { articleProperty, type DocumentFacts } from '../metadata/page-facts.ts'
import type { DomDocument, DomElement } from '../page/dom.ts'
import type { ReadPage } from '../page/read-page.ts'
import { textOfContent } from '../page/text.ts'
import { contentBy } from '../rules/apply.ts'
import { cleanContent, type KnownFacts } from './clean.ts'
import { prepareDocument } from './prepare.ts'
import { readableContent } from './readable.ts'

export interface FoundContent {
  readonly content: DomElement
  readonly by: string
}

/** Where the article is: by the rule, else by readability; JSON-LD's text where the page shows next to nothing of it. */
export function articleContent(
  page: ReadPage,
  facts: DocumentFacts,
  rule: SiteRule | null,
  known: KnownFacts,
): FoundContent | null {
  const byRule = rule === null ? null : contentBy(rule, page.document)
  if (rule !== null && byRule !== null) return { content: byRule, by: `rule:${rule.name}` }
  const content = generalContent(page, known)
  return fromJsonLd(facts, page.document, content) ?? (content === null ? null : { content, by: 'readability' })
}

/** Then what was removed was the article, for all that its class names say. */
const TOO_LITTLE = 200

function generalContent(page: ReadPage, known: KnownFacts): DomElement | null {
  prepareDocument(page.document)
  const content = readableContent(page.document)
  if (content !== null) cleanContent(content, known)
  const length = lengthOf(content)
  if (length >= TOO_LITTLE) return content
  const plain = readableContent(page.rebuild())
  return lengthOf(plain) > length ? plain : content
}

function lengthOf(content: DomElement | null): number {
  return content === null ? 0 : textOfContent(content).length
}

/** What is shown is a teaser if JSON-LD has so much more. */
const MORE_TIMES = 3

/** Pages that scripts fill often carry their text there. */
function fromJsonLd(facts: DocumentFacts, document: DomDocument, shown: DomElement | null): FoundContent | null {
  const body = ldText(articleProperty(facts, 'articleBody'))
  if (body === null || body.length < 200) return null
  if (body.length < MORE_TIMES * lengthOf(shown)) return null
  const content = document.createElement('div')
  for (const line of body.replace(/<[a-z/][^<>]{0,300}>/gi, '\n').split(/\n+/)) {
    if (line.trim() === '') continue
    const paragraph = document.createElement('p')
    paragraph.textContent = line.trim()
    content.appendChild(paragraph)
  }
  return { content, by: 'json-ld' }
}
