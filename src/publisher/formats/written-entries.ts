import type { PresentedItem } from '../present.ts'

/*
 * A feed that gets a new item is written anew with all its others, and most of writing is the entries. So each is written
 * once, as long as somebody holds the item that it was made of (feeds.ts), and documents are put together.
 */

/** An entry, and the namespaces that its document must declare for it. */
export interface WrittenEntry {
  readonly xml: string
  readonly namespaces: readonly string[]
}

/** Remembers by the item itself: one that is shown otherwise is another. */
export function oncePerItem<T>(write: (item: PresentedItem) => T): (item: PresentedItem) => T {
  const written = new WeakMap<PresentedItem, T>()
  return (item) => {
    const known = written.get(item)
    if (known !== undefined) return known
    const fresh = write(item)
    written.set(item, fresh)
    return fresh
  }
}

type Element = 'entry' | 'item'

/** What comes behind the entries. */
const END: Readonly<Record<Element, string>> = { entry: '\n</feed>', item: '\n  </channel>' }
const INDENT: Readonly<Record<Element, string>> = { entry: '\n  ', item: '\n    ' }
const FIRST_TAG = /<(?:feed|rss)\b[^>]*/
const NAMESPACE = /xmlns:[\w-]+="[^"]*"/g

/** A document without entries gets some. */
export function withEntries(document: string, entries: readonly WrittenEntry[], element: Element): string {
  const end = document.lastIndexOf(END[element])
  const body = entries.map(({ xml }) => INDENT[element] + xml).join('')
  return declaring(document.slice(0, end), entries) + body + document.slice(end)
}

function declaring(head: string, entries: readonly WrittenEntry[]): string {
  const prefixes = new Set(entries.flatMap(({ namespaces }) => namespaces))
  for (const known of namespacesOf(head)) prefixes.delete(known)
  return head.replace(FIRST_TAG, (tag) => [tag, ...[...prefixes].sort()].join(' '))
}

function namespacesOf(document: string): string[] {
  return FIRST_TAG.exec(document)?.[0].match(NAMESPACE) ?? []
}
