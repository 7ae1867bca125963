import { type RefObject, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { OperationAnswer } from '../../client/call.ts'
import { t } from '../../language/current.ts'
import { FollowButton } from '../../session/follow-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Segments } from '../../ui/segments.tsx'
import { newQueryHref } from './saved-search.ts'
import { feedOf, hrefOf, type Scope } from './scope.ts'
import { ScopeChoice } from './scopes.tsx'
import type { Items } from './use-items.ts'
import { DENSITIES, ORDERS, type useTaste } from './use-taste.ts'

interface ListHeadProps {
  readonly scope: Scope
  readonly title: string
  readonly counts: OperationAnswer<'unreadCounts'> | null
  readonly list: Items
  readonly search: RefObject<HTMLInputElement | null>
  readonly fresh: number
  readonly taste: ReturnType<typeof useTaste>
  readonly onReload: () => void
  readonly onMarkAll: () => void
  readonly onHelp: () => void
}

/** Above the items: what is read, a search, and how it is shown. */
export function ListHead(props: ListHeadProps) {
  const { scope, title, counts, list, fresh, onReload, onMarkAll, onHelp } = props
  const [isOpen, setOpen] = useState(false)
  const followed = feedOf(scope)
  return (
    <header className="list-head stack tight">
      <div className="row apart">
        <h1>{title}</h1>
        <ScopeChoice scope={scope} counts={counts} title={title} />
        <span className="row">
          <button type="button" className="button little" onClick={onMarkAll}>
            {t.read.markAllRead}
          </button>
          <button
            type="button"
            className="button quiet icon-only"
            aria-label={t.read.howToShow}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name="list" />
          </button>
        </span>
      </div>
      <SearchField {...props} />
      {scope.text !== undefined && (
        <p className="row small muted" role="status">
          {list.found === null ? t.read.searching : foundWords(list.found)}
          <Link href={newQueryHref(scope)}>{t.read.saveAsQuery}</Link>
        </p>
      )}
      {isOpen && (
        <div className="stack tight">
          <UnreadOnly scope={scope} />
          <Looks taste={props.taste} />
          <span className="row">
            {followed !== null && <FollowButton key={followed} feed={followed} isLittle={true} />}
            <button type="button" className="button quiet little" onClick={onHelp}>
              {t.read.keys}
            </button>
          </span>
        </div>
      )}
      {fresh > 0 && (
        <button type="button" className="button little" onClick={onReload}>
          {t.common.newItems({ n: fresh })}
        </button>
      )}
    </header>
  )
}

function foundWords({ items, isAll }: NonNullable<Items['found']>): string {
  const words = t.common.items({ n: items })
  return isAll ? words : t.read.moreThan({ items: words })
}

function SearchField({ scope, search }: ListHeadProps) {
  const [, navigate] = useLocation()
  return (
    <form
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
        aria-label={t.read.search}
        placeholder={t.read.searchPlaceholder}
        defaultValue={scope.text ?? ''}
      />
    </form>
  )
}

function UnreadOnly({ scope }: Pick<ListHeadProps, 'scope'>) {
  const [, navigate] = useLocation()
  return (
    <label className="row small">
      <input
        type="checkbox"
        checked={scope.unread === true}
        onChange={(event) => navigate(hrefOf({ ...scope, unread: event.target.checked }))}
      />
      {t.read.unreadOnly}
    </label>
  )
}

function Looks({ taste: [{ density, order, marksWhileScrolling }, change] }: Pick<ListHeadProps, 'taste'>) {
  return (
    <>
      <Segments
        legend={t.read.order}
        options={ORDERS.map((one) => [one, t.read.orders[one]] as const)}
        value={order}
        onChange={(next) => change({ order: next })}
      />
      <Segments
        legend={t.read.density}
        options={DENSITIES.map((one) => [one, t.read.densities[one]] as const)}
        value={density}
        onChange={(next) => change({ density: next })}
      />
      <label className="row small">
        <input
          type="checkbox"
          checked={marksWhileScrolling}
          onChange={(event) => change({ marksWhileScrolling: event.target.checked })}
        />
        {t.read.scrollReads}
      </label>
    </>
  )
}
