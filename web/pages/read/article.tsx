import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import type { ItemDetail, ItemRow } from '../../../src/api/operations/wire.ts'
import { useCall } from '../../client/use-call.ts'
import { fullTime } from '../../format/words.ts'
import { t } from '../../language/current.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Monogram } from '../../ui/monogram.tsx'
import { Failure, Loading } from '../../ui/notice.tsx'
import { Highlighted } from './highlight.tsx'
import { ItemContent } from './item-content.tsx'
import { Enclosures, type Playing } from './player.tsx'
import { hrefOf } from './scope.ts'
import { ShareButton } from './share-button.tsx'
import type { Marks } from './use-items.ts'
import { isWeb } from './web-link.ts'

interface ArticleProps {
  readonly seq: number
  /** As in the list, with the marks of the last moment; null: it is not in the list. */
  readonly row: ItemRow | null
  /** What was searched for. */
  readonly search: string | undefined
  /** Of a query feed, by its name. */
  readonly titleOfFeed: (feed: string) => string
  readonly onMark: (change: Marks) => void
  readonly onBack: () => void
  readonly onStep: (by: 1 | -1) => void
  readonly onPlay: (playing: Playing) => void
}

export function Article({ seq, row, search, titleOfFeed, onMark, onBack, onStep, onPlay }: ArticleProps) {
  const { data, error } = useCall('showItem', { params: { seq } })
  const element = useRef<HTMLElement>(null)
  useEffect(() => {
    if (data !== null) element.current?.scrollTo({ top: 0 })
  }, [data])
  if (data === null) {
    return (
      <article className="article">
        {error === null ? <Loading what={t.read.theItem} /> : <Failure error={error} />}
      </article>
    )
  }
  const marks = { isRead: row?.isRead ?? data.isRead, isStarred: row?.isStarred ?? data.isStarred }
  return (
    <article
      ref={element}
      className="article"
      data-seq={seq}
      aria-label={data.title ?? t.read.item}
      lang={data.language ?? undefined}
    >
      <Tools item={data} marks={marks} onMark={onMark} onBack={onBack} onStep={onStep} />
      <div className="column">
        <Byline item={data} />
        <h2>
          <Highlighted text={data.title ?? t.common.noTitle} search={search} />
        </h2>
        <Enclosures item={data} onPlay={onPlay} />
        <ItemContent html={data.html} search={search} />
        <WhyHere item={data} titleOfFeed={titleOfFeed} />
      </div>
    </article>
  )
}

interface ToolsProps extends Pick<ArticleProps, 'onMark' | 'onBack' | 'onStep'> {
  readonly item: ItemDetail
  readonly marks: Required<Marks>
}

function Tools({ item, marks: { isRead, isStarred }, onMark, onBack, onStep }: ToolsProps) {
  return (
    <div className="row tools">
      <button type="button" className="button quiet little back-to-list" onClick={onBack}>
        <Icon name="left" />
        {t.read.list}
      </button>
      <button
        type="button"
        className="button quiet icon-only"
        aria-label={t.read.itemBefore}
        onClick={() => onStep(-1)}
      >
        <Icon name="up" />
      </button>
      <button type="button" className="button quiet icon-only" aria-label={t.read.nextItem} onClick={() => onStep(1)}>
        <Icon name="down" />
      </button>
      <span className="grow" />
      <button type="button" className="button quiet little" onClick={() => onMark({ isRead: !isRead })}>
        <Icon name="check" />
        {isRead ? t.read.keepUnread : t.read.markRead}
      </button>
      <button
        type="button"
        className="button quiet little"
        aria-pressed={isStarred}
        onClick={() => onMark({ isStarred: !isStarred })}
      >
        <Icon name="star" />
        {isStarred ? t.read.starred : t.read.star}
      </button>
      {isWeb(item.link) && (
        <>
          <ShareButton title={item.title ?? item.link} url={item.link} />
          <CopyButton text={item.link} label={t.read.copyLink} />
          <a className="button little" href={item.link} target="_blank" rel="noopener noreferrer">
            {t.read.openOriginal}
          </a>
        </>
      )}
    </div>
  )
}

const WORDS_A_MINUTE = 230

function Byline({ item }: { readonly item: ItemDetail }) {
  const words = item.html.replace(/<[^>]*>/g, ' ').split(/\s+/).length
  const minutes = Math.round(words / WORDS_A_MINUTE)
  return (
    <p className="byline small muted">
      <Monogram name={item.sourceName} sourceId={item.sourceId} />
      <span>
        <Link href={`/sources/${item.sourceId}`}>{item.sourceName}</Link>
        {item.authors.length > 0 && ` · ${item.authors.join(', ')}`} · {fullTime(item.sortAt)}
        {minutes > 0 && t.read.toRead({ minutes: t.common.minutes({ n: minutes }) })}
        {item.categories.length > 0 && ` · ${item.categories.join(', ')}`}
        {isWeb(item.commentsUrl) && (
          <>
            {' · '}
            <a href={item.commentsUrl} target="_blank" rel="noopener noreferrer">
              {t.read.comments}
            </a>
          </>
        )}
      </span>
    </p>
  )
}

function WhyHere({ item: { feeds }, titleOfFeed }: { readonly item: ItemDetail } & Pick<ArticleProps, 'titleOfFeed'>) {
  if (feeds.length === 0) return null
  return (
    <p className="small muted why-here">
      {t.read.whyHere({
        feeds: feeds.map((feed, i) => (
          <span key={feed}>
            {i > 0 && ', '}
            <Link href={hrefOf({ feed })}>{titleOfFeed(feed)}</Link>
          </span>
        )),
      })}
    </p>
  )
}
