import type { z } from 'zod'
import type { overview } from '../operations/node.ts'
import type { SourceRow } from './source-directory.ts'

type Suggested = z.input<typeof overview>['suggested']

const MOST = 10
const LIVELY = new Set<SourceRow['condition']>(['active', 'saturated'])

/**
 * Sources like those that are most wanted, for readers to find (SCC07 1.1): they share categories with them, the narrower
 * the category the more it says, and they publish. `known`: what the reader has already.
 */
export function suggestionsFor(
  rows: readonly SourceRow[],
  wanted: readonly { readonly source: SourceRow; readonly importance: number }[],
  known: ReadonlySet<number>,
): Suggested {
  const sizes = new Map<string, number>()
  for (const row of rows) for (const category of row.categories) sizes.set(category, (sizes.get(category) ?? 0) + 1)
  const left = new Set([...known, ...wanted.map(({ source }) => source.id)])
  const scored = rows
    .filter(({ id, condition }) => !left.has(id) && LIVELY.has(condition))
    .map((row) => ({ row, because: wanted.filter(({ source }) => sharedBy(row, source).length > 0) }))
    .filter(({ because }) => because.length > 0)
    .map(({ row, because }) => ({ row, because, score: scoreOf(row, because, sizes) }))
  return scored
    .sort((a, b) => b.score - a.score || a.row.id - b.row.id)
    .slice(0, MOST)
    .map(({ row, because }) => ({ source: row, becauseOf: because.slice(0, 3).map(({ source }) => source.name) }))
}

function sharedBy(a: SourceRow, b: SourceRow): string[] {
  return a.categories.filter((category) => b.categories.includes(category))
}

function scoreOf(
  row: SourceRow,
  because: readonly { readonly source: SourceRow; readonly importance: number }[],
  sizes: ReadonlyMap<string, number>,
): number {
  let score = 0
  for (const { source, importance } of because) {
    for (const category of sharedBy(row, source)) score += importance / Math.log2(1 + sizes.get(category)!)
  }
  return score * Math.log2(2 + row.items)
}
