import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import type { FollowRow } from '../../../src/api/operations/wire.ts'
import { call } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { useCall } from '../../client/use-call.ts'
import { plural } from '../../format/words.ts'
import { categoryFeed, queryFeedPath } from '../../session/feed-paths.ts'
import { useSession } from '../../session/session.tsx'
import { Field } from '../../ui/field.tsx'
import { Empty, Failure, Loading } from '../../ui/notice.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'

const KINDS = { feed: 'query feed', category: 'category', source: 'source' } as const

export function Follows() {
  const { can } = useSession()
  const { data, error, reload } = useCall('listFollows', {})
  const leave = useAction(async (feed: string) => {
    await call('unfollow', { query: { feed } })
    reload()
  })
  return (
    <section className="panel stack" aria-label="What you follow">
      <h2>What you follow</h2>
      <p className="lead">
        Query feeds, folders and feeds that count as read by you: what more people follow is checked more often.
      </p>
      <Failure error={error ?? leave.error} />
      {data === null && error === null && <Loading what="what you follow" />}
      {data?.follows.length === 0 && (
        <Empty title="Nothing yet">
          Choose a query feed or category here, or press Follow on the page of a source.
        </Empty>
      )}
      {data !== null && data.follows.length > 0 && (
        <ul className="subscriptions">
          {data.follows.map((one) => (
            <li key={one.feed}>
              <span className="what">
                <Link href={pathOfFollow(one)}>{one.title}</Link> <span className="badge">{KINDS[one.kind]}</span>
              </span>
              <span className="small muted">
                {plural(one.followers, 'follower')}, you since <TimeAgo at={one.since} />
              </span>
              <span className="row">
                <Link className="button little" href={readOf(one)} aria-label={`Read ${one.title}`}>
                  Read
                </Link>
                {can('write') && (
                  <button
                    type="button"
                    className="button little"
                    aria-label={`Unfollow ${one.title}`}
                    disabled={leave.isRunning}
                    onClick={() => leave.run(one.feed)}
                  >
                    Unfollow
                  </button>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
      {data !== null && can('write') && <AddFollow known={data.follows} onAdded={reload} />}
    </section>
  )
}

interface AddFollowProps {
  readonly known: readonly FollowRow[]
  readonly onAdded: () => void
}

function AddFollow({ known, onAdded }: AddFollowProps) {
  const feeds = useCall('listQueryFeeds', {})
  const categories = useCall('listCategories', {})
  const [chosen, setChosen] = useState('')
  const add = useAction(async () => {
    await call('follow', { body: { feed: chosen } })
    setChosen('')
    onAdded()
  })
  const followed = new Set(known.map(({ feed }) => feed))
  const queryFeeds = (feeds.data?.feeds ?? []).map(({ name, title }) => [queryFeedPath(name), title ?? name] as const)
  const folders = (categories.data?.categories ?? []).map(({ category }) => [categoryFeed(category), category] as const)
  const groups = [
    ['Query feeds', queryFeeds.filter(([feed]) => !followed.has(feed))],
    ['Categories', folders.filter(([feed]) => !followed.has(feed))],
  ] as const
  if (groups.every(([, options]) => options.length === 0)) return null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    add.run()
  }
  return (
    <form className="row add-line" onSubmit={submit}>
      <Field label="Follow a query feed or category">
        {(ids) => (
          <select {...ids} required value={chosen} onChange={(event) => setChosen(event.target.value)}>
            <option value="">Choose …</option>
            {groups.map(([title, options]) => (
              <optgroup key={title} label={title}>
                {options.map(([feed, name]) => (
                  <option key={feed} value={feed}>
                    {name}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        )}
      </Field>
      <button type="submit" className="button main" disabled={chosen === '' || add.isRunning}>
        Follow
      </button>
      <Failure error={add.error} />
    </form>
  )
}

function pathOfFollow({ kind, name, sourceId }: FollowRow): string {
  if (kind === 'source') return `/sources/${sourceId}`
  return kind === 'feed' ? `/queries/${encodeURIComponent(name)}` : `/read?category=${encodeURIComponent(name)}`
}

function readOf({ kind, name, sourceId }: FollowRow): string {
  if (kind === 'source') return `/read?source=${sourceId}`
  return `/read?${kind}=${encodeURIComponent(name)}`
}
