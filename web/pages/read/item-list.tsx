import { useEffect, useRef } from 'react'
import type { ItemRow } from '../../../src/api/operations/wire.ts'
import { Empty, Failure } from '../../ui/notice.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import type { Items } from './use-items.ts'

interface ItemListProps {
  readonly list: Items
  readonly selected: number | null
  readonly onSelect: (seq: number) => void
}

export function ItemList({ list, selected, onSelect }: ItemListProps) {
  const { items, isLoading, error, hasMore, loadMore } = list
  return (
    <section className="panel items" aria-label="Items" aria-busy={isLoading}>
      <Failure error={error} />
      <ul>
        {items.map((item) => (
          <Line key={item.seq} item={item} isSelected={item.seq === selected} onSelect={onSelect} />
        ))}
      </ul>
      {items.length === 0 && !isLoading && error === null && <Empty title="Nothing here">No item fits.</Empty>}
      {isLoading && (
        <p className="muted small" role="status">
          Loading …
        </p>
      )}
      {hasMore && !isLoading && <More onSeen={loadMore} />}
    </section>
  )
}

interface LineProps {
  readonly item: ItemRow
  readonly isSelected: boolean
  readonly onSelect: (seq: number) => void
}

function Line({ item, isSelected, onSelect }: LineProps) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isSelected) button.current?.scrollIntoView({ block: 'nearest' })
  }, [isSelected])
  return (
    <li className={item.isRead ? 'is-read' : ''}>
      <button
        ref={button}
        type="button"
        className="item"
        aria-current={isSelected ? 'true' : undefined}
        onClick={() => onSelect(item.seq)}
      >
        <ItemTitle item={item} />
        <span className="small muted">
          {item.sourceName} · <TimeAgo at={item.sortAt} />
        </span>
        <span className="small muted excerpt">{item.excerpt}</span>
      </button>
    </li>
  )
}

/** Loads the next page when it comes into view, or when it is pressed. */
function More({ onSeen }: { readonly onSeen: () => void }) {
  const element = useRef<HTMLButtonElement>(null)
  const latest = useRef(onSeen)
  latest.current = onSeen
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) latest.current()
    })
    if (element.current) observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return (
    <button ref={element} type="button" className="button little" onClick={onSeen}>
      More
    </button>
  )
}

function ItemTitle({ item }: Pick<LineProps, 'item'>) {
  return (
    <span className="title">
      {item.isStarred && (
        <>
          <span aria-hidden="true">★ </span>
          <span className="visually-hidden">Starred: </span>
        </>
      )}
      {!item.isRead && <span className="visually-hidden">Unread: </span>}
      {item.title ?? item.link ?? '(no title)'}
    </span>
  )
}
