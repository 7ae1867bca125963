import type { InstantMs } from '../model/index.ts'
import { words } from '../store/text/fold.ts'
import { stripMarkup } from '../store/text/markup.ts'
import type { PublishedItem } from './published-feed.ts'

/** One term of ORDER BY SCORE. */
export interface WeightedTerm {
  readonly factor: number
  readonly of: 'WEIGHT' | 'SIMILARITY' | 'FRESHNESS'
  readonly halfLifeMs: number | null
}

/** What the items of a window are scored with. */
export interface ScoreContext {
  /** Of the newest item of the window: a score does not depend on when it is computed. */
  readonly newestAt: InstantMs
  /** Of the query feeds by which an item came, the greatest weight; 1 where it came by none. */
  readonly queryWeight: (item: PublishedItem) => number
}

/**
 * The stated score of an item (thesis 1.4.2: some sort of item importance score): a sum of what its source and query weigh, how
 * fresh it is, and how much alike the items that it was joined with. O(words of the titles).
 */
export function scoreOf(item: PublishedItem, terms: readonly WeightedTerm[], context: ScoreContext): number {
  let score = 0
  for (const term of terms) score += term.factor * termValue(item, term, context)
  return score
}

function termValue(
  item: PublishedItem,
  { of, halfLifeMs }: WeightedTerm,
  { newestAt, queryWeight }: ScoreContext,
): number {
  switch (of) {
    case 'WEIGHT':
      return item.source.weight * queryWeight(item)
    case 'FRESHNESS':
      return 2 ** -(Math.max(0, newestAt - item.item.sortAt) / halfLifeMs!)
    case 'SIMILARITY':
      return (item.related ?? []).reduce((most, other) => Math.max(most, similarity(item, other)), 0)
  }
}

/** Of titles, as SIMILAR has it: shared words over all words. */
function similarity(a: PublishedItem, b: PublishedItem): number {
  const [own, other] = [titleWords(a), titleWords(b)]
  const shared = [...own].filter((word) => other.has(word)).length
  return shared === 0 ? 0 : shared / (own.size + other.size - shared)
}

function titleWords({ item }: PublishedItem): ReadonlySet<string> {
  return new Set(words(stripMarkup(item.title ?? '')))
}
