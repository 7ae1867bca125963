import { DAY_MS, HOUR_MS, type InstantMs, MINUTE_MS } from '../../../model/index.ts'
import { describeMs } from '../../describe.ts'

export interface Why {
  readonly lastRefreshAt: InstantMs
  readonly dueAt: InstantMs
  readonly ratePerHour: number
  /** Hour of the day with far more than its share; null: none. */
  readonly busiestHour: number | null
  /** New items by the time it is due. */
  readonly expected: number
  /** Delay alone would have let it wait longer. */
  readonly threatened: boolean
}

/** The decision for people: when it publishes, what will be there, and why that is the moment. */
export function reasonInWords(why: Why): string {
  const { lastRefreshAt, dueAt, ratePerHour, busiestHour, threatened } = why
  if (!Number.isFinite(dueAt)) return 'never: nothing is expected of it (foresight)'
  const words = [`about ${(24 * ratePerHour).toPrecision(2)} items a day`]
  if (busiestHour !== null) words.push(`usually published about ${clock(busiestHour)}–${clock(busiestHour + 1)} UTC`)
  const because = threatened
    ? 'sooner than they are worth, or some would fall out of its window'
    : 'then they are worth the price of a request'
  const expected = `${itemsInWords(why.expected)} expected by ${timeOf(dueAt, dueAt - lastRefreshAt)}, ${because}`
  return `after ${describeMs(dueAt - lastRefreshAt)}: ${words.join(', ')}; ${expected} (foresight)`
}

function itemsInWords(items: number): string {
  const count = Number(items.toPrecision(items < 1 ? 1 : 2))
  return `${count} new item${count === 1 ? '' : 's'}`
}

/** The hour and minute; farther away, the day as well. */
function timeOf(at: InstantMs, waitMs: number): string {
  const time = new Date(Math.round(at / MINUTE_MS) * MINUTE_MS).toISOString()
  return `${waitMs < DAY_MS - HOUR_MS ? '' : `${time.slice(0, 10)} `}${time.slice(11, 16)} UTC`
}

function clock(hour: number): string {
  return `${String(hour % 24).padStart(2, '0')}:00`
}
