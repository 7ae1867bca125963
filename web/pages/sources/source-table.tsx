import { useVirtualizer } from '@tanstack/react-virtual'
import { type MouseEvent, memo, type ReactNode, useRef } from 'react'
import { useLocation } from 'wouter'
import type { SourceRow } from '../../../src/api/operations/wire.ts'
import { count, figure, relative } from '../../format/words.ts'
import { ConditionBadge } from '../../ui/condition-badge.tsx'
import type { Column, Sort, TableData } from './table-data.ts'

interface TableColumn {
  readonly column: Column
  readonly title: string
  readonly isNumber?: boolean
  readonly show: (row: SourceRow, now: number) => ReactNode
}

const COLUMNS: readonly TableColumn[] = [
  { column: 'name', title: 'Name', show: (row) => <a href={`/sources/${row.id}`}>{row.name}</a> },
  { column: 'condition', title: 'Condition', show: (row) => <ConditionBadge condition={row.condition} /> },
  { column: 'categories', title: 'Categories', show: (row) => row.categories.join(', ') },
  { column: 'items', title: 'Items', isNumber: true, show: (row) => count(row.items) },
  { column: 'ratePerHour', title: 'Per hour', isNumber: true, show: (row) => figure(row.ratePerHour) },
  { column: 'windowSize', title: 'Window', isNumber: true, show: (row) => count(row.windowSize) },
  { column: 'weight', title: 'Weight', isNumber: true, show: (row) => figure(row.weight) },
  { column: 'lastCheckAt', title: 'Last check', show: (row, now) => relative(row.lastCheckAt, now) },
  { column: 'nextCheckAt', title: 'Next check', show: (row, now) => nextCheck(row.nextCheckAt, now) },
  { column: 'lastNewItemAt', title: 'Newest item', show: (row, now) => relative(row.lastNewItemAt, now) },
  { column: 'errorCode', title: 'Error', show: (row) => row.errorCode ?? '' },
]

const LINE_PX = 36
const LINES_BEYOND = 6

interface SourceTableProps {
  readonly data: TableData
  readonly order: readonly number[]
  readonly sort: Sort
  readonly now: number
  readonly onSort: (column: Column) => void
}

/** Only the lines in view exist, so fifty thousand sources cost as much as fifty. */
export function SourceTable({ data, order, sort, now, onSort }: SourceTableProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const [, navigate] = useLocation()
  // One listener for all lines: a link of the router in each would double the cost of a line.
  const follow = (event: MouseEvent) => {
    const link = event.target instanceof HTMLAnchorElement ? event.target : null
    if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    navigate(link.pathname)
  }
  const virtualizer = useVirtualizer({
    count: order.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_PX,
    overscan: LINES_BEYOND,
    scrollMargin: 0,
  })
  // Lines that leave are given to those that come: changing a text is cheaper than making a line.
  const lines = virtualizer.getVirtualItems()
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the links in it are clicked by Enter as well
    <div
      ref={scroller}
      className="source-table"
      role="table"
      aria-label="Sources"
      aria-rowcount={order.length + 1}
      tabIndex={0}
      onClick={follow}
    >
      <Head sort={sort} onSort={onSort} />
      <div className="body" role="rowgroup" style={{ height: virtualizer.getTotalSize() }}>
        {lines.map(({ index, start }) => (
          <Line
            key={index % lines.length}
            row={data.rows[order[index] as number] as SourceRow}
            index={index}
            startPx={start}
            now={now}
          />
        ))}
      </div>
    </div>
  )
}

function Head({ sort, onSort }: Pick<SourceTableProps, 'sort' | 'onSort'>) {
  return (
    <div role="rowgroup">
      <div className="head" role="row">
        {COLUMNS.map(({ column, title, isNumber }) => {
          const isSorted = sort.column === column
          const direction = sort.isDescending ? 'descending' : 'ascending'
          return (
            <span
              key={column}
              role="columnheader"
              className={isNumber ? 'number' : ''}
              aria-sort={isSorted ? direction : 'none'}
            >
              <button type="button" onClick={() => onSort(column)}>
                {title}
                {isSorted && <span aria-hidden="true">{sort.isDescending ? ' ↓' : ' ↑'}</span>}
              </button>
            </span>
          )
        })}
      </div>
    </div>
  )
}

interface LineProps {
  readonly row: SourceRow
  readonly index: number
  readonly startPx: number
  readonly now: number
}

const Line = memo(function Line({ row, index, startPx, now }: LineProps) {
  const isInTrouble = row.condition === 'saturated' || row.condition === 'failing'
  return (
    <div
      className={isInTrouble ? 'line trouble' : 'line'}
      role="row"
      aria-rowindex={index + 2}
      data-condition={row.condition}
      style={{ transform: `translateY(${startPx}px)` }}
    >
      {COLUMNS.map(({ column, isNumber, show }) => (
        <span key={column} role="cell" className={isNumber ? 'number' : ''}>
          {show(row, now)}
        </span>
      ))}
    </div>
  )
})

function nextCheck(at: number | null, now: number): string {
  if (at === null) return '–'
  return at <= now ? 'due' : relative(at, now)
}
