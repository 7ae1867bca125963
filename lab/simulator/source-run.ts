import { lostAtLeast } from '../../src/crawler/dedup/observe.ts'
import type { InstantMs, Observation } from '../../src/model/index.ts'
import { publishedBy, type SimSource } from './world.ts'

export interface RunOptions {
  /**
   * True: the observation says how many items were really lost, as the thesis did "to help the online estimation"
   * (7.3.3). False: only what the window lets one guess, as live.
   */
  readonly lossKnown?: boolean
  /** As the crawler has it: the first items ever seen of a feed that was empty before are `first`, too. */
  readonly emptyIsFirst?: boolean
}

/** What one refresh met, beside the observation: indices into the source's items. */
export interface Met {
  /** New items are [from, to). */
  readonly from: number
  readonly to: number
  /** The first of them that is still in the window. */
  readonly firstSeen: number
}

/** One source being refreshed: window, overlap and loss as a real feed would show them. */
export class SourceRun {
  private reached = 0
  private lastAt: InstantMs | null = null
  private readonly source: SimSource
  private readonly lossKnown: boolean
  private readonly emptyIsFirst: boolean
  met: Met = { from: 0, to: 0, firstSeen: 0 }

  constructor(source: SimSource, options: RunOptions = {}) {
    this.source = source
    this.lossKnown = options.lossKnown ?? false
    this.emptyIsFirst = options.emptyIsFirst ?? false
  }

  get lastRefreshAt(): InstantMs | null {
    return this.lastAt
  }

  refresh(at: InstantMs): Observation {
    const { times, windowSize, id } = this.source
    const previousAt = this.lastAt
    const from = this.reached
    const to = publishedBy(times, at, from)
    const firstSeen = Math.max(from, to - windowSize)
    this.reached = to
    this.lastAt = at
    this.met = { from, to, firstSeen }
    const newItems = to - firstSeen
    const itemTimes: InstantMs[] = []
    const stated = this.source.stated ?? times
    for (let index = firstSeen; index < to; index++) itemTimes.push(stated[index]!)
    const isFirst = previousAt === null || (this.emptyIsFirst && from === 0 && newItems > 0)
    const overlap = isFirst ? 'first' : newItems > 0 && newItems >= windowSize ? 'none' : 'some'
    const unchanged = newItems === 0 && previousAt !== null
    return {
      sourceId: id,
      previousAt,
      at,
      newItems,
      windowSize: unchanged ? null : Math.min(windowSize, to),
      overlap,
      lostAtLeast: overlap !== 'none' ? 0 : this.lossKnown ? firstSeen - from : lostAtLeast({ previousAt }, itemTimes),
      itemTimes,
      notModified: unchanged,
      bytes: 0,
      latencyMs: 0,
    }
  }
}
