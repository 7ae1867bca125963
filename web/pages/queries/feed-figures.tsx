import type { QueryFeedDetail } from '../../../src/api/operations/wire.ts'
import { count, figure, percent } from '../../format/words.ts'
import { Tile } from '../../ui/tile.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'

/** How much, when, and for whom. */
export function FeedFigures({ feed }: { readonly feed: QueryFeedDetail }) {
  return (
    <section className="stack" aria-label="How it does">
      <div className="tiles">
        <Tile name="Items a day" value={figure(feed.itemsPerDay)} note="on average of two weeks" />
        <Tile
          name="Last item"
          value={feed.lastItemAt === null ? 'none' : <TimeAgo at={feed.lastItemAt} />}
          note={`${count(feed.publications)} in all`}
        />
        <Tile
          name="Readers"
          value={count(feed.followers)}
          note={feed.followers === 0 ? 'nobody follows it here yet' : 'people who follow it here'}
        />
        <Tile
          name="Sent to"
          value={count(feed.subscriptions)}
          unit={feed.subscriptions === 1 ? 'place' : 'places'}
          note="by webhook, mail or file"
        />
      </div>
      {feed.backFill !== null && (
        <p role="status" className="notice">
          Being filled from the archive: {percent(feed.backFill)} done.
        </p>
      )}
      {feed.lacks.length > 0 && (
        <p className="notice warn">
          Made without what is not there, or what its owner may not read: {feed.lacks.join(', ')}.
        </p>
      )}
    </section>
  )
}
