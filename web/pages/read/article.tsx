import { Link } from 'wouter'
import type { ItemDetail, ItemRow } from '../../../src/api/operations/wire.ts'
import { useCall } from '../../client/use-call.ts'
import { bytes, fullTime } from '../../format/words.ts'
import { Failure, Loading } from '../../ui/notice.tsx'
import { ItemContent } from './item-content.tsx'
import { hrefOf } from './scope.ts'
import type { Marks } from './use-items.ts'

interface ArticleProps {
  readonly seq: number
  /** As in the list, with the marks of the last moment; null: it is not in the list. */
  readonly row: ItemRow | null
  readonly onMark: (change: Marks) => void
  readonly onBack: () => void
}

export function Article({ seq, row, onMark, onBack }: ArticleProps) {
  const { data, error } = useCall('showItem', { params: { seq } })
  if (data === null) {
    return (
      <article className="panel article">
        {error === null ? <Loading what="the item" /> : <Failure error={error} />}
      </article>
    )
  }
  const isRead = row?.isRead ?? data.isRead
  const isStarred = row?.isStarred ?? data.isStarred
  return (
    <article
      className="panel article stack"
      data-seq={seq}
      aria-label={data.title ?? 'Item'}
      lang={data.language ?? undefined}
    >
      <div className="row">
        <button type="button" className="button little back-to-list" onClick={onBack}>
          ← List
        </button>
        <button type="button" className="button little" onClick={() => onMark({ isRead: !isRead })}>
          {isRead ? 'Keep unread' : 'Mark read'}
        </button>
        <button
          type="button"
          className="button little"
          aria-pressed={isStarred}
          onClick={() => onMark({ isStarred: !isStarred })}
        >
          {isStarred ? '★ Starred' : '☆ Star'}
        </button>
        {isWeb(data.link) && (
          <a className="button little" href={data.link} target="_blank" rel="noopener noreferrer">
            Open the original
          </a>
        )}
      </div>
      <h2>{data.title ?? '(no title)'}</h2>
      <Byline item={data} />
      <ItemContent html={data.html} />
      <Enclosures item={data} />
      {data.feeds.length > 0 && (
        <p className="small muted">
          In the query feeds{' '}
          {data.feeds.map((feed) => (
            <Link key={feed} href={hrefOf({ feed })}>
              {feed}{' '}
            </Link>
          ))}
        </p>
      )}
    </article>
  )
}

function Byline({ item }: { readonly item: ItemDetail }) {
  return (
    <p className="small muted">
      <Link href={`/sources/${item.sourceId}`}>{item.sourceName}</Link>
      {item.authors.length > 0 && ` · ${item.authors.join(', ')}`} · {fullTime(item.sortAt)}
      {item.categories.length > 0 && ` · ${item.categories.join(', ')}`}
      {isWeb(item.commentsUrl) && (
        <>
          {' · '}
          <a href={item.commentsUrl} target="_blank" rel="noopener noreferrer">
            Comments
          </a>
        </>
      )}
    </p>
  )
}

function Enclosures({ item }: { readonly item: ItemDetail }) {
  const safe = item.enclosures.filter(({ url }) => isWeb(url))
  if (safe.length === 0) return null
  return (
    <ul className="small" aria-label="Enclosures">
      {safe.map(({ url, type, lengthBytes }) => (
        <li key={url}>
          <a href={url} target="_blank" rel="noopener noreferrer">
            {type ?? 'Enclosure'}
          </a>
          {lengthBytes !== null && ` (${bytes(lengthBytes)})`}
        </li>
      ))}
    </ul>
  )
}

/** What is in an item may be anything, also an address that is a program. */
function isWeb(url: string | null): url is string {
  return url !== null && /^https?:\/\//i.test(url)
}
