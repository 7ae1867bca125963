import { call } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { useCall } from '../../client/use-call.ts'
import { Failure } from '../../ui/notice.tsx'

/** Public or private, feed by feed; query feeds have it on their own page. */
export function FeedAccessSection() {
  const feeds = useCall('listFeeds', {})
  const set = useAction(async (feed: string, isPrivate: boolean) => {
    await call('setFeedAccess', { body: { feed, isPrivate } })
    feeds.reload()
  })
  const lines = feeds.data
    ? [
        ...feeds.data.feeds,
        { feed: '/feeds/source/*', title: 'Every single source', isPrivate: feeds.data.sourcesArePrivate },
      ]
    : []
  return (
    <section className="panel stack tight">
      <h2>Who may read the feeds</h2>
      <Failure error={feeds.error ?? set.error} />
      <ul>
        {lines.map(({ feed, title, isPrivate }) => (
          <li key={feed} className="row apart">
            <span>
              {title} <code className="small muted">{feed}</code>
            </span>
            <label className="row small">
              <input
                type="checkbox"
                checked={isPrivate}
                disabled={set.isRunning}
                onChange={(event) => set.run(feed, event.target.checked)}
              />
              private<span className="visually-hidden">: {title}</span>
            </label>
          </li>
        ))}
      </ul>
    </section>
  )
}
