import { wordsOf } from './highlight.tsx'
import type { Scope } from './scope.ts'

/** A search becomes a query feed: the editor opens with it written in the language. */
export function newQueryHref(scope: Scope): string {
  return `/new-query?${new URLSearchParams({ text: queryOfSearch(scope) })}`
}

function queryOfSearch({ text = '', category, feed }: Scope): string {
  const words = wordsOf(text)
  const name = words
    .join('-')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40)
  const from = feed ?? (category === undefined ? 'ALL' : `CATEGORY ${quoted(category)}`)
  const refused = [...text.matchAll(/(?:^|\s)-(?:"([^"]+)"|(\S+))/g)].map(([, phrase, word]) => phrase ?? word ?? '')
  const conditions = [
    ...words.map((word) => `ITEM CONTAINS ${quoted(word)}`),
    ...refused.map((word) => `NOT ITEM CONTAINS ${quoted(word)}`),
  ]
  const where = conditions.length === 0 ? '' : `\nWHERE ${conditions.join(' AND ')}`
  return `CREATE FEED ${name === '' ? 'my-search' : name} TITLE ${quoted(words.join(' ') || text)} AS\nRETURN ${from}${where};\n`
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', ' ')}"`
}
