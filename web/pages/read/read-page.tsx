import { useEffect, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { useEvent } from '../../client/events.ts'
import { useCall } from '../../client/use-call.ts'
import { useDebounced } from '../../client/use-debounced.ts'
import { t } from '../../language/current.ts'
import { Toast } from '../../ui/toast.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { Article } from './article.tsx'
import { ItemList } from './item-list.tsx'
import { KeyHelp } from './key-help.tsx'
import { ListHead } from './list-head.tsx'
import { PlayerBar, type Playing } from './player.tsx'
import './read.css'
import { useKeys } from '../../ui/use-keys.ts'
import { paramsOf, scopeFrom, titleOf } from './scope.ts'
import { Scopes } from './scopes.tsx'
import { type Marks, useItems } from './use-items.ts'
import { useTaste } from './use-taste.ts'
import { useUndo } from './use-undo.ts'
import { isWeb } from './web-link.ts'

/** Who leafs through items fast is counted once. */
const COUNT_AFTER_MS = 300

export default function ReadPage() {
  const [params] = useSearchParams()
  const [, navigate] = useLocation()
  const scope = scopeFrom(params)
  const counts = useCall('unreadCounts', {})
  const taste = useTaste()
  const list = useItems(scope, taste[0].order, useDebounced(counts.reload, COUNT_AFTER_MS))
  const selected = Number(params.get('item')) || null
  const [isHelpOpen, setHelpOpen] = useState(false)
  const [isWide, setWide] = useState(false)
  const [playing, setPlaying] = useState<Playing | null>(null)
  const [fresh, setFresh] = useState(0)
  const search = useRef<HTMLInputElement>(null)
  const undo = useUndo()
  useEvent('items', ({ count }) => setFresh((last) => last + count))
  const title = titleOf(scope, counts.data)
  useTitle(title)

  const go = (item: number | null) => {
    const next = paramsOf(scope)
    if (item !== null) next.set('item', String(item))
    navigate(next.size === 0 ? '/read' : `/read?${next}`, { replace: selected !== null && item !== null })
  }
  const select = (seq: number) => {
    go(seq)
    if (list.items.find((item) => item.seq === seq)?.isRead === false) list.mark([seq], { isRead: true })
  }
  const step = (by: 1 | -1) => {
    const at = list.items.findIndex(({ seq }) => seq === selected)
    const next = list.items[at === -1 ? 0 : at + by]
    if (next) select(next.seq)
    if (by === 1 && at >= list.items.length - 2) list.loadMore()
  }
  const row = list.items.find(({ seq }) => seq === selected) ?? null
  const mark = (change: Marks) => {
    if (selected !== null) list.mark([selected], change)
  }
  const markAll = () => {
    const { words, commit, undo: back } = list.markAllRead()
    undo.begin({ words, undo: back, commit: () => commit().then(counts.reload, list.reload) })
  }
  const scopeKey = JSON.stringify(scope)
  const settle = useRef(undo.settle)
  settle.current = undo.settle
  // biome-ignore lint/correctness/useExhaustiveDependencies: who goes elsewhere has not undone it
  useEffect(() => () => settle.current(), [scopeKey])
  const reload = () => {
    undo.settle()
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
      if (row && isWeb(row.link)) window.open(row.link, '_blank', 'noopener,noreferrer')
    },
    // Shift and a.
    ['A']: markAll,
    r: reload,
    '/': () => search.current?.focus(),
    '[': () => setWide((last) => !last),
    '?': () => setHelpOpen(true),
  })
  const [{ density, marksWhileScrolling }] = taste
  const head = (
    <ListHead
      {...{ scope, title, counts: counts.data, list, search, fresh, taste }}
      onReload={reload}
      onMarkAll={markAll}
      onHelp={() => setHelpOpen(true)}
    />
  )
  return (
    <div className={`reader ${selected === null ? '' : 'has-item'} ${isWide ? 'wide' : ''}`}>
      <Scopes scope={scope} counts={counts.data} />
      <ItemList
        {...{ list, selected, density, head, search: scope.text }}
        onSelect={select}
        onPassed={marksWhileScrolling ? (seqs) => list.mark(seqs, { isRead: true }) : null}
      />
      {selected === null ? (
        <div className="article nothing muted">
          <p>{t.read.chooseItem()}</p>
        </div>
      ) : (
        <Article
          key={selected}
          {...{ seq: selected, row, search: scope.text }}
          titleOfFeed={(feed) => titleOf({ feed }, counts.data)}
          onMark={mark}
          onBack={() => go(null)}
          onStep={step}
          onPlay={setPlaying}
        />
      )}
      {playing !== null && <PlayerBar playing={playing} onClose={() => setPlaying(null)} />}
      {undo.words !== null && (
        <Toast onUndo={undo.undo} onEnd={undo.settle}>
          {undo.words}
        </Toast>
      )}
      {isHelpOpen && <KeyHelp onClose={() => setHelpOpen(false)} />}
    </div>
  )
}
