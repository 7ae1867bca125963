import type { SourceDetail } from '../../../src/api/operations/wire.ts'
import { useNow } from '../../format/clock.ts'
import { reasonWords } from '../../format/told-words.ts'
import { clockTime, fullTime, relative } from '../../format/words.ts'
import { t } from '../../language/current.ts'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { asSentence, plainReason } from './plain-reason.ts'

export function NextCheck({ source }: { readonly source: SourceDetail }) {
  const now = useNow(1_000)
  const { nextCheckAt } = source
  return (
    <section className="panel stack tight">
      <h2 className="kicker">{t.source.nextCheck}</h2>
      <p className="big" title={nextCheckAt === null ? undefined : fullTime(nextCheckAt)}>
        {nextCheckAt === null
          ? t.source.notPlanned
          : nextCheckAt <= now
            ? t.source.dueNow
            : nextWords(nextCheckAt, now)}
      </p>
      <Reason source={source} now={now} />
      {source.counts !== null && <Counts counts={source.counts} />}
      <LastTimes source={source} />
    </section>
  )
}

/** In plain words where they are known; what the scheduler wrote is folded under them. */
function Reason({ source, now }: { readonly source: SourceDetail; readonly now: number }) {
  const written = reasonWords(source)
  const plain = plainReason(source, now)
  if (plain === null) return <p>{written === null ? t.source.noReason : asSentence(written)}</p>
  return (
    <>
      <p>{plain}</p>
      <details className="small muted">
        <summary>{t.source.asScheduled}</summary>
        <p>{written}</p>
      </details>
    </>
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
          <dt title={countTitle(name)}>{name}</dt>
          <dd>{Number(value.toPrecision(3))}</dd>
        </div>
      ))}
    </dl>
  )
}

/** advaRSS's, in words. */
function countTitle(name: string): string | undefined {
  const words: Readonly<Record<string, string>> = t.source.counts
  return words[name]
}

function LastTimes({ source }: { readonly source: SourceDetail }) {
  return (
    <p className="small muted">
      {t.source.lastTimes({
        checked: <TimeAgo at={source.lastCheckAt} />,
        answered: <TimeAgo at={source.lastSuccessAt} />,
        new: <TimeAgo at={source.lastNewItemAt} />,
      })}
      {source.newestItemAt !== null && <> {t.source.newestItem({ when: <TimeAgo at={source.newestItemAt} /> })}</>}
    </p>
  )
}
