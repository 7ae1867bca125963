import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { CategoryModel, UNCATEGORIZED } from '../../../src/articles/categories.ts'
import { parseFeed } from '../../../src/crawler/parse/parse.ts'
import type { ParsedItem, SourceId } from '../../../src/model/index.ts'
import { stripMarkup } from '../../../src/store/text/markup.ts'
import { CORPORA_FOLDER, corpusFolder, filesBelow } from '../corpus.ts'

/** A real item, with the category that its publisher gives it. */
interface CategorizedItem {
  readonly text: string
  readonly category: string
  readonly source: SourceId
}

export interface CategoryFigures {
  readonly name: string
  readonly categories: number
  readonly learnt: number
  readonly tried: number
  /** Of those tried; `uncategorized` counts as wrong. */
  readonly accuracy: number
  /** Right, if all were said to be of the class that is the most frequent in what was learnt. */
  readonly mostFrequent: number
  /** Of those tried, and how many of these were right. */
  readonly answered: number
  readonly rightOfAnswered: number
}

/** Feeds with categories of their own, and months of news feeds whose links say in which section an item stands. */
const SETS: readonly (readonly [string, () => readonly CategorizedItem[]])[] = [
  ['declared by feeds', declaredItems],
  ['sections of BBC', () => sectionItems('bbc', /\/news\/(?:av\/)?([a-z-]+?)-?\d+$/)],
  ['sections of CNN', () => sectionItems('cnn', /\/\d{4}\/\d\d\/\d\d\/([a-z-]+)\//)],
  ['sections of RNZ', () => sectionItems('rnz', /\/(?:news|international|programmes)\/([a-z-]+)\//)],
]
/** As a node learns them, which has one model for all its sources. */
const TOGETHER = 'all together'

/** Rarer ones are not learnt, so that they cannot be guessed. */
const LEAST_ITEMS = 6

export const hasCategories = existsSync(CORPORA_FOLDER)

export function measureCategories(): readonly CategoryFigures[] {
  const sets = SETS.map(([name, read], k) => ({ name, items: frequentOnes(read()).map((item) => apart(item, k)) }))
  const all = { name: TOGETHER, items: sets.flatMap(({ items }) => items) }
  return [...sets, all].map(({ name, items }) => measureSet(name, items))
}

/** Sources of one set are others than those of another. */
function apart(item: CategorizedItem, set: number): CategorizedItem {
  return { ...item, source: item.source * SETS.length + set }
}

/** What must be better than the most frequent class; in a feed that has hardly more than one nothing can be. */
export function failedCategories(figures: readonly CategoryFigures[]): readonly string[] {
  return figures
    .filter(({ mostFrequent, accuracy }) => mostFrequent < 0.8 && accuracy <= mostFrequent)
    .map(
      ({ name, accuracy, mostFrequent }) =>
        `${name}: ${accuracy.toFixed(3)} is no better than ${mostFrequent.toFixed(3)}`,
    )
}

/** `npm run corpora -- categories [--json]` */
export function runCategories(args: readonly string[]): number {
  if (!hasCategories) {
    process.stdout.write('categories: skipped, ../shared/corpora is not there.\n')
    return 0
  }
  const figures = measureCategories()
  const failures = failedCategories(figures)
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`
  const lines = figures.map(
    (set) =>
      `  ${set.name}: ${percent(set.accuracy)} of ${set.tried} hidden ones right, the most frequent class ${percent(set.mostFrequent)}; ${set.categories} categories, ${set.learnt} items learnt, ${percent(set.answered)} answered, ${percent(set.rightOfAnswered)} of these right`,
  )
  const text = ['categories:', ...lines, ...failures.map((failure) => `  FAILED: ${failure}`), ''].join('\n')
  process.stdout.write(args.includes('--json') ? `${JSON.stringify({ figures, failures }, null, 2)}\n` : text)
  return failures.length === 0 ? 0 : 1
}

function measureSet(name: string, items: readonly CategorizedItem[]): CategoryFigures {
  const model = new CategoryModel()
  const learnt = items.filter((item) => !isHidden(item))
  for (const { text, category, source } of learnt) model.learn(text, [category], source)
  const hidden = items.filter(isHidden)
  const mostFrequent = [...countsOf(learnt)].sort((a, b) => b[1] - a[1])[0]?.[0]
  const guesses = hidden.map(({ text, category, source }) => ({ guess: model.guess(text, source).category, category }))
  const right = guesses.filter(({ guess, category }) => guess === category).length
  const answered = guesses.filter(({ guess }) => guess !== UNCATEGORIZED).length
  return {
    name,
    categories: countsOf(items).size,
    learnt: learnt.length,
    tried: hidden.length,
    accuracy: right / hidden.length,
    mostFrequent: hidden.filter(({ category }) => category === mostFrequent).length / hidden.length,
    answered: answered / hidden.length,
    rightOfAnswered: answered === 0 ? 0 : right / answered,
  }
}

/** Half of them, by what they say. */
function isHidden({ text }: CategorizedItem): boolean {
  const [first = 0] = createHash('sha256').update(`category of ${text}`).digest()
  return first % 2 === 0
}

function countsOf(items: readonly CategorizedItem[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { category } of items) counts.set(category, (counts.get(category) ?? 0) + 1)
  return counts
}

function frequentOnes(items: readonly CategorizedItem[]): readonly CategorizedItem[] {
  const counts = countsOf(items)
  return items.filter(({ category }) => (counts.get(category) ?? 0) >= LEAST_ITEMS)
}

function declaredItems(): readonly CategorizedItem[] {
  const categoryOf = ({ categories }: ParsedItem) => categories[0]?.trim()
  return distinctItems(CORPORA_FOLDER, /\.(?:xml|rss|atom|rdf|json)$/, categoryOf)
}

function sectionItems(feed: string, section: RegExp): readonly CategorizedItem[] {
  const folder = corpusFolder(`feed-histories/${feed}`)
  const sectionOf = ({ link }: ParsedItem) => section.exec(link?.split(/[?#]/)[0] ?? '')?.[1]
  // All files are of one feed.
  return distinctItems(folder, /\.xml\.gz$/, sectionOf).map((item) => ({ ...item, source: 0 }))
}

/** Each text once, whatever feed has it and however often. */
function distinctItems(
  folder: string,
  endings: RegExp,
  categoryOf: (item: ParsedItem) => string | undefined,
): readonly CategorizedItem[] {
  const known = new Map<string, CategorizedItem>()
  for (const [source, file] of filesBelow(folder, endings).entries()) {
    const bytes = readFileSync(join(folder, file))
    for (const item of parseFeed(file.endsWith('.gz') ? gunzipSync(bytes) : bytes).items) {
      const category = categoryOf(item)
      const text = stripMarkup(`${item.title ?? ''} ${item.content ?? item.summary ?? ''}`)
      if (category !== undefined && category !== '' && !known.has(text)) known.set(text, { text, category, source })
    }
  }
  return [...known.values()]
}
