import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import type { FoundFeed } from '../../../src/api/operations/wire.ts'
import { call } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { t } from '../../language/current.ts'
import { Field } from '../../ui/field.tsx'
import { Empty, Failure } from '../../ui/notice.tsx'
import { ItemTitles } from './item-titles.tsx'
import { PagePicker } from './page-picker.tsx'
import './sources.css'

interface AddSourceProps {
  /** To begin with; absent: none. */
  readonly address?: string
  readonly onAdded: (id: number, name: string) => void
}

/** By whatever address somebody pasted: shows the feeds found there, and why, before anything is saved. */
export function AddSource({ address = '', onAdded }: AddSourceProps) {
  const [url, setUrl] = useState(address)
  const [category, setCategory] = useState('')
  const [feeds, setFeeds] = useState<readonly FoundFeed[] | null>(null)
  /** The page whose items are picked, because it has no feed. */
  const [page, setPage] = useState<string | null>(null)
  const look = useAction(async () => {
    setFeeds(null)
    setPage(null)
    setFeeds((await call('discoverSource', { body: { url } })).feeds)
  })
  const categories = category.trim() === '' ? [] : [category.trim()]
  const add = useAction(async (feed: FoundFeed) => {
    const { source } = await call('addSource', { body: { url: feed.url, discover: false, categories } })
    setFeeds((last) => last?.map((one) => (one.url === feed.url ? { ...one, sourceId: source.id } : one)) ?? null)
    onAdded(source.id, source.name)
  })
  const pick = (address: string) => {
    setFeeds(null)
    setPage(address)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    look.run()
  }
  return (
    <div className="stack">
      <form className="stack" onSubmit={submit}>
        <Field label={t.sources.address} help={t.sources.addressHelp}>
          {(ids) => (
            <input
              {...ids}
              required
              inputMode="url"
              autoCapitalize="none"
              spellCheck={false}
              placeholder="https://example.org/"
              value={url}
              onChange={(event) => setUrl(event.target.value)}
            />
          )}
        </Field>
        <Field label={t.sources.category} help={t.sources.categoryHelp}>
          {(ids) => <input {...ids} value={category} onChange={(event) => setCategory(event.target.value)} />}
        </Field>
        <div className="row">
          <button type="submit" className="button main" disabled={look.isRunning}>
            {look.isRunning ? t.sources.looking : t.sources.lookForFeeds}
          </button>
          <button type="button" className="button" disabled={url.trim() === ''} onClick={() => pick(url.trim())}>
            {t.sources.itHasNoFeed}
          </button>
        </div>
      </form>
      <Failure error={look.error ?? add.error} />
      {page !== null && <PagePicker key={page} url={page} categories={categories} onAdded={onAdded} />}
      {feeds?.length === 0 && <Empty title={t.sources.noFeedFound}>{t.sources.tryFeedItself}</Empty>}
      {feeds?.map((feed) => (
        <FoundFeedCard key={feed.url} feed={feed} isBusy={add.isRunning} onAdd={() => add.run(feed)} />
      ))}
    </div>
  )
}

interface FoundProps {
  readonly feed: FoundFeed
  readonly isBusy: boolean
  readonly onAdd: () => void
}

function FoundFeedCard({ feed, isBusy, onAdd }: FoundProps) {
  return (
    <article className="found-feed stack tight">
      <div className="row apart">
        <h3>{feed.title ?? feed.url}</h3>
        {feed.sourceId === null ? (
          <button type="button" className="button main little" disabled={isBusy} onClick={onAdd}>
            {t.sources.follow}
          </button>
        ) : (
          <Link href={`/sources/${feed.sourceId}`}>{t.sources.followed}</Link>
        )}
      </div>
      <WhereFound feed={feed} />
      {feed.description !== null && <p className="small">{feed.description}</p>}
      <ItemTitles items={feed.items} />
    </article>
  )
}

function WhereFound({ feed }: Pick<FoundProps, 'feed'>) {
  return (
    <p className="small muted">
      {feed.rule !== null && (
        <>
          <strong>{feed.rule}</strong> →{' '}
        </>
      )}
      <code>{feed.url}</code> · {feed.format} · {t.common.items({ n: feed.itemCount })}
    </p>
  )
}
