import { SourceRun } from '../lab/simulator/source-run.ts'
import { Tally } from '../lab/simulator/tally.ts'
import { countPublishedBy, countWorldItems, type SimWorld } from '../lab/simulator/world.ts'
import { entryAt } from '../src/model/entry-at.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../src/model/index.ts'
import { roundToPrecision } from './rounds.ts'

/** After which hours and delays count. */
export const WARM_UP_MS = 3 * DAY_MS

export interface Figures {
  readonly requests: number
  readonly meanDelayMinutes: number
  readonly medianDelayMinutes: number
  readonly p95DelayMinutes: number
  readonly lostShare: number
  /** Of what was published and not lost, what the archive holds. */
  readonly archivedShare: number
  /** Share of an hour's budget spent, in the hours after warm-up. */
  readonly hours: { readonly least: number; readonly most: number; readonly mean: number }
}

/** What the refreshes mean against the truth of the world. */
export class LiveFigures {
  private readonly runs: readonly SourceRun[]
  private readonly tally: Tally
  private readonly hours: Float64Array
  private fetched = 0

  constructor(
    private readonly world: SimWorld,
    private readonly perDay: number,
  ) {
    this.runs = world.sources.map((source) => new SourceRun(source))
    this.tally = new Tally(world.startMs + WARM_UP_MS, world.endMs, countWorldItems(world))
    this.hours = new Float64Array(Math.ceil((world.endMs - world.startMs) / HOUR_MS))
  }

  refreshed(id: number, at: number): void {
    const run = entryAt(this.runs, id - 1)
    this.fetched += run.refresh(at).newItems
    this.tally.refreshed(entryAt(this.world.sources, id - 1), at, run.sight)
    const hour = Math.floor((at - this.world.startMs) / HOUR_MS)
    this.hours[hour] = entryAt(this.hours, hour) + 1
  }

  figures(archived: number): Figures {
    const { tally, world } = this
    for (const [index, { sight }] of this.runs.entries()) {
      const source = entryAt(world.sources, index)
      tally.ended(source, sight.to, countPublishedBy(source.times, world.endMs, sight.to))
    }
    const [median, p95] = tally.quantilesMs([0.5, 0.95])
    const perHour = (this.perDay * world.sources.length) / 24
    const shares = [...this.hours].slice(WARM_UP_MS / HOUR_MS).map((count) => count / perHour)
    return {
      requests: tally.requests,
      meanDelayMinutes: roundToPrecision(tally.meanDelayMs / MINUTE_MS),
      medianDelayMinutes: roundToPrecision(median! / MINUTE_MS),
      p95DelayMinutes: roundToPrecision(p95! / MINUTE_MS),
      lostShare: tally.items > 0 ? tally.lost / tally.items : 0,
      archivedShare: archived / this.fetched,
      hours: {
        least: Math.min(...shares),
        most: Math.max(...shares),
        mean: roundToPrecision(shares.reduce((sum, share) => sum + share, 0) / shares.length),
      },
    }
  }
}
