import type { SourceDetail } from '../../../src/api/operations/wire.ts'
import { useNow } from '../../format/clock.ts'
import { fullTime, relative } from '../../format/words.ts'
import { TimeAgo } from '../../ui/time-ago.tsx'

export function NextCheck({ source }: { readonly source: SourceDetail }) {
  const now = useNow(1_000)
  const { nextCheckAt } = source
  return (
    <section className="panel stack tight">
      <h2>Next check</h2>
      <p className="big" title={nextCheckAt === null ? undefined : fullTime(nextCheckAt)}>
        <strong>
          {nextCheckAt === null ? 'Not planned' : nextCheckAt <= now ? 'Due now' : relative(nextCheckAt, now)}
        </strong>
      </p>
      <p>{source.nextCheckReason ?? 'The scheduler has given no reason yet.'}</p>
      <p className="small muted">
        Last looked at <TimeAgo at={source.lastCheckAt} />, last answered <TimeAgo at={source.lastSuccessAt} />, last
        found something new <TimeAgo at={source.lastNewItemAt} />.
        {source.newestItemAt !== null && (
          <>
            {' '}
            Newest item: <TimeAgo at={source.newestItemAt} />.
          </>
        )}
      </p>
    </section>
  )
}
