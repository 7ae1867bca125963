import type { InstantMs } from '../../src/model/index.ts'
import type { RunWatch } from '../simulator/tally.ts'
import { countPublishedBy, type SimSource } from '../simulator/world.ts'

/**
 * The refreshes of a run in [fromMs, toMs), and nothing of what they met: a search for a price asks only how many there are.
 * Delay and loss follow from them, once, for the runs that are shown.
 */
export class RefreshLog implements RunWatch {
  requests = 0
  /** Requests by source. */
  readonly of: Uint32Array
  private sources: Int32Array
  private instants: Float64Array
  private readonly fromMs: InstantMs
  private readonly toMs: InstantMs

  /** `room`: about so many requests will come; there may be more. */
  constructor(fromMs: InstantMs, toMs: InstantMs, sources: number, capacity: number) {
    this.fromMs = fromMs
    this.toMs = toMs
    this.of = new Uint32Array(sources)
    const first = Math.max(LEAST_CAPACITY, Math.ceil(capacity))
    this.sources = new Int32Array(first)
    this.instants = new Float64Array(first)
  }

  refreshed({ id }: SimSource, at: InstantMs): void {
    if (!(at >= this.fromMs && at < this.toMs)) return
    if (this.requests === this.instants.length) this.grow()
    this.sources[this.requests] = id
    this.instants[this.requests] = at
    this.requests++
    this.of[id] = (this.of[id] ?? 0) + 1
  }

  ended(): void {}

  /** Shows the refreshes of these sources to a tally of the same time, source by source. */
  showTo(tally: RunWatch, sources: readonly SimSource[]): void {
    const { instants, ends } = this.bySource()
    // One object that is moved on, as in a run.
    const sight = { from: 0, to: 0, firstSeen: 0 }
    for (const source of sources) {
      const { id, times, windowSize } = source
      let from = 0
      for (let k = (ends[id] ?? 0) - (this.of[id] ?? 0); k < (ends[id] ?? 0); k++) {
        const at = instants[k] ?? 0
        const to = countPublishedBy(times, at, from)
        sight.from = from
        sight.to = to
        sight.firstSeen = Math.max(from, to - windowSize)
        tally.refreshed(source, at, sight)
        from = to
      }
      tally.ended(source, from, countPublishedBy(times, this.toMs, from))
    }
  }

  /** Those of one source beside each other, as they came. */
  private bySource(): { readonly instants: Float64Array; readonly ends: Uint32Array } {
    const instants = new Float64Array(this.requests)
    const ends = new Uint32Array(this.of.length)
    for (let id = 1; id < ends.length; id++) ends[id] = (ends[id - 1] ?? 0) + (this.of[id - 1] ?? 0)
    for (let k = 0; k < this.requests; k++) {
      const id = this.sources[k] ?? 0
      const place = ends[id] ?? 0
      instants[place] = this.instants[k] ?? 0
      ends[id] = place + 1
    }
    return { instants, ends }
  }

  private grow(): void {
    const sources = new Int32Array(2 * this.sources.length)
    const instants = new Float64Array(2 * this.instants.length)
    sources.set(this.sources)
    instants.set(this.instants)
    this.sources = sources
    this.instants = instants
  }
}

const LEAST_CAPACITY = 64
