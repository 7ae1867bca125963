import { entryAt } from '../../src/model/entry-at.ts'
import type { InstantMs } from '../../src/model/index.ts'
import { countPublishedBy, type SimSource, type SimWorld } from './world.ts'

/**
 * The limit of refresh-science §4: with all item times known, polls sit on item times, and for a price μ per poll
 * f(j) = μ + j·t_j − P_j + min_{i<j} [f(i) + P_i − i·t_j], P the prefix sums; closed with
 * min_i f(i) + Σ_{k>i} (T − t_k). Delay is convex in the number of polls, so one price for all sources is optimal.
 */
export interface ClairvoyantOptions {
  readonly fromMs: InstantMs
  readonly toMs: InstantMs
  /** Polls to spend over all sources. */
  readonly requests: number
  /**
   * True: no item may fall out of its window where polls can prevent it. Where that takes more polls than there are, the
   * outcome says so and is the limit without regard to windows, which is a limit all the same.
   */
  readonly keepWindow: boolean
}

export interface ClairvoyantOutcome {
  /** One poll plan per source, times ascending. */
  readonly polls: readonly Float64Array[]
  readonly requests: number
  readonly price: number
  /** Whether windows were kept from overflowing. */
  readonly keepsWindows: boolean
  /** The fewest polls that keep windows, where they were to be kept and cannot be for lack of polls; else null. */
  readonly requestsToKeepWindows: number | null
}

export function clairvoyant(world: SimWorld, options: ClairvoyantOptions): ClairvoyantOutcome {
  if (!options.keepWindow) return limitOf(world, options, null)
  const needed = fewestPolls(world, options)
  return needed <= options.requests
    ? limitOf(world, options, null)
    : limitOf(world, { ...options, keepWindow: false }, needed)
}

/** Polls that no price, however high, can save: those without which a window overflows. */
function fewestPolls(world: SimWorld, options: ClairvoyantOptions): number {
  let polls = 0
  for (const source of world.sources) {
    const times = itemsWithin(source, options)
    let start = 0
    while (times.length - start > source.windowSize) {
      start = lastInstantWithin(times, start, source.windowSize)
      polls++
    }
  }
  return polls
}

/** Where the items of whole instants end that fit into a window from `start` on; more than W at one instant go together. */
function lastInstantWithin(times: Float64Array, start: number, windowSize: number): number {
  let end = start + windowSize
  if (times[end - 1] !== times[end]) return end
  while (end > start && times[end - 1] === times[end]) end--
  if (end > start) return end
  while (end < times.length && times[end] === times[start]) end++
  return end
}

function limitOf(
  world: SimWorld,
  options: ClairvoyantOptions,
  requestsToKeepWindows: number | null,
): ClairvoyantOutcome {
  const slices = world.sources.map((source) => itemsWithin(source, options))
  const solver = new Solver(Math.max(1, ...slices.map((times) => times.length)))
  const prefixes = slices.map(prefixSums)
  const pollsAt: PollsAt = (price, dearer, cheaper) => {
    const of = new Float64Array(slices.length)
    for (const [k, times] of slices.entries()) {
      // Polls never grow with the price: what is the same on both sides is the same between them.
      const same = dearer !== undefined && dearer.of[k] === cheaper?.of[k]
      of[k] = same
        ? (dearer.of[k] ?? 0)
        : solver.solve(times, entryAt(prefixes, k), windowOf(world, k, options), options.toMs, price)
    }
    return { of, sum: of.reduce((sum, count) => sum + count, 0) }
  }
  const high = priceOf(pollsAt, options)
  const polls = slices.map((times, k) => {
    const count = solver.solve(times, entryAt(prefixes, k), windowOf(world, k, options), options.toMs, high)
    return solver.trace(times, count)
  })
  const requests = polls.reduce((sum, plan) => sum + plan.length, 0)
  return { polls, requests, price: high, keepsWindows: options.keepWindow, requestsToKeepWindows }
}

/** By source, and of all. */
interface Polls {
  readonly of: Float64Array
  readonly sum: number
}

/** `dearer`, `cheaper`: what is known of prices on either side. */
type PollsAt = (price: number, dearer?: Polls, cheaper?: Polls) => Polls

/** The least price at which no more is spent than there is. */
function priceOf(pollsAt: PollsAt, { fromMs, toMs, requests }: ClairvoyantOptions): number {
  let low = 0
  let high = toMs - fromMs
  let dearer = pollsAt(high)
  while (dearer.sum > requests && high < DEAREST) dearer = pollsAt((high *= 4))
  // More polls than publication instants bring nothing: at price 0 the delay is 0.
  let cheaper = pollsAt(low)
  if (cheaper.sum <= requests) return low
  for (let step = 0; step < 60 && high - low > 1e-6 * high; step++) {
    const middle = low === 0 ? high / 16 : Math.sqrt(low * high)
    const between = pollsAt(middle, dearer, cheaper)
    if (between.sum > requests) {
      low = middle
      cheaper = between
    } else {
      high = middle
      dearer = between
    }
    if (low === 0 && high < 1) low = 1e-3
  }
  return high
}

/** Far above what any number of items can wait, and low enough that adding it leaves the milliseconds of a wait. */
const DEAREST = 1e18

function windowOf(world: SimWorld, index: number, options: ClairvoyantOptions): number {
  return options.keepWindow ? entryAt(world.sources, index).windowSize : Number.POSITIVE_INFINITY
}

