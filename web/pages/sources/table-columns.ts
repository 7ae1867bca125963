import { stateWords } from '../../format/state-words.ts'
import { relative } from '../../format/words.ts'
import { count, rounded } from '../../language/amounts.ts'
import { t } from '../../language/current.ts'
import type { Column, Columns } from './table-data.ts'

export interface TableColumn {
  readonly column: Column
  readonly title: () => string
  readonly look?: 'number' | 'long'
  /** What is in the cell of a source, by its place in the columns. */
  readonly show: (columns: Columns, at: number, now: number) => string
}

const HOURS_A_DAY = 24
const DAYS_A_WEEK = 7

export const TABLE_COLUMNS: readonly TableColumn[] = [
  { column: 'name', title: () => t.sources.feed, look: 'long', show: ({ name }, at) => name[at] ?? '' },
  { column: 'condition', title: () => t.sources.state, look: 'long', show: (all, at) => stateOf(all, at) },
  {
    column: 'categories',
    title: () => t.sources.folder,
    look: 'long',
    show: ({ categories }, at) => categories[at]?.join(', ') ?? '',
  },
  { column: 'items', title: () => t.sources.items, look: 'number', show: ({ items }, at) => count(items[at] ?? null) },
  {
    column: 'ratePerHour',
    title: () => t.sources.publishes,
    look: 'number',
    show: (all, at) => rateWords(all.ratePerHour[at] ?? null),
  },
  {
    column: 'lastNewItemAt',
    title: () => t.sources.lastNews,
    look: 'number',
    show: (all, at, now) => relative(all.lastNewItemAt[at] ?? null, now),
  },
  {
    column: 'nextCheckAt',
    title: () => t.sources.nextCheck,
    look: 'number',
    show: (all, at, now) => nextCheck(all.nextCheckAt[at] ?? null, now),
  },
]

function stateOf({ condition, errorCode }: Columns, at: number): string {
  return stateWords({ condition: condition[at] ?? 'new', errorCode: errorCode[at] ?? null }).words
}

/** As often as one can imagine: 46 a day, 2 a week. */
export function rateWords(perHour: number | null): string {
  if (perHour === null) return '–'
  const perDay = perHour * HOURS_A_DAY
  if (perDay >= 1) return t.sources.aDay({ n: rounded(perDay) })
  return perDay * DAYS_A_WEEK >= 0.1 ? t.sources.aWeek({ n: rounded(perDay * DAYS_A_WEEK) }) : t.sources.hardlyEver
}

function nextCheck(at: number | null, now: number): string {
  if (at === null) return '–'
  return at <= now ? t.sources.due : relative(at, now)
}
