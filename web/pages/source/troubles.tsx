import type { Refresh, SourceDetail } from '../../../src/api/operations/wire.ts'
import { figure } from '../../format/amounts.ts'
import { formatDuration } from '../../format/words.ts'
import { t } from '../../language/current.ts'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { Flooding } from './flooding.tsx'

interface TroublesProps {
  readonly source: SourceDetail
  /** Newest first. */
  readonly refreshes: readonly Refresh[]
  readonly onChange: () => void
}

/** What is wrong, in words, before anything else. */
export function Troubles({ source, refreshes, onChange }: TroublesProps) {
  const { lastError, saturation, refusal, movingTo, slowHostMs } = source
  const lastLoss = refreshes.find(({ overlap }) => overlap === 'none')
  return (
    <>
      {lastError !== null && source.failureCount > 0 && <Failures error={lastError} times={source.failureCount} />}
      {refusal !== null && <Flooding source={source} refusal={refusal} onChange={onChange} />}
      {saturation !== null && <Saturation saturation={saturation} />}
      {saturation === null && lastLoss !== undefined && (
        <div className="notice">
          It lost items <TimeAgo at={lastLoss.at} />, and has recovered since.
        </div>
      )}
      {slowHostMs !== null && <SlowHost answerMs={slowHostMs} />}
      {movingTo !== null && (
        <div className="notice warn">
          It says that it moved to <code>{movingTo.url}</code>; confirmed{' '}
          {t.common.times({ n: movingTo.confirmations })} so far.
        </div>
      )}
      {source.paused && <div className="notice warn">Paused: nothing is fetched until you resume it.</div>}
    </>
  )
}

interface SaturationProps {
  readonly saturation: NonNullable<SourceDetail['saturation']>
}

function Saturation({ saturation }: SaturationProps) {
  const { loss, repaired, repairedItems } = saturation
  return (
    <div className="notice bad">
      <strong>Saturated: items were lost</strong>
      <div className="hint">
        <TimeAgo at={saturation.at} /> nothing in the feed was known any more.{' '}
        {loss !== null &&
          `About ${figure(loss.items)} items are missing (${figure(loss.atLeast)} to ${figure(loss.atMost)}, by ${
            loss.basis === 'dates' ? 'their dates' : 'the rate learnt'
          }). `}
        {repaired && `${t.common.items({ n: repairedItems })} came back from older pages of the feed.`}
      </div>
    </div>
  )
}

interface FailuresProps {
  readonly error: NonNullable<SourceDetail['lastError']>
  readonly times: number
}

function Failures({ error, times }: FailuresProps) {
  return (
    <div className="notice bad">
      <strong>
        {error.message} ({error.code})
      </strong>
      <div className="hint">
        {error.hint} Failed {t.common.times({ n: times })} in a row, last <TimeAgo at={error.at} />.
      </div>
    </div>
  )
}

function SlowHost({ answerMs }: { readonly answerMs: number }) {
  return (
    <div className="notice warn">
      Its host is slow: answers take {formatDuration(answerMs)}. Slow hosts share a quarter of the places for requests,
      so it may be refreshed later than planned.
    </div>
  )
}