function itemsWithin(source: SimSource, { fromMs, toMs }: ClairvoyantOptions): Float64Array {
  // Polls count in [from, to): an item at `from` is in, one at `to` is not.
  const first = countPublishedBy(source.times, fromMs - 1e-3)
  return source.times.subarray(first, countPublishedBy(source.times, toMs - 1e-3, first))
}

/** P. Times relative to the first keep products small enough for doubles. */
function prefixSums(times: Float64Array): Float64Array {
  const prefix = new Float64Array(times.length + 1)
  for (let j = 1; j <= times.length; j++) prefix[j] = (prefix[j - 1] ?? 0) + ((times[j - 1] ?? 0) - (times[0] ?? 0))
  return prefix
}

/** One source at one price. Arrays are reused between solves. */
class Solver {
  private readonly best: Float64Array
  private prefix: Float64Array = new Float64Array(1)
  private readonly polls: Int32Array
  private readonly from: Int32Array
  private readonly hull: Int32Array
  private last = 0

  constructor(items: number) {
    this.best = new Float64Array(items + 1)
    this.polls = new Int32Array(items + 1)
    this.from = new Int32Array(items + 1)
    this.hull = new Int32Array(items + 1)
  }

  /** Number of polls in the best plan; index j stands for "the j-th item and all before it were fetched". */
  solve(times: Float64Array, prefix: Float64Array, windowSize: number, endMs: number, price: number): number {
    const n = times.length
    this.last = 0
    if (n === 0) return 0
    const origin = times[0] ?? 0
    this.prefix = prefix
    if (Number.isFinite(windowSize)) this.fillWithin(times, origin, windowSize, price)
    else this.fillFree(times, origin, price)
    return this.close(times, origin, windowSize, endMs)
  }

  /** Convex hull of the lines y = f(i) + P_i − i·t, queried at growing t: O(n). */
  private fillFree(times: Float64Array, origin: number, price: number): void {
    const { best, prefix, polls, from, hull } = this
    const n = times.length
    let head = 0
    let tail = 0
    hull[tail++] = 0
    best[0] = 0
    polls[0] = 0
    const intercept = (i: number) => (best[i] ?? 0) + (prefix[i] ?? 0)
    for (let j = 1; j <= n; j++) {
      const t = (times[j - 1] ?? 0) - origin
      // Of items at one instant only the last may hold the poll.
      if (j < n && times[j] === times[j - 1]) {
        best[j] = Number.POSITIVE_INFINITY
        continue
      }
      while (
        tail - head > 1 &&
        intercept(hull[head + 1] ?? 0) - (hull[head + 1] ?? 0) * t <= intercept(hull[head] ?? 0) - (hull[head] ?? 0) * t
      )
        head++
      const i = hull[head] ?? 0
      best[j] = price + j * t - (prefix[j] ?? 0) + intercept(i) - i * t
      polls[j] = (polls[i] ?? 0) + 1
      from[j] = i
      while (tail - head > 1 && !useful(hull[tail - 2] ?? 0, hull[tail - 1] ?? 0, j, intercept)) tail--
      hull[tail++] = j
    }
  }

  /** The same with at most W items between two polls: only the last W starts are examined. */
  private fillWithin(times: Float64Array, origin: number, windowSize: number, price: number): void {
    const { best, prefix, polls, from } = this
    const n = times.length
    best[0] = 0
    polls[0] = 0
    let previous = 0
    for (let j = 1; j <= n; j++) {
      const t = (times[j - 1] ?? 0) - origin
      if (j < n && times[j] === times[j - 1]) {
        best[j] = Number.POSITIVE_INFINITY
        continue
      }
      // A group of more than W items at one instant cannot be saved; the poll before it is then the only start.
      let start = previous
      let least = (best[start] ?? 0) + (prefix[start] ?? 0) - start * t
      for (let i = Math.max(0, j - windowSize); i < j; i++) {
        const value = (best[i] ?? 0) + (prefix[i] ?? 0) - i * t
        if (value < least) {
          least = value
          start = i
        }
      }
      best[j] = price + j * t - (prefix[j] ?? 0) + least
      polls[j] = (polls[start] ?? 0) + 1
      from[j] = start
      previous = j
    }
  }

  private close(times: Float64Array, origin: number, windowSize: number, endMs: number): number {
    const { best, prefix } = this
    const n = times.length
    const end = endMs - origin
    let least = Number.POSITIVE_INFINITY
    const first = Number.isFinite(windowSize) ? Math.max(0, n - windowSize) : 0
    for (let i = n; i >= first; i--) {
      const value = (best[i] ?? 0) + (n - i) * end - ((prefix[n] ?? 0) - (prefix[i] ?? 0))
      if (value < least) {
        least = value
        this.last = i
      }
    }
    return this.polls[this.last] ?? 0
  }

  /** The polls of the last solve. */
  trace(times: Float64Array, count: number): Float64Array {
    const plan = new Float64Array(count)
    let at = this.last
    for (let k = count - 1; k >= 0; k--) {
      plan[k] = times[at - 1] ?? 0
      at = this.from[at] ?? 0
    }
    return plan
  }
}

/** Whether line b is below the meeting point of a and c; slopes fall with the index. */
function useful(a: number, b: number, c: number, intercept: (i: number) => number): boolean {
  return (intercept(c) - intercept(a)) * (b - a) > (intercept(b) - intercept(a)) * (c - a)
}
