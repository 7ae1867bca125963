import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { QueryFeedDetail } from '../../../src/api/operations/wire.ts'
import { call } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { count, percent, shareInWords } from '../../format/words.ts'
import { queryFeedPath } from '../../session/feed-paths.ts'
import { FollowButton } from '../../session/follow-button.tsx'
import { BarList } from '../../ui/bar-list.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FeedAddresses } from '../../ui/feed-addresses.tsx'
import { Failure } from '../../ui/notice.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { FeedTokens } from './feed-tokens.tsx'
import { FeedWish } from './feed-wish.tsx'
import { NotifyButton } from './notify-button.tsx'

interface FeedDetailsProps {
  readonly feed: QueryFeedDetail
  readonly onChange: () => void
}

const SHOWN_SOURCES = 8

export function FeedDetails({ feed, onChange }: FeedDetailsProps) {
  const [isDropping, setDropping] = useState(false)
  const access = useAction(async () => {
    await call('setQueryFeed', { params: { name: feed.name }, body: { isPrivate: !feed.isPrivate } })
    onChange()
  })
  return (
    <div className="query-grid">
      <section className="panel stack">
        <div className="row apart">
          <h2>Addresses</h2>
          <div className="row">
            <FollowButton feed={queryFeedPath(feed.name)} isLittle={true} onChange={onChange} />
            <Link className="button little" href={`/read?feed=${encodeURIComponent(feed.name)}`}>
              Read
            </Link>
            {feed.isMine && (
              <>
                <NotifyButton feed={feed.name} />
                <button
                  type="button"
                  className="button little"
                  disabled={access.isRunning}
                  onClick={() => access.run()}
                >
                  Make {feed.isPrivate ? 'public' : 'private'}
                </button>
                <button type="button" className="button little danger" onClick={() => setDropping(true)}>
                  Drop
                </button>
              </>
            )}
          </div>
        </div>
        <FeedAddresses urls={feed.urls} />
        <Failure error={access.error} />
        <p className="small muted">
          {feed.isPrivate ? 'Private: readers need a token.' : 'Public: everybody who knows the address can read it.'}{' '}
          {count(feed.publications)} publications, the last <TimeAgo at={feed.lastPublishedAt} />.
        </p>
        {feed.backFill !== null && (
          <p role="status" className="notice">
            Being filled from the archive: {percent(feed.backFill)} done.
          </p>
        )}
        {feed.isPrivate && feed.isMine && <FeedTokens feed={feed} onChange={onChange} />}
        {feed.isMine && <FeedWish feed={feed} onChange={onChange} />}
      </section>
      <section className="panel stack">
        <h2>What it keeps</h2>
        {feed.selectivity.length === 0 ? (
          <p className="muted">Nothing so far.</p>
        ) : (
          <BarList
            most={1}
            bars={feed.selectivity.slice(0, SHOWN_SOURCES).map(({ sourceId, sourceName, ...selectivity }) => ({
              key: sourceId,
              name: <Link href={`/sources/${sourceId}`}>{sourceName}</Link>,
              value: selectivity.share,
              label: shareInWords(selectivity),
            }))}
          />
        )}
        <p className="small muted">
          Reads {feed.reads.join(', ') || 'nothing'}. Read by {feed.readBy.join(', ') || 'no other feed'}.
        </p>
      </section>
      {isDropping && <DropFeed name={feed.name} onClose={() => setDropping(false)} />}
    </div>
  )
}

function DropFeed({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const [, navigate] = useLocation()
  const drop = useAction(async () => {
    await call('dropQueryFeed', { params: { name } })
    navigate('/queries')
  })
  return (
    <Dialog title={`Drop ${name}?`} onClose={onClose}>
      <p>Its addresses stop answering, and its subscriptions and tokens are gone. The items stay in the archive.</p>
      <Failure error={drop.error} />
      <div className="row">
        <button type="button" className="button danger" disabled={drop.isRunning} onClick={() => drop.run()}>
          Drop it
        </button>
        <button type="button" className="button" onClick={onClose}>
          Keep it
        </button>
      </div>
    </Dialog>
  )
}
