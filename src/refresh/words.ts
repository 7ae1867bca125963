import { DAY_MS, type DurationMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '../model/index.ts'

/** A duration as a person would say it: two digits are enough for a reason. */
export function describeDuration(ms: DurationMs): string {
  if (ms < MINUTE_MS) return `${short(ms / SECOND_MS)} s`
  if (ms < 2 * HOUR_MS) return `${short(ms / MINUTE_MS)} min`
  if (ms < 2 * DAY_MS) return `${short(ms / HOUR_MS)} h`
  return `${short(ms / DAY_MS)} days`
}

function short(amount: number): string {
  return String(amount < 10 ? Math.round(amount * 10) / 10 : Math.round(amount))
}
