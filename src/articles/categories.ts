import type { SourceId } from '../model/index.ts'
import { words } from '../store/text/fold.ts'

/** Of texts that nobody has put into a category, and that are like none of those that somebody has. */
export const UNCATEGORIZED = 'uncategorized'

interface CategoryGuess {
  readonly category: string
  /** From 0 to 1: how much likelier it is than all others together. */
  readonly confidence: number
}

const MOST_CATEGORIES = 200
const MOST_WORDS = 50_000
/** What stands in nearly every text says nothing, and is short. */
const SHORTEST_WORD = 3
/** The beginning of an article says what it is about. */
const MOST_TEXT_WORDS = 400
/** Fewer texts of a category are not enough to know it. */
const LEAST_TEXTS = 3
const LEAST_CONFIDENCE = 0.5
/**
 * What a word counts that was never seen in a category, of one that was seen once; and what all words together count beside how
 * frequent a category is, because they do not stand alone, as naive Bayes believes. Both by half of the real items that are learnt
 * from (decision 0112): with 1 and 1 a third fewer of the sections of news sites are right.
 */
const UNSEEN = 0.1
const WORDS_COUNT = 0.6

interface Learnt {
  texts: number
  wordCount: number
  readonly words: Map<string, number>
}

/**
 * Learns from texts whose categories are declared which words go with them, and guesses those of others: naive Bayes over the
 * words that a text has, whether once or often, and over the source that it comes from. So many categories and words at most, the first that come.
 */
export class CategoryModel {
  readonly #categories = new Map<string, Learnt>()
  readonly #vocabulary = new Set<string>()
  #texts = 0

  learn(text: string, categories: readonly string[], source?: SourceId): void {
    const found = wordsOf(text, source)
    for (const category of new Set(categories)) {
      const learnt = this.#categoryOf(category)
      if (learnt === null) continue
      this.#texts += 1
      learnt.texts += 1
      for (const word of found) this.#count(learnt, word)
    }
  }

  /** `uncategorized` where no category is clearly likelier than the others. */
  guess(text: string, source?: SourceId): CategoryGuess {
    const known = [...wordsOf(text, source)].filter((word) => this.#vocabulary.has(word))
    const scores = [...this.#categories]
      .filter(([, { texts }]) => texts >= LEAST_TEXTS)
      .map(([category, learnt]) => ({ category, score: this.#score(learnt, known) }))
      .sort((a, b) => b.score - a.score)
    const [best] = scores
    if (best === undefined || known.length === 0) return { category: UNCATEGORIZED, confidence: 0 }
    const others = scores.reduce((sum, { score }) => sum + Math.exp(score - best.score), 0)
    const confidence = 1 / others
    return confidence <= LEAST_CONFIDENCE
      ? { category: UNCATEGORIZED, confidence }
      : { category: best.category, confidence }
  }

  /** The logarithm of how likely a text of the category has these words, by Lidstone's rule. */
  #score({ texts, words: counts, wordCount }: Learnt, found: readonly string[]): number {
    const all = wordCount + UNSEEN * this.#vocabulary.size
    const prior = Math.log(texts / this.#texts)
    return found.reduce((sum, word) => sum + WORDS_COUNT * Math.log(((counts.get(word) ?? 0) + UNSEEN) / all), prior)
  }

  #categoryOf(category: string): Learnt | null {
    const known = this.#categories.get(category)
    if (known !== undefined || this.#categories.size >= MOST_CATEGORIES) return known ?? null
    const learnt = { texts: 0, wordCount: 0, words: new Map<string, number>() }
    this.#categories.set(category, learnt)
    return learnt
  }

  #count(learnt: Learnt, word: string): void {
    if (!this.#vocabulary.has(word)) {
      if (this.#vocabulary.size >= MOST_WORDS) return
      this.#vocabulary.add(word)
    }
    learnt.words.set(word, (learnt.words.get(word) ?? 0) + 1)
    learnt.wordCount += 1
  }
}

/** A source stands beside the words as one that no text can have. */
function wordsOf(text: string, source?: SourceId): ReadonlySet<string> {
  const found = words(text)
    .slice(0, MOST_TEXT_WORDS)
    .filter((word) => word.length >= SHORTEST_WORD)
  return new Set(source === undefined ? found : [...found, `@${source}`])
}
