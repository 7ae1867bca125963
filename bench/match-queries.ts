import { parseFeed } from '../src/crawler/parse/parse.ts'
import { entryAt } from '../src/model/entry-at.ts'
import type { Random } from '../src/model/index.ts'
import type { MatchItem } from '../src/query/index.ts'
import { words } from '../src/store/text/fold.ts'
import { stripMarkup } from '../src/store/text/markup.ts'
import type { BenchDocument } from './parse-documents.ts'

const LEAST_WORDS = 50
const COMMONEST = 200
const AT = 1_700_000_000_000

/** Real items of at least fifty words, each once. */
export function benchItems(documents: readonly BenchDocument[]): MatchItem[] {
  const seen = new Set<string>()
  return documents.flatMap(({ bytes }) =>
    parseFeed(bytes, { url: 'https://example.org/feed.xml' }).items.flatMap((item) => {
      const text = textOf(item)
      if (seen.has(text) || words(text).length < LEAST_WORDS) return []
      seen.add(text)
      return [{ ...item, firstSeenAt: AT, sortAt: AT }]
    }),
  )
}

function textOf({ title, summary, content }: Pick<MatchItem, 'title' | 'summary' | 'content'>): string {
  return stripMarkup([title, summary, content].filter((text) => text !== null).join('\n'))
}

/**
 * Query texts of one to ten predicates. Words are drawn as they occur in the items, so that frequent ones are asked for
 * more often, without the 200 commonest; those of one query come from one item, as the words of one topic do. A third
 * are one word or phrase or several of them by AND, a third AND over alternatives by OR, a sixth alternatives of rare
 * words, a sixth with a NOT.
 */
export class QueryMaker {
  private readonly texts: readonly (readonly string[])[]
  private readonly common: ReadonlySet<string>
  private readonly itemsWith: ReadonlyMap<string, number>
  private readonly random: Random

  constructor(items: readonly MatchItem[], random: Random) {
    this.random = random
    this.texts = items.map((item) => words(textOf(item)))
    const counts = new Map<string, number>()
    for (const text of this.texts) for (const word of new Set(text)) counts.set(word, (counts.get(word) ?? 0) + 1)
    const byCount = [...counts].sort(([, a], [, b]) => b - a)
    this.common = new Set(byCount.slice(0, COMMONEST).map(([word]) => word))
    this.itemsWith = counts
  }

  next(): string {
    const predicates = 1 + this.pick(10)
    const shape = this.random()
    if (predicates === 1 || shape < 1 / 3) return this.all(Math.min(predicates, 1 + this.pick(4)), predicates)
    if (shape < 2 / 3) return this.allOfAny(predicates)
    if (shape < 5 / 6) return Array.from({ length: predicates }, () => this.rare()).join(' OR ')
    return `${this.all(Math.max(1, predicates - 1), predicates)} AND NOT ${this.words(1, this.text())[0]}`
  }

  private all(count: number, _predicates: number): string {
    return this.words(count, this.text()).join(' AND ')
  }

  private allOfAny(predicates: number): string {
    const text = this.text()
    const first = Math.max(1, predicates >> 1)
    const groups = [first, Math.max(1, predicates - first)]
    return groups.map((count) => `(${this.words(count, text).join(' OR ')})`).join(' AND ')
  }

  private words(count: number, text: readonly string[]): string[] {
    return Array.from({ length: count }, () => this.predicate(text))
  }

  private predicate(text: readonly string[]): string {
    const at = this.position(text)
    const isPhrase = this.random() < 0.1 && at + 1 < text.length
    const field = this.random() < 0.85 ? 'ITEM' : this.random() < 0.5 ? 'TITLE' : 'DESCRIPTION'
    return `${field} CONTAINS "${isPhrase ? `${text[at]} ${text[at + 1]}` : text[at]}"`
  }

  /** A word that at most one item of 500 holds. */
  private rare(): string {
    for (let attempt = 0; ; attempt++) {
      const text = this.text()
      const word = entryAt(text, this.position(text))
      if (attempt > 50 || this.itemsWith.get(word)! <= Math.max(1, this.texts.length / 500))
        return `ITEM CONTAINS "${word}"`
    }
  }

  private position(text: readonly string[]): number {
    for (let attempt = 0; ; attempt++) {
      const at = this.pick(text.length)
      if (attempt > 50 || !this.common.has(entryAt(text, at))) return at
    }
  }

  private text(): readonly string[] {
    return entryAt(this.texts, this.pick(this.texts.length))
  }

  private pick(count: number): number {
    return Math.floor(this.random() * count)
  }
}
