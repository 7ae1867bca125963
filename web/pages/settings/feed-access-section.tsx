import { call, type OperationAnswer } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { useCall } from '../../client/use-call.ts'
import { t } from '../../language/current.ts'
import { Failure } from '../../ui/notice.tsx'

/** Public or private, feed by feed; query feeds have it on their own page. */
export function FeedAccessSection() {
  const feeds = useCall('listFeeds', {})
  const set = useAction(async (feed: string, isPrivate: boolean) => {
    await call('setFeedAccess', { body: { feed, isPrivate } })
    feeds.reload()
  })
  const lines = feeds.data ? linesOf(feeds.data) : []
  return (
    <section className="panel stack tight">
      <h2>{t.settings.whoMayRead}</h2>
      <Failure error={feeds.error ?? set.error} />
      <ul className="lines">
        {lines.map((line) => (
          <FeedLine key={line.feed} line={line} isBusy={set.isRunning} onSet={(value) => set.run(line.feed, value)} />
        ))}
      </ul>
    </section>
  )
}

const linesOf = ({ feeds, sourcesArePrivate }: OperationAnswer<'listFeeds'>) => [
  ...feeds,
  { feed: '/feeds/source/*', title: t.settings.everySource, isPrivate: sourcesArePrivate },
]

interface FeedLineProps {
  readonly line: ReturnType<typeof linesOf>[number]
  readonly isBusy: boolean
  readonly onSet: (isPrivate: boolean) => void
}

function FeedLine({ line: { feed, title, isPrivate }, isBusy, onSet }: FeedLineProps) {
  return (
    <li className="row apart">
      <span>
        {title} <code className="small muted">{feed}</code>
      </span>
      <label className="row small">
        <input
          type="checkbox"
          checked={isPrivate}
          disabled={isBusy}
          onChange={(event) => onSet(event.target.checked)}
        />
        {t.settings.private({ title: <span className="visually-hidden">: {title}</span> })}
      </label>
    </li>
  )
}
