import type { InstantMs } from '../../src/model/index.ts'
import type { WindowSight } from '../simulator/source-run.ts'
import { Tally } from '../simulator/tally.ts'
import type { SimSource } from '../simulator/world.ts'

/** Requests, delay and loss of each source, by its place in the world: what confidence intervals and classes are made from. */
export interface PerSource {
  readonly requests: Float64Array
  readonly delayMs: Float64Array
  readonly items: Float64Array
  readonly lost: Float64Array
}

/** A tally that also keeps the sums of each source. */
export class SourceTally extends Tally {
  readonly perSource: PerSource

  constructor(fromMs: InstantMs, toMs: InstantMs, keepDelays: number, sources: number) {
    super(fromMs, toMs, keepDelays)
    this.perSource = {
      requests: new Float64Array(sources),
      delayMs: new Float64Array(sources),
      items: new Float64Array(sources),
      lost: new Float64Array(sources),
    }
  }

  override refreshed(source: SimSource, at: InstantMs, sight: WindowSight): void {
    const { requests, delaySumMs, items, lost } = this
    super.refreshed(source, at, sight)
    this.perSource.requests[source.id] = (this.perSource.requests[source.id] ?? 0) + (this.requests - requests)
    if (sight.to === sight.from) return
    this.add(source, delaySumMs, items, lost)
  }

  override ended(source: SimSource, reached: number, publishedByEnd: number): void {
    const { delaySumMs, items, lost } = this
    super.ended(source, reached, publishedByEnd)
    this.add(source, delaySumMs, items, lost)
  }

  private add({ id }: SimSource, delayBeforeMs: number, itemsBefore: number, lostBefore: number): void {
    this.perSource.delayMs[id] = (this.perSource.delayMs[id] ?? 0) + (this.delaySumMs - delayBeforeMs)
    this.perSource.items[id] = (this.perSource.items[id] ?? 0) + (this.items - itemsBefore)
    this.perSource.lost[id] = (this.perSource.lost[id] ?? 0) + (this.lost - lostBefore)
  }
}
