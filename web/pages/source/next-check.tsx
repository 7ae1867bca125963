import type { SourceDetail } from '../../../src/api/operations/wire.ts'
import { useNow } from '../../format/clock.ts'
import { clockTime, fullTime, relative } from '../../format/words.ts'
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
      <h2 className="kicker">Next check</h2>
      <p className="big" title={nextCheckAt === null ? undefined : fullTime(nextCheckAt)}>
        {nextCheckAt === null ? 'Not planned' : nextCheckAt <= now ? 'Due now' : nextWords(nextCheckAt, now)}
      </p>
      <p>{source.nextCheckReason ?? 'The scheduler has given no reason yet.'}</p>
      {source.counts !== null && <Counts counts={source.counts} />}
      <LastTimes source={source} />
    </section>
  )
}

const HALF_A_DAY_MS = 12 * 3_600_000

/** With its time of day, where that says something. */
function nextWords(at: number, now: number): string {
  return at - now < HALF_A_DAY_MS ? `${clockTime(at)}, ${relative(at, now)}` : relative(at, now)
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
