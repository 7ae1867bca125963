import { plainText } from './plain-text.ts'
import type { PublishedItem } from './published-feed.ts'

const NAME_LENGTH = 200
const LIST_LENGTH = 50
/** What a feed is about is a few words. */
const MOST_OF_MIXED = 10

/** Plain text, each once. */
export function presentCategories(categories: readonly string[]): readonly string[] {
  const names = categories.slice(0, LIST_LENGTH).map((category) => plainText(category, NAME_LENGTH))
  return [...new Set(names.filter((name) => name !== ''))]
}

/** What most items come from sources about; of those as common as each other the first by the alphabet. */
export function commonCategories(items: readonly PublishedItem[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { source } of items) {
    for (const category of source.categories) counts.set(category, (counts.get(category) ?? 0) + 1)
  }
  return [...counts]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, MOST_OF_MIXED)
    .map(([category]) => category)
}
