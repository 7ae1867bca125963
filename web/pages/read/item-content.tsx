import { createElement, memo, type ReactNode } from 'react'
import { t } from '../../language/current.ts'
import { Highlighted } from './highlight.tsx'
import { type SafeNode, safeTree } from './safe-html.ts'

const VOID = new Set(['br', 'hr', 'img', 'col'])

interface ItemContentProps {
  readonly html: string
  /** Its words are marked. */
  readonly search: string | undefined
}

/** The content of an item as elements of our own making; see safe-html.ts. */
export const ItemContent = memo(function ItemContent({ html, search }: ItemContentProps) {
  const tree = safeTree(html, parseInertly)
  if (tree.every(isBlank)) return <p className="content muted">{t.read.nothingMore}</p>
  return <div className="content">{tree.map((node, index) => render(node, index, search))}</div>
})

function isBlank(node: SafeNode): boolean {
  if (typeof node === 'string') return node.trim() === ''
  return node.tag !== 'img' && node.children.every(isBlank)
}

/** A document of DOMParser has no browsing context: nothing in it runs or is loaded. */
function parseInertly(html: string): Document {
  return new DOMParser().parseFromString(withoutStyles(html), 'text/html')
}

/** Styles are left out anyway; but a parser under our content policy complains of each in the console. */
function withoutStyles(html: string): string {
  return html.replace(/<[a-z][^>]*/gi, (tag) => tag.replace(/\sstyle\s*=/gi, ' data-style='))
}

function render(node: SafeNode, index: number, search: string | undefined): ReactNode {
  if (typeof node === 'string') {
    return search === undefined ? node : createElement(Highlighted, { key: index, text: node, search })
  }
  const props = { key: index, ...node.attributes }
  return VOID.has(node.tag)
    ? createElement(node.tag, props)
    : createElement(node.tag, props, ...node.children.map((child, at) => render(child, at, search)))
}
