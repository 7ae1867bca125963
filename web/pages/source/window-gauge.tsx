import { useRef } from 'react'
import type { SourceDetail } from '../../../src/api/operations/wire.ts'
import { useNow } from '../../format/clock.ts'
import { HOUR_MS } from '../../format/words.ts'
import { percent, rounded } from '../../language/amounts.ts'
import { t } from '../../language/current.ts'
import { momentWords } from './plain-reason.ts'

const NEARLY_FULL = 0.8

/** The feed shows a window of W items: what is expected to have come since we looked pushes the oldest out. */
export function WindowGauge({ source }: { readonly source: SourceDetail }) {
  const now = useNow(1_000)
  const expected = useExpected(source, now)
  const { window } = source
  if (window === null || expected === null) return <UnknownWindow />
  const share = window.size > 0 ? expected / window.size : 0
  return (
    <section className="panel stack tight window-gauge">
      <h2>{t.source.windowFilling}</h2>
      <Meter share={share} />
      <p>{t.source.expected({ expected: rounded(expected), items: t.common.items({ n: window.size }) })}</p>
      <p className="small muted">{whenFull(window.fullAt, now)}</p>
    </section>
  )
}

function whenFull(fullAt: number | null, now: number) {
  if (fullAt === null) return t.source.notSoon
  const time = momentWords(fullAt, now)
  return fullAt > now ? t.source.fullAt({ time }) : t.source.fullSince({ time })
}

/** Goes on with the clock between two answers, at the rate believed. */
function useExpected(source: SourceDetail, now: number): number | null {
  const answered = useRef({ source, at: now })
  if (answered.current.source !== source) answered.current = { source, at: now }
  if (source.window === null) return null
  const sinceHours = Math.max(0, now - answered.current.at) / HOUR_MS
  return source.window.expectedItems + (source.ratePerHour ?? 0) * sinceHours
}

function UnknownWindow() {
  return (
    <section className="panel stack tight">
      <h2>{t.source.window}</h2>
      <p className="muted">{t.source.windowUnknown}</p>
    </section>
  )
}

function Meter({ share }: { readonly share: number }) {
  const look = share >= 1 ? 'bad' : share >= NEARLY_FULL ? 'warn' : ''
  return (
    <div
      className={`meter ${look}`}
      role="meter"
      aria-label={t.source.windowFilled}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.min(100, Math.round(share * 100))}
      aria-valuetext={percent(Math.min(1, share))}
    >
      <span style={{ width: `${Math.min(100, share * 100)}%` }} />
    </div>
  )
}
