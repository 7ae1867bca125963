import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import type { FoundFeed } from '../../../src/api/operations/wire.ts'
import { call } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { plural } from '../../format/words.ts'
import { Field } from '../../ui/field.tsx'
import { Empty, Failure } from '../../ui/notice.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import './sources.css'

interface AddSourceProps {
  readonly onAdded: (id: number, name: string) => void
}

/** By the address of a site or a feed: shows the feeds found there before anything is saved. */
export function AddSource({ onAdded }: AddSourceProps) {
  const [url, setUrl] = useState('')
  const [category, setCategory] = useState('')
  const [feeds, setFeeds] = useState<readonly FoundFeed[] | null>(null)
  const look = useAction(async () => {
    setFeeds(null)
    setFeeds((await call('discoverSource', { body: { url } })).feeds)
  })
  const add = useAction(async (feed: FoundFeed) => {
    const categories = category.trim() === '' ? [] : [category.trim()]
    const { source } = await call('addSource', { body: { url: feed.url, discover: false, categories } })
    setFeeds((last) => last?.map((one) => (one.url === feed.url ? { ...one, sourceId: source.id } : one)) ?? null)
    onAdded(source.id, source.name)
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    look.run()
  }
  return (
    <div className="stack">
      <form className="stack" onSubmit={submit}>
        <Field label="Address of a site or feed">
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
        <Field label="Category" help="If you like; folders are written as News/World.">
          {(ids) => <input {...ids} value={category} onChange={(event) => setCategory(event.target.value)} />}
        </Field>
        <div>
          <button type="submit" className="button main" disabled={look.isRunning}>
            {look.isRunning ? 'Looking …' : 'Look for feeds'}
          </button>
        </div>
      </form>
      <Failure error={look.error ?? add.error} />
      {feeds?.length === 0 && <Empty title="No feed found there">Try the address of the feed itself.</Empty>}
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

const SHOWN_ITEMS = 5

function FoundFeedCard({ feed, isBusy, onAdd }: FoundProps) {
  return (
    <article className="found-feed stack tight">
      <div className="row apart">
        <h3>{feed.title ?? feed.url}</h3>
        {feed.sourceId === null ? (
          <button type="button" className="button main little" disabled={isBusy} onClick={onAdd}>
            Follow
          </button>
        ) : (
          <Link href={`/sources/${feed.sourceId}`}>Followed</Link>
        )}
      </div>
      <p className="small muted">
        <code>{feed.url}</code> · {feed.format} · {plural(feed.itemCount, 'item')}
      </p>
      {feed.description !== null && <p className="small">{feed.description}</p>}
      <FirstItems feed={feed} />
    </article>
  )
}

function FirstItems({ feed }: Pick<FoundProps, 'feed'>) {
  return (
    <ul className="small">
      {feed.items.slice(0, SHOWN_ITEMS).map((item, i) => (
        <li key={item.link ?? item.title ?? i}>
          {item.title ?? item.link ?? '(no title)'}{' '}
          {item.published !== null && (
            <span className="muted">
              <TimeAgo at={item.published} />
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}
