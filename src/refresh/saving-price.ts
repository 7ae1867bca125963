import { type DurationMs, HOUR_MS } from '../model/index.ts'
import { type Demand, levelPrice } from './price.ts'

/** Of what may be saved up, this much should be there: what is missing is spent in the busy hours. */
const SAVED_SHARE = 0.3
/** A token bucket that is emptied by a whole burst moves the price by so much (in its logarithm), and as steadily back. */
const BY_SAVED = 1.3
const STEADILY = 0.25
/** Timetables come due after the full hour: savings are measured over an hour. */
const SAVED_OVER_MS = HOUR_MS

/** Bounds one step. */
const LARGEST_STEP = 0.1

/** Fuller than this nothing is saved any more: what comes in is lost. */
const FULL_SHARE = 0.98
/** Where it is empty or full the price moves by a factor of e within this at most. */
const BY_DEMAND_OVER_MS = HOUR_MS

interface Savings extends Demand {
  /** What was saved, less what waited, over the last hour. */
  readonly saved: number
  /** In the token bucket now. */
  readonly inBucket: number
  /** Due sources that wait for the budget, now. */
  readonly waiting: number
  readonly burst: number
  readonly periodMs: DurationMs
}

interface SavingState {
  readonly price: number
  readonly saved: number
  readonly level: number
}

/**
 * The rule where much may be saved up, and spent when the sources are busy: the price hardly moves within the day, so that
 * every refresh stays at the moment that is best for it, and follows what is left in the token bucket over days.
 *
 * An empty bucket says nothing about how far off the price is, for a source waits only once, and a full one as little. Then
 * the price moves as without saving, from demand, in the one direction that mends it. A new node begins with an empty bucket and the
 * strategy's first guess: with 41 feeds at 24 a day that is a twentieth of what it should be, and days passed without this.
 */
export function savingPrice(price: number, savings: Savings): SavingState {
  const { inBucket, waiting, burst } = savings
  const slow = slowPrice(price, savings)
  const isShort = inBucket < waiting
  if (!isShort && inBucket <= FULL_SHARE * burst) return { ...slow, level: 0 }
  const within = isShort ? Math.min(0, savings.level) : Math.max(0, savings.level)
  const { price: quick, level } = levelPrice(price, { ...savings, level: within })
  const most = Math.exp(savings.periodMs / BY_DEMAND_OVER_MS)
  const moved = isShort
    ? Math.max(slow.price, Math.min(quick, price * most))
    : Math.min(slow.price, Math.max(quick, price / most))
  return { price: moved, saved: slow.saved, level }
}

function slowPrice(price: number, { saved, inBucket, waiting, burst, target, periodMs }: Savings) {
  const next = saved + (1 - Math.exp(-periodMs / SAVED_OVER_MS)) * (inBucket - waiting - saved)
  const gain = BY_SAVED / burst
  const change = -gain * (next - saved) - STEADILY * gain * gain * (next - SAVED_SHARE * burst) * target
  return { price: price * Math.exp(Math.min(LARGEST_STEP, Math.max(-LARGEST_STEP, change))), saved: next }
}
