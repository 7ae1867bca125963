import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import type { FollowRow } from '../../../src/api/operations/wire.ts'
import { call } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { useCall } from '../../client/use-call.ts'
import { t } from '../../language/current.ts'
import { categoryFeed, queryFeedPath } from '../../session/feed-paths.ts'
import { useSession } from '../../session/session.tsx'
import { Field } from '../../ui/field.tsx'
import { Empty, Failure, Loading } from '../../ui/notice.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'

const kinds = () =>
  ({ feed: t.deliveries.kindFeed, category: t.deliveries.kindCategory, source: t.deliveries.kindSource }) as const

export function Follows() {
  const { can } = useSession()
  const { data, error, reload } = useCall('listFollows', {})
  const leave = useAction(async (feed: string) => {
    await call('unfollow', { query: { feed } })
    reload()
  })
  return (
    <section className="panel stack" aria-label={t.deliveries.whatYouFollow}>
      <h2>{t.deliveries.whatYouFollow}</h2>
      <p className="lead">{t.deliveries.followLead}</p>
      <Failure error={error ?? leave.error} />
      {data === null && error === null && <Loading what={t.deliveries.yourFollows} />}
      {data?.follows.length === 0 && <Empty title={t.deliveries.nothingYet}>{t.deliveries.followHint}</Empty>}
      {data !== null && data.follows.length > 0 && (
        <ul className="subscriptions">
          {data.follows.map((one) => (
            <li key={one.feed}>
              <span className="what">
                <Link href={pathOfFollow(one)}>{one.title}</Link> <span className="badge">{kinds()[one.kind]}</span>
              </span>
              <span className="small muted">
                {t.deliveries.followersSince({
                  followers: t.common.followers({ n: one.followers }),
                  since: <TimeAgo at={one.since} />,
                })}
              </span>
              <span className="row">
                <Link
                  className="button little"
                  href={readOf(one)}
                  aria-label={t.deliveries.readTitle({ title: one.title })}
                >
                  {t.shell.pages.read}
                </Link>
                {can('write') && (
                  <button
                    type="button"
                    className="button little"
                    aria-label={t.deliveries.unfollowTitle({ title: one.title })}
                    disabled={leave.isRunning}
                    onClick={() => leave.run(one.feed)}
                  >
                    {t.deliveries.unfollow}
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
    [t.deliveries.queryFeeds, queryFeeds.filter(([feed]) => !followed.has(feed))],
    [t.deliveries.categories, folders.filter(([feed]) => !followed.has(feed))],
  ] as const
  if (groups.every(([, options]) => options.length === 0)) return null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    add.run()
  }
  return (
    <form className="row add-line" onSubmit={submit}>
      <Field label={t.deliveries.followSome}>
        {(ids) => (
          <select {...ids} required value={chosen} onChange={(event) => setChosen(event.target.value)}>
            <option value="">{t.deliveries.choose}</option>
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
        {t.session.follow}
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
