import { Readability } from '@mozilla/readability'
import type { DomDocument, DomElement } from '../page/dom.ts'

/** The part of the document that readability takes for the article; null: none. The document is changed by it. */
export function readableContent(document: DomDocument): DomElement | null {
  const readability = new Readability<DomElement>(document, {
    // JSON-LD is read elsewhere.
    disableJSONLD: true,
    serializer: (element: DomElement) => element,
  })
  const content = readability.parse()?.content ?? null
  // It wraps what it found once more, for pages that are continued elsewhere.
  const wrapped = content?.firstElementChild
  return wrapped?.id === 'readability-page-1' && wrapped.nextElementSibling === null ? wrapped : content
}
