import type { Refresh, SourceDetail } from '../../../src/api/operations/wire.ts'
import { errorWords } from '../../format/told-words.ts'
import { formatDuration } from '../../format/words.ts'
import { figure } from '../../language/amounts.ts'
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
  const { condition, lastError, saturation, refusal, movingTo, slowHostMs } = source
  const lastLoss = refreshes.find(({ overlap }) => overlap === 'none')
  return (
    <>
      {lastError !== null && source.failureCount > 0 && <Failures error={lastError} times={source.failureCount} />}
      {refusal !== null && <Flooding source={source} refusal={refusal} onChange={onChange} />}
      {saturation !== null && <Saturation saturation={saturation} />}
      {saturation === null && lastLoss !== undefined && <Lost at={lastLoss.at} isOften={condition === 'saturated'} />}
      {slowHostMs !== null && <SlowHost answerMs={slowHostMs} />}
      {movingTo !== null && (
        <div className="notice warn">
          {t.source.movedTo({ url: movingTo.url, times: t.common.times({ n: movingTo.confirmations }) })}
        </div>
      )}
      {source.paused && <div className="notice warn">{t.source.pausedWords}</div>}
    </>
  )
}

function Lost({ at, isOften }: { readonly at: number; readonly isOften: boolean }) {
  const when = <TimeAgo at={at} />
  if (isOften) return <div className="notice bad">{t.source.losesOften({ when })}</div>
  return <div className="notice">{t.source.lostAndRecovered({ when })}</div>
}

interface SaturationProps {
  readonly saturation: NonNullable<SourceDetail['saturation']>
}

function Saturation({ saturation }: SaturationProps) {
  const { loss, repaired, repairedItems } = saturation
  return (
    <div className="notice bad">
      <strong>{t.source.saturatedLost}</strong>
      <div className="hint">
        {t.source.nothingKnown({
          when: <TimeAgo at={saturation.at} />,
          missing:
            loss !== null &&
            t.source.missing({
              items: loss.items,
              low: figure(loss.atLeast),
              high: figure(loss.atMost),
              basis: loss.basis === 'dates' ? t.source.theirDates : t.source.rateLearnt,
            }),
        })}
        {repaired && t.source.cameBack({ items: t.common.items({ n: repairedItems }) })}
      </div>
    </div>
  )
}

interface FailuresProps {
  readonly error: NonNullable<SourceDetail['lastError']>
  readonly times: number
}

function Failures({ error, times }: FailuresProps) {
  const { message, hint } = errorWords(error)
  return (
    <div className="notice bad">
      <strong>
        {message} ({error.code})
      </strong>
      <div className="hint">
        {t.source.failedTimes({
          hint,
          times: t.common.times({ n: times }),
          when: <TimeAgo at={error.at} />,
        })}
      </div>
    </div>
  )
}

function SlowHost({ answerMs }: { readonly answerMs: number }) {
  return <div className="notice warn">{t.source.slowHost({ time: formatDuration(answerMs) })}</div>
}
