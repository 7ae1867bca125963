import type * as Linkedom from 'linkedom'
import { loadLater } from '../../../runtime/load-later.ts'

/*
 * As much of the DOM as is used here. The library declares the whole of it in terms of a browser's globals, which a program for
 * Node does not have.
 */

export interface DomNode {
  readonly nodeType: number
  textContent: string
  readonly parentNode: DomElement | null
  readonly nextSibling: DomNode | null
  readonly firstChild: DomNode | null
  remove(): void
}

export interface DomParent {
  querySelector(selectors: string): DomElement | null
  querySelectorAll(selectors: string): readonly DomElement[]
}

export interface DomElement extends DomNode, DomParent {
  /** Lower case. */
  readonly localName: string
  readonly id: string
  readonly className: string
  readonly firstElementChild: DomElement | null
  readonly nextElementSibling: DomElement | null
  readonly previousElementSibling: DomElement | null
  innerHTML: string
  getAttribute(name: string): string | null
  hasAttribute(name: string): boolean
  setAttribute(name: string, value: string): void
  removeAttribute(name: string): void
  appendChild(node: DomNode): unknown
  replaceWith(...nodes: readonly DomNode[]): void
  contains(node: DomNode): boolean
  closest(selectors: string): DomElement | null
  matches(selectors: string): boolean
}

export interface DomDocument extends DomParent {
  readonly documentElement: DomElement
  readonly head: DomElement
  readonly body: DomElement
  createElement: (name: string) => DomElement
  createTextNode(text: string): DomNode
}

const linkedom = loadLater<typeof Linkedom>('linkedom')

export const ELEMENT_NODE = 1
export const TEXT_NODE = 3

export function emptyDocument(): DomDocument {
  const document: unknown = new (linkedom().DOMParser)().parseFromString(
    // Without a document type, behind which XPath would not find the root.
    '<html><head></head><body></body></html>',
    'text/html',
  )
  const dom = document as DomDocument
  // Readability makes elements by names in capitals, which the library would keep.
  const createElement = dom.createElement.bind(dom)
  dom.createElement = (name) => createElement(name.toLowerCase())
  return dom
}

/** Whether the node is an element. */
export function isDomElement(node: DomNode): node is DomElement {
  return node.nodeType === ELEMENT_NODE
}

/** The text of an element on one line; '' for none. */
export function lineOf(element: DomNode | null | undefined): string {
  return singleLine(element?.textContent ?? '')
}

export function singleLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
