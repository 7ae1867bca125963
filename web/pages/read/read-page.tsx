import { useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { useEvent } from '../../client/events.ts'
import { useAction } from '../../client/use-action.ts'
import { useCall } from '../../client/use-call.ts'
import { useDebounced } from '../../client/use-debounced.ts'
import { plural } from '../../format/words.ts'
import { categoryFeed, FollowButton, queryFeedPath } from '../../session/follow-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Article } from './article.tsx'
import { ItemList } from './item-list.tsx'
import './read.css'
import { hrefOf, paramsOf, type Scope, scopeFrom, titleOf } from './scope.ts'
import { ScopeChoice, Scopes } from './scopes.tsx'
import { type Marks, useItems } from './use-items.ts'
import { useKeys } from './use-keys.ts'

const KEYS = [
  ['j', 'next item'],
  ['k', 'item before'],
  ['m', 'read or unread'],
  ['s', 'star or unstar'],
  ['o', 'open the original'],
  ['A', 'mark all read'],
  ['/', 'search'],
  ['r', 'look for new items'],
  ['?', 'these keys'],
] as const

/** Who leafs through items fast is counted once. */
const COUNT_AFTER_MS = 300

export default function ReadPage() {
  const [params] = useSearchParams()
  const [, navigate] = useLocation()
  const scope = scopeFrom(params)
  const counts = useCall('unreadCounts', {})
  const list = useItems(scope, useDebounced(counts.reload, COUNT_AFTER_MS))
  const selected = Number(params.get('item')) || null
  const [isHelpOpen, setHelpOpen] = useState(false)
  const [fresh, setFresh] = useState(0)
  const search = useRef<HTMLInputElement>(null)
  useEvent('items', ({ count }) => setFresh((last) => last + count))

  const go = (item: number | null) => {
    const next = paramsOf(scope)
    if (item !== null) next.set('item', String(item))
    navigate(next.size === 0 ? '/read' : `/read?${next}`, { replace: selected !== null && item !== null })
  }
  const select = (seq: number) => {
    go(seq)
    if (list.items.find((item) => item.seq === seq)?.isRead === false) list.mark(seq, { isRead: true })
  }
  const step = (by: 1 | -1) => {
    const at = list.items.findIndex(({ seq }) => seq === selected)
    const next = list.items[at === -1 ? 0 : at + by]
    if (next) select(next.seq)
    if (by === 1 && at >= list.items.length - 2) list.loadMore()
  }
  const row = list.items.find(({ seq }) => seq === selected) ?? null
  const mark = (change: Marks) => {
    if (selected !== null) list.mark(selected, change)
  }
  const markAll = useAction(async () => {
    await list.markAllRead()
    counts.reload()
  })
  const reload = () => {
    setFresh(0)
    list.reload()
    counts.reload()
  }
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    m: () => row && mark({ isRead: !row.isRead }),
    s: () => row && mark({ isStarred: !row.isStarred }),
    o: () => {
      if (row?.link && /^https?:\/\//i.test(row.link)) window.open(row.link, '_blank', 'noopener,noreferrer')
    },
    // Shift and a.
    ['A']: () => markAll.run(),
    r: reload,
    '/': () => search.current?.focus(),
    '?': () => setHelpOpen(true),
  })

  const followed = feedOf(scope)
  const actions = (
    <>
      {followed !== null && <FollowButton key={followed} feed={followed} isLittle={true} />}
      {fresh > 0 && (
        <button type="button" className="button little" onClick={reload}>
          {plural(fresh, 'new item')}
        </button>
      )}
      <label className="row small">
        <input
          type="checkbox"
          checked={scope.unread === true}
          onChange={(event) => navigate(hrefOf({ ...scope, unread: event.target.checked }))}
        />
        Unread only
      </label>
      <button type="button" className="button little" disabled={markAll.isRunning} onClick={() => markAll.run()}>
        Mark all read
      </button>
      <button type="button" className="button quiet little" onClick={() => setHelpOpen(true)}>
        Keys
      </button>
    </>
  )
  return (
    <Page title={titleOf(scope)} actions={actions}>
      <Failure error={markAll.error} />
      <div className="row">
        <ScopeChoice scope={scope} counts={counts.data} />
        <form
          className="grow"
          role="search"
          onSubmit={(event) => {
            event.preventDefault()
            const text = search.current?.value.trim() ?? ''
            const { text: _before, ...rest } = scope
            navigate(hrefOf(text === '' ? rest : { ...rest, text }))
            search.current?.blur()
          }}
        >
          <input
            ref={search}
            key={scope.text ?? ''}
            type="search"
            aria-label="Search"
            placeholder='Search: words, "phrases", -not'
            defaultValue={scope.text ?? ''}
          />
        </form>
      </div>
      <div className={selected === null ? 'reader' : 'reader has-item'}>
        <Scopes scope={scope} counts={counts.data} />
        <ItemList list={list} selected={selected} onSelect={select} />
        {selected === null ? (
          <div className="panel article muted">
            Choose an item, or press <kbd>j</kbd>.
          </div>
        ) : (
          <Article key={selected} seq={selected} row={row} onMark={mark} onBack={() => go(null)} />
        )}
      </div>
      {isHelpOpen && <KeyHelp onClose={() => setHelpOpen(false)} />}
    </Page>
  )
}

function feedOf({ feed, category, sourceId }: Scope): string | null {
  if (feed !== undefined) return queryFeedPath(feed)
  if (category !== undefined) return categoryFeed(category)
  return sourceId === undefined ? null : `/feeds/source/${sourceId}`
}

function KeyHelp({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl className="pairs">
        {KEYS.map(([key, what]) => (
          <div key={key} style={{ display: 'contents' }}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
