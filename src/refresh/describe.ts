import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../model/index.ts'

/** A length of time for people: "45 s", "12 min", "3.5 h", "2.0 days". */
export function describeMs(ms: number): string {
  if (!Number.isFinite(ms)) return 'never'
  if (ms < MINUTE_MS) return `${Math.round(ms / SECOND_MS)} s`
  if (ms < 2 * HOUR_MS) return `${(ms / MINUTE_MS).toFixed(ms < 10 * MINUTE_MS ? 1 : 0)} min`
  if (ms < 2 * DAY_MS) return `${(ms / HOUR_MS).toFixed(1)} h`
  return `${(ms / DAY_MS).toFixed(1)} days`
}
