import type { QueryFeedDetail } from '../../../src/api/operations/wire.ts'
import { count, percent, rounded } from '../../language/amounts.ts'
import { t } from '../../language/current.ts'
import { Tile } from '../../ui/tile.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'

/** How much, when, and for whom. */
export function FeedFigures({ feed }: { readonly feed: QueryFeedDetail }) {
  return (
    <section className="stack" aria-label={t.queries.howItDoes}>
      <div className="tiles">
        <Tile name={t.queries.itemsADay} value={rounded(feed.itemsPerDay)} note={t.queries.onAverage} />
        <Tile
          name={t.queries.lastItem}
          value={feed.lastItemAt === null ? t.queries.none : <TimeAgo at={feed.lastItemAt} />}
          note={t.queries.inAll({ n: count(feed.publications) })}
        />
        <Tile
          name={t.queries.readers}
          value={count(feed.followers)}
          note={feed.followers === 0 ? t.queries.nobodyFollows : t.queries.peopleFollow}
        />
        <Tile
          name={t.queries.sentTo}
          value={count(feed.subscriptions)}
          unit={feed.subscriptions === 1 ? t.queries.place : t.queries.places}
          note={t.queries.byWebhook}
        />
      </div>
      {feed.backFill !== null && (
        <p role="status" className="notice">
          {t.queries.beingFilled({ share: percent(feed.backFill) })}
        </p>
      )}
      {feed.lacks.length > 0 && <p className="notice warn">{t.queries.lacks({ names: feed.lacks.join(', ') })}</p>}
    </section>
  )
}
