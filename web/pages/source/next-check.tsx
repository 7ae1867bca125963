import type { SourceDetail } from '../../../src/api/operations/wire.ts'
import { useNow } from '../../format/clock.ts'
import { fullTime, relative } from '../../format/words.ts'
import { TimeAgo } from '../../ui/time-ago.tsx'

/** advaRSS's, in words. */
const COUNTS: Readonly<Record<string, string>> = {
  M: 'Runs between two checks',
  T: 'Runs without news, at least',
  ToE: 'Runs until the next check',
}

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
      {source.counts !== null && <Counts counts={source.counts} />}
      <LastTimes source={source} />
    </section>
  )
}

function Counts({ counts }: { readonly counts: NonNullable<SourceDetail['counts']> }) {
  return (
    <dl className="counts">
      {Object.entries(counts).map(([name, value]) => (
        <div key={name}>
          <dt title={COUNTS[name]}>{name}</dt>
          <dd>{Number(value.toPrecision(3))}</dd>
        </div>
      ))}
    </dl>
  )
}

function LastTimes({ source }: { readonly source: SourceDetail }) {
  return (
    <p className="small muted">
      Last checked <TimeAgo at={source.lastCheckAt} />, last answered <TimeAgo at={source.lastSuccessAt} />, last found
      something new <TimeAgo at={source.lastNewItemAt} />.
      {source.newestItemAt !== null && (
        <>
          {' '}
          Newest item: <TimeAgo at={source.newestItemAt} />.
        </>
      )}
    </p>
  )
}
