import { Link, useLocation } from 'wouter'
import type { OperationAnswer } from '../../client/call.ts'
import { count } from '../../format/words.ts'
import { hrefOf, type Scope, titleOf } from './scope.ts'

type Unread = OperationAnswer<'unreadCounts'>
const MOST_COUNTED = 1_000

interface Entry {
  readonly scope: Scope
  readonly unread: number
}

interface ScopesProps {
  readonly scope: Scope
  readonly counts: Unread | null
}

export function Scopes({ scope, counts }: ScopesProps) {
  return (
    <nav className="panel scopes" aria-label="What to read">
      {groupsOf(counts).map(([title, entries]) => (
        <div key={title}>
          <h2>{title}</h2>
          <ul>
            {entries.map((entry) => (
              <li key={hrefOf(entry.scope)}>
                <Link href={hrefOf(entry.scope)} aria-current={isSame(entry.scope, scope) ? 'true' : undefined}>
                  <span>{titleOf(entry.scope)}</span>
                  <span className="small">{amount(entry.unread)}</span>
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

/** The same as a list to choose from, where there is no room beside the items. */
export function ScopeChoice({ scope, counts }: ScopesProps) {
  const [, navigate] = useLocation()
  const groups = groupsOf(counts)
  const isListed = groups.some(([, entries]) => entries.some((entry) => isSame(entry.scope, scope)))
  return (
    <select
      className="scope-choice"
      aria-label="What to read"
      value={isListed ? hrefOf(bare(scope)) : ''}
      onChange={(event) => navigate(event.target.value)}
    >
      {!isListed && <option value="">{titleOf(scope)}</option>}
      {groups.map(([title, entries]) => (
        <optgroup key={title} label={title}>
          {entries.map((entry) => (
            <option key={hrefOf(entry.scope)} value={hrefOf(entry.scope)}>
              {titleOf(entry.scope)} {amount(entry.unread)}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  )
}

function groupsOf(counts: Unread | null): readonly (readonly [string, readonly Entry[]])[] {
  const groups: (readonly [string, readonly Entry[]])[] = [
    [
      'All',
      [
        { scope: {}, unread: counts?.all ?? 0 },
        { scope: { starred: true }, unread: counts?.starred ?? 0 },
      ],
    ],
    ['Query feeds', (counts?.feeds ?? []).map(({ feed, unread }) => ({ scope: { feed }, unread }))],
    ['Categories', (counts?.categories ?? []).map(({ category, unread }) => ({ scope: { category }, unread }))],
  ]
  return groups.filter(([, entries]) => entries.length > 0)
}

function bare({ feed, category, sourceId, starred }: Scope): Scope {
  if (feed !== undefined) return { feed }
  if (category !== undefined) return { category }
  if (sourceId !== undefined) return { sourceId }
  return starred ? { starred } : {}
}

function isSame(entry: Scope, scope: Scope): boolean {
  return hrefOf(entry) === hrefOf(bare(scope))
}

function amount(unread: number): string {
  if (unread === 0) return ''
  return unread >= MOST_COUNTED ? `${count(MOST_COUNTED)}+` : count(unread)
}
