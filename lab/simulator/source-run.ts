import { lostAtLeast } from '../../src/crawler/dedup/observe.ts'
import type { InstantMs, Observation, SourceId } from '../../src/model/index.ts'
import { countPublishedBy, type SimSource } from './world.ts'

/** How observations are made. */
export interface SourceRunOptions {
  /**
   * True: the observation says how many items were really lost, as the thesis did "to help the online estimation"
   * (7.3.3). False: only what the window lets one guess, as live.
   */
  readonly lossKnown?: boolean
  /** As the crawler has it: the first items ever seen of a feed that was empty before are `first`, too. */
  readonly emptyIsFirst?: boolean
  /** True: one observation is moved on from refresh to refresh, for those who keep none: a fifth of all that is made. */
  readonly movesObservation?: boolean
}

/** What one refresh met, beside the observation: indices into the source's items. */
export interface WindowSight {
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
  // One object that is moved on, and one list for all who have nothing new: simulations refresh millions of times.
  private readonly lastMet = { from: 0, to: 0, firstSeen: 0 }
  private readonly moved: Writable<Observation> | null

  constructor(source: SimSource, options: SourceRunOptions = {}) {
    this.source = source
    this.lossKnown = options.lossKnown ?? false
    this.emptyIsFirst = options.emptyIsFirst ?? false
    this.moved = options.movesObservation ? newObservation(source.id) : null
  }

  /** Of the last refresh, until the next one. */
  get sight(): WindowSight {
    return this.lastMet
  }

  /** null: never so far. */
  get lastRefreshAt(): InstantMs | null {
    return this.lastAt
  }

  /** What a refresh at this moment sees; moments never go back. */
  refresh(at: InstantMs): Observation {
    const { times, windowSize } = this.source
    const previousAt = this.lastAt
    const from = this.reached
    const to = countPublishedBy(times, at, from)
    const firstSeen = Math.max(from, to - windowSize)
    this.reached = to
    this.lastAt = at
    this.lastMet.from = from
    this.lastMet.to = to
    this.lastMet.firstSeen = firstSeen
    const newItems = to - firstSeen
    const itemTimes = newItems === 0 ? NOTHING : itemsOf(this.source.stated ?? times, firstSeen, to)
    const isFirst = previousAt === null || (this.emptyIsFirst && from === 0 && newItems > 0)
    const overlap = isFirst ? 'first' : newItems > 0 && newItems >= windowSize ? 'none' : 'some'
    const unchanged = newItems === 0 && previousAt !== null
    const observation = this.moved ?? newObservation(this.source.id)
    observation.previousAt = previousAt
    observation.at = at
    observation.newItems = newItems
    observation.windowSize = unchanged ? null : Math.min(windowSize, to)
    observation.overlap = overlap
    observation.lostAtLeast =
      overlap !== 'none' ? 0 : this.lossKnown ? firstSeen - from : lostAtLeast({ previousAt }, itemTimes)
    observation.itemTimes = itemTimes
    observation.notModified = unchanged
    return observation
  }
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] }

function newObservation(sourceId: SourceId): Writable<Observation> {
  return {
    sourceId,
    previousAt: null,
    at: Number.NaN,
    newItems: 0,
    windowSize: null,
    overlap: 'first',
    lostAtLeast: 0,
    itemTimes: NOTHING,
    notModified: false,
    bytes: 0,
    latencyMs: 0,
  }
}

/**
 * Empty, and to the engine a list of doubles as all others are: loops over lists of two kinds run through an iterator with an
 * object for each step, in whatever strategy reads them.
 */
const NOTHING: readonly InstantMs[] = emptyOfDoubles()

function emptyOfDoubles(): InstantMs[] {
  const list = [0.5]
  list.pop()
  return list
}

function itemsOf(times: Float64Array, from: number, to: number): readonly InstantMs[] {
  // Room for one: a list that grows takes room for many.
  const items = [times[from] ?? 0]
  for (let index = from + 1; index < to; index++) items.push(times[index] ?? 0)
  return items
}
