import type { ReactNode } from 'react'

/** A title with the words in it that the query asks for: the texts in its quotes. */
export function Marked({ text, query }: { readonly text: string; readonly query: string }): ReactNode {
  const where = query.slice(query.search(/\bWHERE\b/i))
  const words = [...where.matchAll(/(?<!NOT\s+\S+\s+CONTAINS\s+)"((?:\\.|[^"\\])+)"/gi)].map(([, word]) => word ?? '')
  if (words.length === 0) return text
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(${words.map(escaped).join('|')})(?![\\p{L}\\p{N}])`, 'giu')
  // Every second part is what the pattern caught.
  return text.split(pattern).map((part, i) => {
    const key = `${i} ${part}`
    return i % 2 === 1 ? <mark key={key}>{part}</mark> : part
  })
}

function escaped(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
