import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import type { OperationAnswer } from '../../client/call.ts'
import { count } from '../../language/amounts.ts'
import { t } from '../../language/current.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Monogram } from '../../ui/monogram.tsx'
import { type Folder, folderTree } from './folder-tree.ts'
import { hrefOf, isWithin, type Scope } from './scope.ts'

type Unread = OperationAnswer<'unreadCounts'>
const MOST_COUNTED = 10_000

interface ScopesProps {
  readonly scope: Scope
  readonly counts: Unread | null
}

/** Everything, the starred, query feeds by their titles, and folders with their feeds; each with what is unread. */
export function Scopes({ scope, counts }: ScopesProps) {
  const { folders, loose } = folderTree(counts ?? { categories: [], sources: [] })
  const feeds = counts?.feeds ?? []
  return (
    <nav className="scopes" aria-label={t.read.whatToRead}>
      <ul>
        <Entry scope={{}} at={scope} unread={counts?.all ?? 0} mark={<Icon name="all" />} name={t.read.everything} />
        <Entry
          scope={{ starred: true }}
          at={scope}
          unread={counts?.starred ?? 0}
          mark={<Icon name="star" />}
          name={t.read.starred}
        />
      </ul>
      {feeds.length > 0 && <h2>{t.shell.pages.queries}</h2>}
      <ul>
        {feeds.map(({ feed, title, unread }) => (
          <Entry key={feed} scope={{ feed }} at={scope} unread={unread} mark={mark('queries')} name={title ?? feed} />
        ))}
      </ul>
      {folders.length + loose.length > 0 && <h2>{t.read.folders}</h2>}
      <ul>
        {folders.map((folder) => (
          <FolderEntry key={folder.path} folder={folder} scope={scope} />
        ))}
        {loose.map((feed) => (
          <FeedEntryLine key={feed.sourceId} feed={feed} scope={scope} />
        ))}
      </ul>
    </nav>
  )
}

function mark(name: IconName): ReactNode {
  return <Icon name={name} />
}

interface EntryProps {
  readonly scope: Scope
  readonly at: Scope
  readonly unread: number
  readonly mark: ReactNode
  readonly name: string
}

function Entry({ scope, at, unread, mark: sign, name }: EntryProps) {
  return (
    <li>
      <Link href={hrefOf(scope)} aria-current={hrefOf(scope) === hrefOf(bare(at)) ? 'true' : undefined}>
        {sign}
        <span className="name">{name}</span>
        <span className="small">{amount(unread)}</span>
      </Link>
    </li>
  )
}

interface FolderEntryProps {
  readonly folder: Folder
  readonly scope: Scope
}

/** Open where one reads something in it, otherwise until somebody opens it. */
function FolderEntry({ folder, scope }: FolderEntryProps) {
  const isInside = isWithin(scope, folder.path) || folder.feeds.some(({ sourceId }) => sourceId === scope.sourceId)
  return (
    <li>
      <details open={isInside}>
        <summary aria-label={t.read.feedsOf({ folder: folder.name })} />
        <ul>
          {folder.folders.map((inner) => (
            <FolderEntry key={inner.path} folder={inner} scope={scope} />
          ))}
          {folder.feeds.map((feed) => (
            <FeedEntryLine key={feed.sourceId} feed={feed} scope={scope} />
          ))}
        </ul>
      </details>
      <FolderLink folder={folder} scope={scope} />
    </li>
  )
}

function FolderLink({ folder, scope }: FolderEntryProps) {
  return (
    <Link
      className="folder"
      href={hrefOf({ category: folder.path })}
      aria-current={scope.category === folder.path ? 'true' : undefined}
    >
      <span className="name">{folder.name}</span>
      <span className="small">{amount(folder.unread)}</span>
    </Link>
  )
}

function FeedEntryLine({ feed, scope }: { readonly feed: Unread['sources'][number]; readonly scope: Scope }) {
  const { sourceId, name, unread } = feed
  return (
    <Entry
      scope={{ sourceId }}
      at={scope}
      unread={unread}
      mark={<Monogram name={name} sourceId={sourceId} />}
      name={name}
    />
  )
}

/** The same as a list to choose from, where there is no room beside the items. */
export function ScopeChoice({ scope, counts, title }: ScopesProps & { readonly title: string }) {
  const [, navigate] = useLocation()
  const groups = groupsOf(counts)
  const isListed = groups.some(([, entries]) => entries.some((entry) => hrefOf(entry.scope) === hrefOf(bare(scope))))
  return (
    <select
      className="scope-choice"
      aria-label={t.read.whatToRead}
      value={isListed ? hrefOf(bare(scope)) : ''}
      onChange={(event) => navigate(event.target.value)}
    >
      {!isListed && <option value="">{title}</option>}
      {groups.map(([name, entries]) => (
        <optgroup key={name} label={name}>
          {entries.map((entry) => (
            <option key={hrefOf(entry.scope)} value={hrefOf(entry.scope)}>
              {entry.name} {amount(entry.unread)}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  )
}

interface ChoiceEntry {
  readonly scope: Scope
  readonly name: string
  readonly unread: number
}

function groupsOf(counts: Unread | null): readonly (readonly [string, readonly ChoiceEntry[]])[] {
  const groups: (readonly [string, readonly ChoiceEntry[]])[] = [
    [
      t.read.all,
      [
        { scope: {}, name: t.read.everything, unread: counts?.all ?? 0 },
        { scope: { starred: true }, name: t.read.starred, unread: counts?.starred ?? 0 },
      ],
    ],
    [
      t.shell.pages.queries,
      (counts?.feeds ?? []).map(({ feed, title, unread }) => ({ scope: { feed }, name: title ?? feed, unread })),
    ],
    [
      t.read.folders,
      (counts?.categories ?? []).map(({ category, unread }) => ({ scope: { category }, name: category, unread })),
    ],
    [
      t.read.feeds,
      (counts?.sources ?? []).map(({ sourceId, name, unread }) => ({ scope: { sourceId }, name, unread })),
    ],
  ]
  return groups.filter(([, entries]) => entries.length > 0)
}

function bare({ feed, category, sourceId, starred }: Scope): Scope {
  if (feed !== undefined) return { feed }
  if (category !== undefined) return { category }
  if (sourceId !== undefined) return { sourceId }
  return starred ? { starred } : {}
}

function amount(unread: number): string {
  if (unread === 0) return ''
  return unread >= MOST_COUNTED ? `${count(MOST_COUNTED)}+` : count(unread)
}
