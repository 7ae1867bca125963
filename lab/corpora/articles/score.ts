import { mean } from 'simple-statistics'

/*
 * What score.py beside the corpus computes: bags of four words in a row, precision and recall of each page, F1 of their means.
 */

export interface PageScore {
  readonly name: string
  /** null: nothing was found. */
  readonly precision: number | null
  readonly recall: number
  readonly f1: number
  readonly wordF1: number
}

export interface CorpusScore {
  readonly pages: number
  readonly f1: number
  readonly precision: number
  readonly recall: number
  readonly meanPageF1: number
  readonly meanWordF1: number
  readonly empty: number
}

const SHINGLE = 4

export function scorePage(name: string, found: string, expected: string): PageScore {
  const [ours, theirs] = [wordsOf(found), wordsOf(expected)]
  const { precision, recall } = compare(shingles(ours), shingles(theirs))
  const byWord = compare(bag(ours), bag(theirs))
  return {
    name,
    precision,
    recall: recall ?? 0,
    f1: f1Of(precision, recall),
    wordF1: f1Of(byWord.precision, byWord.recall),
  }
}

export function scoreCorpus(pages: readonly PageScore[]): CorpusScore {
  const precisions = pages.flatMap(({ precision }) => (precision === null ? [] : [precision]))
  const precision = meanOr0(precisions)
  const recall = meanOr0(pages.map((page) => page.recall))
  return {
    pages: pages.length,
    f1: f1Of(precision, recall),
    precision,
    recall,
    meanPageF1: meanOr0(pages.map((page) => page.f1)),
    meanWordF1: meanOr0(pages.map((page) => page.wordF1)),
    empty: pages.length - precisions.length,
  }
}

function meanOr0(values: readonly number[]): number {
  return values.length === 0 ? 0 : mean(values)
}

function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}_]+/gu) ?? []
  )
}

type Bag = ReadonlyMap<string, number>

function bag(values: readonly string[]): Bag {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

function shingles(words: readonly string[]): Bag {
  if (words.length === 0) return new Map()
  const count = Math.max(1, words.length - SHINGLE + 1)
  return bag(Array.from({ length: count }, (_, at) => words.slice(at, at + SHINGLE).join(' ')))
}

function compare(found: Bag, expected: Bag): { precision: number | null; recall: number | null } {
  let common = 0
  for (const [value, count] of found) common += Math.min(count, expected.get(value) ?? 0)
  const sizeOf = (counts: Bag) => [...counts.values()].reduce((sum, count) => sum + count, 0)
  return {
    precision: found.size === 0 ? null : common / sizeOf(found),
    recall: expected.size === 0 ? null : common / sizeOf(expected),
  }
}

function f1Of(precision: number | null, recall: number | null): number {
  if (precision === null || recall === null || precision === 0 || recall === 0) return 0
  return (2 * precision * recall) / (precision + recall)
}
