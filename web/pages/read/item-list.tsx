import { memo, type ReactNode, useCallback, useEffect, useMemo, useRef } from 'react'
import type { ItemRow } from '../../../src/api/operations/wire.ts'
import { clockTime, dateOf } from '../../format/words.ts'
import { t } from '../../language/current.ts'
import { Icon } from '../../ui/icon.tsx'
import { Monogram } from '../../ui/monogram.tsx'
import { Empty, Failure } from '../../ui/notice.tsx'
import { Highlighted } from './highlight.tsx'
import type { Items } from './use-items.ts'

interface ItemListProps {
  readonly list: Items
  readonly selected: number | null
  readonly search: string | undefined
  readonly density: string
  readonly head: ReactNode
  readonly onSelect: (seq: number) => void
  /** Items that were scrolled past; null: nobody wants to know. */
  readonly onPassed: ((seqs: readonly number[]) => void) | null
}

export function ItemList({ list, selected, search, density, head, onSelect, onPassed }: ItemListProps) {
  const { items, isLoading, error, hasMore, loadMore } = list
  const element = useRef<HTMLElement>(null)
  usePassed(element, items, onPassed)
  const days = useMemo(() => items.map((item, i) => dayBefore(item, items[i - 1])), [items])
  const select = useLatest(onSelect)
  return (
    <section ref={element} className={`items ${density}`} aria-label={t.read.items} aria-busy={isLoading}>
      {head}
      <Failure error={error} />
      <ul>
        {items.map((item, i) => (
          <Line
            key={item.seq}
            item={item}
            day={days[i] ?? null}
            isSelected={item.seq === selected}
            search={search}
            onSelect={select}
          />
        ))}
      </ul>
      {items.length === 0 && !isLoading && error === null && (
        <Empty title={t.read.nothingHere}>{search === undefined ? t.read.allRead : t.read.noItemHas}</Empty>
      )}
      {isLoading && (
        <p className="muted small" role="status">
          {t.read.loading}
        </p>
      )}
      {hasMore && !isLoading && <More onSeen={loadMore} />}
    </section>
  )
}

/** The same function all the time, which calls the latest: whoever is given it need not be drawn again. */
function useLatest(action: (seq: number) => void): (seq: number) => void {
  const latest = useRef(action)
  latest.current = action
  return useCallback((seq) => latest.current(seq), [])
}

const SETTLED_MS = 400

/** Tells of unread items above the upper edge, when scrolling has come to rest. */
function usePassed(
  element: { readonly current: HTMLElement | null },
  items: readonly ItemRow[],
  onPassed: ItemListProps['onPassed'],
): void {
  const latest = useRef({ items, onPassed })
  latest.current = { items, onPassed }
  useEffect(() => {
    const box = element.current
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      const edge = box?.getBoundingClientRect().top ?? 0
      const unread = new Set(latest.current.items.filter(({ isRead }) => !isRead).map(({ seq }) => seq))
      const above = [...(box?.querySelectorAll<HTMLElement>('[data-seq]') ?? [])]
        .filter((line) => line.getBoundingClientRect().bottom < edge)
        .map((line) => Number(line.dataset['seq']))
        .filter((seq) => unread.has(seq))
      if (above.length > 0) latest.current.onPassed?.(above)
    }
    const scroll = () => {
      clearTimeout(timer)
      if (latest.current.onPassed !== null) timer = setTimeout(look, SETTLED_MS)
    }
    box?.addEventListener('scroll', scroll, { passive: true })
    return () => {
      clearTimeout(timer)
      box?.removeEventListener('scroll', scroll)
    }
  }, [element])
}

/** The day, where it is another than that of the item before. */
function dayBefore({ sortAt }: ItemRow, before: ItemRow | undefined): string | null {
  const day = dayWords(sortAt)
  return before !== undefined && dayWords(before.sortAt) === day ? null : day
}

function dayWords(at: number): string {
  const now = new Date()
  if (new Date(at).toDateString() === now.toDateString()) return t.read.today
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)
  return new Date(at).toDateString() === yesterday.toDateString() ? t.read.yesterday : dateOf(at, now.getTime())
}

interface LineProps {
  readonly item: ItemRow
  readonly day: string | null
  readonly isSelected: boolean
  readonly search: string | undefined
  readonly onSelect: (seq: number) => void
}

/** Of hundreds of lines a key changes two; the others stay as they are drawn. */
const Line = memo(function Line({ item, day, isSelected, search, onSelect }: LineProps) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isSelected) button.current?.scrollIntoView({ block: 'nearest' })
  }, [isSelected])
  return (
    <li className={item.isRead ? 'is-read' : ''} data-seq={item.seq}>
      {day !== null && <h3 className="day">{day}</h3>}
      <button
        ref={button}
        type="button"
        className="item"
        aria-current={isSelected ? 'true' : undefined}
        onClick={() => onSelect(item.seq)}
      >
        <SourceAndTime item={item} />
        <ItemTitle item={item} search={search} />
        <span className="small muted excerpt">
          <Highlighted text={item.excerpt} search={search} />
        </span>
        <Thumbnail item={item} />
      </button>
    </li>
  )
})

function SourceAndTime({ item }: Pick<LineProps, 'item'>) {
  return (
    <span className="from small muted">
      <Monogram name={item.sourceName} sourceId={item.sourceId} />
      <span className="name">{item.sourceName}</span>
      <time dateTime={new Date(item.sortAt).toISOString()}>{clockTime(item.sortAt)}</time>
    </span>
  )
}

function Thumbnail({ item: { image, medium } }: Pick<LineProps, 'item'>) {
  if (image === null && medium === null) return null
  return (
    <span className="thumbnail" aria-hidden="true">
      {image !== null && <img src={image} alt="" loading="lazy" referrerPolicy="no-referrer" />}
      {medium !== null && <Icon name="play" />}
    </span>
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
      {t.read.more}
    </button>
  )
}

function ItemTitle({ item, search }: Pick<LineProps, 'item' | 'search'>) {
  return (
    <span className="title">
      {item.isStarred && (
        <>
          <span aria-hidden="true">★ </span>
          <span className="visually-hidden">{t.read.starredSign}</span>
        </>
      )}
      {!item.isRead && <span className="visually-hidden">{t.read.unreadSign}</span>}
      <Highlighted text={item.title ?? item.link ?? t.common.noTitle} search={search} />
    </span>
  )
}
