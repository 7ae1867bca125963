import type { z } from 'zod'
import type { QueryFeedId, SourceId } from '../../model/index.ts'
import type { overview } from '../operations/node.ts'
import type { SourceRow } from './source-directory.ts'

type SuggestedRows = z.input<typeof overview>['suggested']
type Reason = SuggestedRows[number]['reasons'][number]

/** Who gets each source, and which query feeds keep which share of its items; sources without are missing. */
export interface Readership {
  readonly readers: ReadonlyMap<SourceId, ReadonlySet<string>>
  readonly matches: ReadonlyMap<SourceId, ReadonlyMap<QueryFeedId, number>>
}

interface PopularSource {
  readonly source: SourceRow
  readonly importance: number
}

/** What it is suggested for. */
interface Because {
  readonly name: string
  readonly like: Likeness
  readonly worth: number
}

/** How much one source is like another, by each of the reasons there can be. */
type Likeness = Readonly<Record<Reason, number>>

const MOST = 10
const MOST_NAMED = 3
const LIVELY = new Set<SourceRow['condition']>(['active', 'saturated', 'flooding'])

/**
 * Sources like those that are most wanted, for readers to find (SCC07 1.1). They are alike by those who get both, by query
 * feeds that keep items of both, and by categories, the narrower the more it says; and they publish. `known`: what the
 * reader has already.
 */
export function suggestionsFor(
  rows: readonly SourceRow[],
  popular: readonly PopularSource[],
  known: ReadonlySet<SourceId>,
  readership: Readership,
): SuggestedRows {
  const taken = new Set([...known, ...popular.map(({ source }) => source.id)])
  const likeness = likenessIn(rows, readership)
  return rows
    .filter(({ id, condition }) => !taken.has(id) && LIVELY.has(condition))
    .flatMap((row) => {
      const because = popular.flatMap((one) => becauseOf(one, likeness(row, one.source)))
      const score = because.reduce((sum, { worth }) => sum + worth, 0) * Math.log2(2 + row.items)
      return because.length === 0 ? [] : [{ row, score, because: because.sort((a, b) => b.worth - a.worth) }]
    })
    .sort((a, b) => b.score - a.score || a.row.id - b.row.id)
    .slice(0, MOST)
    .map(({ row, because }) => ({
      source: row,
      becauseOf: because.slice(0, MOST_NAMED).map(({ name }) => name),
      reasons: REASONS.filter((reason) => because.some(({ like }) => like[reason] > 0)),
    }))
}

function becauseOf({ source, importance }: PopularSource, like: Likeness): Because[] {
  const sum = like.readers + like.queries + like.categories
  return sum > 0 ? [{ name: source.name, like, worth: importance * sum }] : []
}

const REASONS: readonly Reason[] = ['readers', 'queries', 'categories']

function likenessIn(
  rows: readonly SourceRow[],
  { readers, matches }: Readership,
): (a: SourceRow, b: SourceRow) => Likeness {
  const sizes = new Map<string, number>()
  for (const row of rows) for (const category of row.categories) sizes.set(category, (sizes.get(category) ?? 0) + 1)
  return (a, b) => ({
    readers: overlap(readers.get(a.id), readers.get(b.id)),
    queries: cosine(matches.get(a.id), matches.get(b.id)),
    categories: a.categories
      .filter((category) => b.categories.includes(category))
      .reduce((sum, category) => sum + 1 / Math.log2(1 + sizes.get(category)!), 0),
  })
}

/** Of those who get the one or the other, how many get both (Ochiai's coefficient). */
function overlap(a: ReadonlySet<string> = NOBODY, b: ReadonlySet<string> = NOBODY): number {
  if (a.size === 0 || b.size === 0) return 0
  let both = 0
  for (const one of a) if (b.has(one)) both += 1
  return both / Math.sqrt(a.size * b.size)
}

const NOBODY: ReadonlySet<string> = new Set()
const NOWHERE: ReadonlyMap<QueryFeedId, number> = new Map()

function cosine(a: ReadonlyMap<QueryFeedId, number> = NOWHERE, b: ReadonlyMap<QueryFeedId, number> = NOWHERE): number {
  let product = 0
  for (const [feed, share] of a) product += share * (b.get(feed) ?? 0)
  return product === 0 ? 0 : product / (lengthOf(a) * lengthOf(b))
}

function lengthOf(shares: ReadonlyMap<QueryFeedId, number>): number {
  return Math.hypot(...shares.values())
}
