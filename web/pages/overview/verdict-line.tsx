import type { Overview } from '../../../src/api/operations/wire.ts'
import { count, durationWords, plural } from '../../format/words.ts'
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
      {count(requestsPerDay)} requests a day bring you news <strong>{durationWords(ownDelayMs)}</strong> after it
      appears. Spent on polling every feed each {durationWords(pollingEveryMs)}, the same requests would{' '}
      {laterWords(comparison)}.
    </>
  )
}

function TooEarly({ overview: { counts } }: Pick<VerdictLineProps, 'overview'>) {
  return (
    <>
      {plural(counts.items, 'item')} of {plural(counts.sources, 'feed')} are archived. How late news arrives is known
      after about half an hour at work.
    </>
  )
}
