import { HOUR_MS, type InstantMs } from '../model/index.ts'

const HOURS = 24

/** What the price was in each hour of the day (UTC) when it was last that hour; 0: nobody knows. */
export class DayPrices {
  private readonly prices: number[]
  private hour = -1
  private logSum = 0
  private count = 0

  constructor(known: readonly number[] = []) {
    this.prices = Array.from({ length: HOURS }, (_, hour) => known[hour] ?? 0)
  }

  get all(): readonly number[] {
    return [...this.prices]
  }

  note(price: number, at: InstantMs): void {
    const hour = hourOf(at)
    if (hour !== this.hour) {
      this.hour = hour
      this.logSum = 0
      this.count = 0
    }
    this.logSum += Math.log(price)
    this.count++
    this.prices[hour] = Math.exp(this.logSum / this.count)
  }
}

/** The price that was usual at this time of the day; null: nobody knows. */
export function usualPrice(prices: readonly number[], at: InstantMs): number | null {
  const price = prices[hourOf(at)] ?? 0
  return price > 0 ? price : null
}

function hourOf(at: InstantMs): number {
  const hour = Math.floor(at / HOUR_MS) % HOURS
  return hour < 0 ? hour + HOURS : hour
}
