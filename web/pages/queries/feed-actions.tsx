import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { QueryFeedDetail } from '../../../src/api/operations/wire.ts'
import { call } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { t } from '../../language/current.ts'
import { queryFeedPath } from '../../session/feed-paths.ts'
import { FollowButton } from '../../session/follow-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/notice.tsx'

interface FeedActionsProps {
  readonly feed: QueryFeedDetail
  readonly onChange: () => void
}

export function FeedActions({ feed, onChange }: FeedActionsProps) {
  const [isDropping, setDropping] = useState(false)
  return (
    <>
      <FollowButton feed={queryFeedPath(feed.name)} onChange={onChange} />
      <Link className="button" href={`/read?feed=${encodeURIComponent(feed.name)}`}>
        {t.shell.pages.read}
      </Link>
      {feed.isMine && (
        <button type="button" className="button danger" onClick={() => setDropping(true)}>
          {t.queries.drop}
        </button>
      )}
      {isDropping && <DropFeed name={feed.name} onClose={() => setDropping(false)} />}
    </>
  )
}

function DropFeed({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const [, navigate] = useLocation()
  const drop = useAction(async () => {
    await call('dropQueryFeed', { params: { name } })
    navigate('/queries')
  })
  return (
    <Dialog title={t.queries.dropName({ name })} onClose={onClose}>
      <p>{t.queries.dropWords}</p>
      <Failure error={drop.error} />
      <div className="row">
        <button type="button" className="button danger" disabled={drop.isRunning} onClick={() => drop.run()}>
          {t.queries.dropIt}
        </button>
        <button type="button" className="button" onClick={onClose}>
          {t.queries.keepIt}
        </button>
      </div>
    </Dialog>
  )
}
