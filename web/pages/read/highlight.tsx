import type { ReactNode } from 'react'

/** The words of a search, without what must not be there: words and "phrases". */
export function wordsOf(search: string): string[] {
  return [...search.matchAll(/(-?)(?:"([^"]+)"|(\S+))/g)]
    .filter(([, not]) => not === '')
    .map(([, , phrase, word]) => phrase ?? word ?? '')
    .filter((word) => word !== '')
}

/** A text with the words that were searched for marked in it. */
export function Highlighted({
  text,
  search,
}: {
  readonly text: string
  readonly search: string | undefined
}): ReactNode {
  const words = search === undefined ? [] : wordsOf(search)
  if (words.length === 0) return text
  const pattern = new RegExp(`(${words.map(escaped).join('|')})`, 'giu')
  // Every second part is what the pattern caught.
  return text.split(pattern).map((part, i) => {
    const key = `${i} ${part}`
    return i % 2 === 1 ? <mark key={key}>{part}</mark> : part
  })
}

function escaped(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
