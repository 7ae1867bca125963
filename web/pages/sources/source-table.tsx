import { type MouseEvent, useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { t } from '../../language/current.ts'
import { LinePool } from './line-pool.ts'
import { TABLE_COLUMNS } from './table-columns.ts'
import type { Column, Columns, Sort } from './table-data.ts'

interface SourceTableProps {
  readonly columns: Columns
  readonly order: Uint32Array
  readonly sort: Sort
  readonly now: number
  readonly ticked: ReadonlySet<number>
  readonly onSort: (column: Column) => void
  /** Of one source; with Shift held also of all between it and the last one ticked. */
  readonly onTick: (id: number, isTicked: boolean, withRange: boolean) => void
}

/** Only the lines in view exist, so fifty thousand sources cost as much as fifty. */
export function SourceTable({ columns, order, sort, now, ticked, onSort, onTick }: SourceTableProps) {
  const { scroller, body } = useLinePool({ columns, order, now, ticked })
  const follow = useFollowLink(onTick)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the links in it are clicked by Enter as well
    <div
      ref={scroller}
      className="source-table"
      role="table"
      aria-label={t.shell.pages.sources}
      aria-rowcount={order.length + 1}
      tabIndex={0}
      onClick={follow}
    >
      <Head sort={sort} onSort={onSort} />
      <div ref={body} className="body" role="rowgroup" />
    </div>
  )
}

/** One listener for all lines: a link of the router in each would double the cost of a line. */
function useFollowLink(onTick: SourceTableProps['onTick']) {
  const [, navigate] = useLocation()
  return (event: MouseEvent) => {
    const tick = event.target instanceof HTMLInputElement ? event.target : null
    if (tick) return onTick(Number(tick.dataset['id']), tick.checked, event.shiftKey)
    const link = event.target instanceof HTMLAnchorElement ? event.target : null
    if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    navigate(link.pathname)
  }
}

/** Lines for as much as the scroller shows, as long as the table is there. */
function useLinePool(rows: Pick<SourceTableProps, 'columns' | 'order' | 'now' | 'ticked'>) {
  const scroller = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const pool = useRef<LinePool | null>(null)
  useLayoutEffect(() => {
    const box = scroller.current
    if (box === null || body.current === null) return
    const lines = new LinePool(body.current)
    pool.current = lines
    lines.resize(box.clientHeight)
    const scroll = () => lines.scroll(box.scrollTop)
    box.addEventListener('scroll', scroll, { passive: true })
    const resized = new ResizeObserver(() => lines.resize(box.clientHeight))
    resized.observe(box)
    return () => {
      box.removeEventListener('scroll', scroll)
      resized.disconnect()
      pool.current = null
    }
  }, [])
  const { columns, order, now, ticked } = rows
  useEffect(() => pool.current?.show({ columns, order, now, ticked }), [columns, order, now, ticked])
  return { scroller, body }
}

function Head({ sort, onSort }: Pick<SourceTableProps, 'sort' | 'onSort'>) {
  return (
    <div role="rowgroup">
      <div className="head" role="row">
        {TABLE_COLUMNS.map(({ column, title, look }) => {
          const isSorted = sort.column === column
          const direction = sort.isDescending ? 'descending' : 'ascending'
          return (
            <span key={column} role="columnheader" className={look} aria-sort={isSorted ? direction : 'none'}>
              <button type="button" onClick={() => onSort(column)}>
                {title()}
                {isSorted && <span aria-hidden="true">{sort.isDescending ? ' ↓' : ' ↑'}</span>}
              </button>
            </span>
          )
        })}
      </div>
    </div>
  )
}
