import { type DurationMs, HOUR_MS } from '../model/index.ts'

/** Of what may be saved up, this much should be there: what is missing is spent in the busy hours. */
const SAVED_SHARE = 0.3
/** A token bucket that is emptied by a whole burst moves the price by so much (in its logarithm), and as steadily back. */
const BY_SAVED = 1.3
const STEADILY = 0.25
/** Timetables come due after the full hour: savings are measured over an hour. */
const SAVED_OVER_MS = HOUR_MS

/** Bounds one step. */
const LARGEST_STEP = 0.1

export interface Savings {
  /** What was saved, less what waited, over the last hour. */
  readonly saved: number
  /** The same now. */
  readonly savedNow: number
  readonly burst: number
  readonly target: number
  readonly periodMs: DurationMs
}

/**
 * The rule where much may be saved up, and spent when the sources are busy: the price hardly moves within the day, so that
 * every refresh stays at the moment that is best for it, and follows what is left in the token bucket over days.
 */
export function savingPrice(
  price: number,
  { saved, savedNow, burst, target, periodMs }: Savings,
): { readonly price: number; readonly saved: number } {
  const next = saved + (1 - Math.exp(-periodMs / SAVED_OVER_MS)) * (savedNow - saved)
  const gain = BY_SAVED / burst
  const change = -gain * (next - saved) - STEADILY * gain * gain * (next - SAVED_SHARE * burst) * target
  return { price: price * Math.exp(Math.min(LARGEST_STEP, Math.max(-LARGEST_STEP, change))), saved: next }
}
