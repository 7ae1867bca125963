import type { InstantMs, Source } from '../../model/index.ts'
import { nextOpenTime } from './skip-times.ts'
import { safeUntil } from './turnover.ts'

/**
 * Until when hints hold back a source whose turn has come by price or time; null: they do not. The plan has honoured them
 * already, but the price moves, and a restart plans anew. Same rules as after-hints.ts.
 */
export function heldBackUntil({ state, intervalMs }: Source, now: InstantMs): InstantMs | null {
  if (intervalMs !== null || state.saturation !== null || state.status !== 'active') return null
  const openAt = state.hints === null ? now : nextOpenTime(now, state.hints)
  const until = Math.max(openAt, state.notBefore ?? now)
  if (until <= now) return null
  const safe = safeUntil(state, state.lastSuccessAt ?? now)
  if (safe === null || until <= safe) return until
  return safe > now ? safe : null
}
