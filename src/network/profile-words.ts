/** What profiles are made of: of an item, its title and its categories. */
export interface WordedItem {
  readonly title: string | null
  readonly categories: readonly string[]
}

export interface ProfileWords {
  /** Most frequent first. */
  readonly keywords: readonly string[]
  readonly categories: readonly string[]
}

/** Shorter words are mostly those that every text has. */
const SHORTEST = 5
const LONGEST = 60

/**
 * What items are about (thesis 1.6.2: the keywords of a publication profile), as far as anybody who reads them can see: the
 * words that the most titles have, and the categories that the most items bear. A word of a single title says little, unless
 * there are hardly any titles.
 */
export function profileWords(items: readonly WordedItem[], most: number): ProfileWords {
  const least = items.length >= 10 ? 2 : 1
  return {
    keywords: frequent(
      items.map(({ title }) => wordsOf(title ?? '')),
      least,
      most,
    ),
    categories: frequent(
      items.map(({ categories }) => categories.map(folded)),
      1,
      most,
    ),
  }
}

/** One list of words for several, the most frequent of each first. */
export function mergedWords(lists: readonly (readonly string[])[], most: number): readonly string[] {
  const merged = new Set<string>()
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  for (let place = 0; place < longest && merged.size < most; place++) {
    for (const list of lists) {
      const word = list[place]
      if (word !== undefined && merged.size < most) merged.add(word)
    }
  }
  return [...merged]
}

function wordsOf(text: string): string[] {
  return (folded(text).match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length >= SHORTEST && !/^\d+$/.test(word))
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim()
}

/** Of equal ones in the order of their letters, so that two looks at the same items say the same. */
function frequent(lists: readonly (readonly string[])[], least: number, most: number): readonly string[] {
  const counts = new Map<string, number>()
  for (const list of lists) {
    for (const word of new Set(list)) {
      if (word !== '' && word.length <= LONGEST) counts.set(word, (counts.get(word) ?? 0) + 1)
    }
  }
  const order = (a: readonly [string, number], b: readonly [string, number]) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)
  return [...counts]
    .filter(([, count]) => count >= least)
    .sort(order)
    .slice(0, most)
    .map(([word]) => word)
}
