import type { Overview } from '../../../src/api/operations/wire.ts'
import { durationWords } from '../../format/words.ts'
import { count } from '../../language/amounts.ts'
import { t } from '../../language/current.ts'
import { type Comparison, laterWords, verdictOf } from './verdict.ts'

interface VerdictLineProps {
  readonly overview: Overview
  readonly comparison: Comparison | null
}

/** One sentence before any figure; then what it cost and what that bought. */
export function VerdictLine({ overview, comparison }: VerdictLineProps) {
  const { lead, needs, rest } = verdictOf(overview)
  return (
    <div className="verdict">
      <h1>
        {lead} {needs !== null && <a href="#need-you">{needs}</a>} {rest}
      </h1>
      <p>{comparison === null ? <TooEarly overview={overview} /> : <Bought comparison={comparison} />}</p>
    </div>
  )
}

function Bought({ comparison }: { readonly comparison: Comparison }) {
  const { requestsPerDay, ownDelayMs, pollingEveryMs } = comparison
  return (
    <>
      {t.overview.bought({
        requests: count(requestsPerDay),
        delay: durationWords(ownDelayMs),
        every: durationWords(pollingEveryMs),
        later: laterWords(comparison),
      })}
    </>
  )
}

function TooEarly({ overview: { counts } }: Pick<VerdictLineProps, 'overview'>) {
  return (
    <>
      {t.overview.tooEarly({
        items: t.common.items({ n: counts.items }),
        feeds: t.common.feeds({ n: counts.sources }),
      })}
    </>
  )
}
