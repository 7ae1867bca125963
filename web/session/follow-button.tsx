import { call } from '../client/call.ts'
import { useAction } from '../client/use-action.ts'
import { useCall } from '../client/use-call.ts'
import { t } from '../language/current.ts'
import { Failure } from '../ui/notice.tsx'
import { useSession } from './session.tsx'

interface FollowButtonProps {
  /** Path of the feed without format, as /feeds/source/3. */
  readonly feed: string
  readonly isLittle?: boolean
  readonly onChange?: () => void
}

/** Follows a query feed, category or source, or leaves it; what more people follow counts more to the scheduler. */
export function FollowButton({ feed, isLittle = false, onChange }: FollowButtonProps) {
  const { can } = useSession()
  const { isFollowed, isLoaded, change } = useFollow(feed, onChange)
  if (!can('write')) return null
  return (
    <>
      <button
        type="button"
        className={isLittle ? 'button little' : 'button'}
        aria-pressed={isFollowed}
        disabled={change.isRunning || !isLoaded}
        onClick={() => change.run()}
      >
        {isFollowed ? t.session.following : t.session.follow}
      </button>
      <Failure error={change.error} />
    </>
  )
}

function useFollow(feed: string, onChange: FollowButtonProps['onChange']) {
  const follows = useCall('listFollows', {})
  const isFollowed = follows.data?.follows.some((one) => one.feed === feed) === true
  const change = useAction(async () => {
    if (isFollowed) await call('unfollow', { query: { feed } })
    else await call('follow', { body: { feed } })
    follows.reload()
    onChange?.()
  })
  return { isFollowed, isLoaded: follows.data !== null, change }
}
