import { Link } from 'wouter'
import type { QueryFeedDetail } from '../../../src/api/operations/wire.ts'
import { call } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { shareInWords } from '../../format/words.ts'
import { t } from '../../language/current.ts'
import { BarList } from '../../ui/bar-list.tsx'
import { FeedAddresses } from '../../ui/feed-addresses.tsx'
import { Failure } from '../../ui/notice.tsx'
import { FeedTokens } from './feed-tokens.tsx'
import { FeedWish } from './feed-wish.tsx'
import { NotifyButton } from './notify-button.tsx'

interface FeedDetailsProps {
  readonly feed: QueryFeedDetail
  readonly onChange: () => void
}

const SHOWN_SOURCES = 8

export function FeedDetails({ feed, onChange }: FeedDetailsProps) {
  return (
    <div className="halves">
      <Addresses feed={feed} onChange={onChange} />
      <WhatItKeeps feed={feed} />
      {feed.isMine && (
        <section className="panel stack">
          <FeedWish feed={feed} onChange={onChange} />
        </section>
      )}
    </div>
  )
}

function Addresses({ feed, onChange }: FeedDetailsProps) {
  const access = useAction(async () => {
    await call('setQueryFeed', { params: { name: feed.name }, body: { isPrivate: !feed.isPrivate } })
    onChange()
  })
  return (
    <section className="panel stack">
      <div className="row apart">
        <h2>{t.queries.addresses}</h2>
        {feed.isMine && (
          <div className="row">
            <NotifyButton feed={feed.name} />
            <button type="button" className="button little" disabled={access.isRunning} onClick={() => access.run()}>
              {t.queries.make({ how: feed.isPrivate ? t.queries.public : t.queries.private })}
            </button>
          </div>
        )}
      </div>
      <p className="lead">{feed.isPrivate ? t.queries.privateWords : t.queries.publicWords}</p>
      <FeedAddresses urls={feed.urls} />
      <Failure error={access.error} />
      {feed.isPrivate && feed.isMine && <FeedTokens feed={feed} onChange={onChange} />}
    </section>
  )
}

function WhatItKeeps({ feed }: { readonly feed: QueryFeedDetail }) {
  return (
    <section className="panel stack">
      <h2>{t.queries.whatItKeeps}</h2>
      {feed.selectivity.length === 0 ? <p className="muted">{t.queries.nothingSoFar}</p> : <KeptShares feed={feed} />}
      <p className="small muted">
        {t.queries.readsAndReadBy({
          reads: feed.reads.join(', ') || t.queries.nothing,
          readBy: feed.readBy.join(', ') || t.queries.noOtherFeed,
        })}
      </p>
    </section>
  )
}

function KeptShares({ feed }: { readonly feed: QueryFeedDetail }) {
  return (
    <BarList
      most={1}
      bars={feed.selectivity.slice(0, SHOWN_SOURCES).map(({ sourceId, sourceName, ...selectivity }) => ({
        key: sourceId,
        name: <Link href={`/sources/${sourceId}`}>{sourceName}</Link>,
        value: selectivity.share,
        label: shareInWords(selectivity),
      }))}
    />
  )
}
