import { loadLater } from '../../../runtime/load-later.ts'
import {
  type DomDocument,
  type DomElement,
  type DomNode,
  ELEMENT_NODE,
  emptyDocument,
  isDomElement,
} from '../page/dom.ts'

interface XPathExpression {
  select(context: { readonly node: unknown; readonly isHtml: boolean }): unknown
}

/** Not imported: its declarations would bring the globals of a browser into the program, and lack this function. */
const xpath = loadLater<{ readonly parse: (expression: string) => XPathExpression }>('xpath')

/** No CSS selector begins like this. */
const XPATH_BEGINNING = /^\(*\s*(?:\.{0,2}\/|id\()/

/** Whether it is an XPath 1.0 expression; else it is a CSS selector. */
export function isXPath(selector: string): boolean {
  return XPATH_BEGINNING.test(selector)
}

/** What a selector finds in a page. An attribute or text that an XPath finds stands for its element. */
export function selectIn(document: DomDocument, selector: string): readonly DomElement[] {
  return isXPath(selector) ? byXPath(xpath().parse(selector), document) : document.querySelectorAll(selector)
}

/** Whether it can be used at all: of an XPath, whether it gives nodes. */
export function isSelector(selector: string): boolean {
  try {
    selectIn(emptyDocument(), selector)
    return true
  } catch {
    return false
  }
}

interface FoundNode extends DomNode {
  /** Of an attribute. */
  readonly ownerElement?: DomElement | null
}

function byXPath(expression: XPathExpression, document: DomDocument): readonly DomElement[] {
  const found = expression.select({ node: document, isHtml: true }) as readonly FoundNode[]
  return [...new Set(found.flatMap((node) => elementOf(node) ?? []))]
}

function elementOf(node: FoundNode): DomElement | null {
  if (node.nodeType === ELEMENT_NODE && isDomElement(node)) return node
  return node.ownerElement ?? node.parentNode
}
