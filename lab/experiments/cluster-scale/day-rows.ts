import { DAY_MS, HOUR_MS, type InstantMs } from '../../../src/model/index.ts'
import type { WindowSight } from '../../simulator/source-run.ts'
import type { SimSource } from '../../simulator/world.ts'

/** What a day of refreshes writes, a source on average. */
export interface RowsOfSource {
  readonly refreshes: number
  /** Those that brought something. */
  readonly withNews: number
  readonly items: number
  /** Hours in which it was refreshed, and in which something came: sums of quality have a row for each. */
  readonly hours: number
  readonly hoursWithNews: number
}

/** Counts what the crawlers would have written. */
export class DayRows {
  private refreshes = 0
  private withNews = 0
  private items = 0
  private hours = 0
  private hoursWithNews = 0
  private readonly lastHour: Int32Array
  private readonly lastHourWithNews: Int32Array

  constructor(
    private readonly sources: number,
    private readonly fromMs: InstantMs,
    private readonly toMs: InstantMs,
  ) {
    this.lastHour = new Int32Array(sources)
    this.lastHourWithNews = new Int32Array(sources)
  }

  refreshed({ id }: SimSource, at: InstantMs, { to, firstSeen }: WindowSight): void {
    if (at < this.fromMs || at >= this.toMs) return
    const hour = Math.floor(at / HOUR_MS)
    this.refreshes++
    if (this.lastHour[id] !== hour) this.hours++
    this.lastHour[id] = hour
    if (to === firstSeen) return
    this.withNews++
    this.items += to - firstSeen
    if (this.lastHourWithNews[id] !== hour) this.hoursWithNews++
    this.lastHourWithNews[id] = hour
  }

  get perDay(): RowsOfSource {
    const { refreshes, withNews, items, hours, hoursWithNews } = this
    const scale = DAY_MS / ((this.toMs - this.fromMs) * this.sources)
    return {
      refreshes: refreshes * scale,
      withNews: withNews * scale,
      items: items * scale,
      hours: hours * scale,
      hoursWithNews: hoursWithNews * scale,
    }
  }
}
