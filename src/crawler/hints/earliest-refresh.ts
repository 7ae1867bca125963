import { DAY_MS, type InstantMs, type Source } from '../../model/index.ts'
import { nextOpenTime } from './skip-times.ts'
import { safeUntil } from './turnover.ts'

/**
 * Until when hints hold back a source whose turn has come by price or time; null: they do not. The plan has honoured them
 * already, but the price moves, and a restart plans again. Same rules as after-hints.ts.
 */
export function earliestRefreshAt(source: Source, now: InstantMs): InstantMs | null {
  const { state, intervalMs } = source
  const refusedUntil = restsUntil(source, now)
  if (refusedUntil !== null) return refusedUntil
  if (intervalMs !== null || state.saturation !== null || state.status !== 'active') return null
  const openAt = state.hints === null ? now : nextOpenTime(now, state.hints)
  const until = Math.max(openAt, state.notBefore ?? now)
  if (until <= now) return null
  const safe = safeUntil(state, state.lastSuccessAt ?? now)
  if (safe === null || until <= safe) return until
  return safe > now ? safe : null
}

/**
 * Nothing more of it can be stored today, whatever interval it has. A clock that was set back since must not make a year of it.
 */
function restsUntil({ state, dailyAllowance }: Source, now: InstantMs): InstantMs | null {
  const until = state.refusal?.until ?? null
  const isOver = until === null || until <= now || until > now + DAY_MS
  return isOver || dailyAllowance === 'off' || state.status !== 'active' ? null : until
}
