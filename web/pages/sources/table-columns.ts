import { count, figure, relative } from '../../format/words.ts'
import type { Column, Columns } from './table-data.ts'

export interface TableColumn {
  readonly column: Column
  readonly title: string
  readonly look?: 'number' | 'long'
  /** What is in the cell of a source, by its place in the columns. */
  readonly show: (columns: Columns, at: number, now: number) => string
}

export const TABLE_COLUMNS: readonly TableColumn[] = [
  { column: 'name', title: 'Name', look: 'long', show: ({ name }, at) => name[at] ?? '' },
  { column: 'condition', title: 'Condition', show: ({ condition }, at) => condition[at] ?? '' },
  {
    column: 'categories',
    title: 'Categories',
    look: 'long',
    show: ({ categories }, at) => categories[at]?.join(', ') ?? '',
  },
  { column: 'items', title: 'Items', look: 'number', show: ({ items }, at) => count(items[at] ?? null) },
  { column: 'ratePerHour', title: 'Per hour', look: 'number', show: (all, at) => figure(all.ratePerHour[at] ?? null) },
  { column: 'windowSize', title: 'Window', look: 'number', show: (all, at) => count(all.windowSize[at] ?? null) },
  { column: 'weight', title: 'Weight', look: 'number', show: ({ weight }, at) => figure(weight[at] ?? null) },
  { column: 'lastCheckAt', title: 'Last check', show: (all, at, now) => relative(all.lastCheckAt[at] ?? null, now) },
  { column: 'nextCheckAt', title: 'Next check', show: (all, at, now) => nextCheck(all.nextCheckAt[at] ?? null, now) },
  {
    column: 'lastNewItemAt',
    title: 'Last news found',
    show: (all, at, now) => relative(all.lastNewItemAt[at] ?? null, now),
  },
  { column: 'errorCode', title: 'Error', look: 'long', show: ({ errorCode }, at) => errorCode[at] ?? '' },
]

function nextCheck(at: number | null, now: number): string {
  if (at === null) return '–'
  return at <= now ? 'due' : relative(at, now)
}
