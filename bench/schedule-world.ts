import { entryAt } from '../src/model/entry-at.ts'
import { DAY_MS, HOUR_MS, type InstantMs, MINUTE_MS, type Observation, type Random } from '../src/model/index.ts'
import type { HybridState } from '../src/refresh/estimators/index.ts'
import { hybrid } from '../src/refresh/estimators/index.ts'
import { expectedItems, type Intensity } from '../src/refresh/intensity.ts'
import { type ForesightMemory, foresight } from '../src/refresh/strategies/foresight/index.ts'
import type { SourceFacts } from '../src/refresh/strategy.ts'
import { seededRandom } from '../src/runtime/random.ts'

/** One kind of publisher; a world of any size is made of these, so that a million sources need no memory of their own. */
interface Kind {
  readonly truth: Intensity
  readonly meanPerHour: number
  readonly windowSize: number
  /** What the daily hybrid model learnt of it from thirty refreshes: α has all its errors. */
  readonly state: HybridState
  /** What foresight learnt of it from the same refreshes. */
  readonly memory: ForesightMemory
}

export const BENCH_CYCLE_MS = 10 * MINUTE_MS
export const START: InstantMs = Date.UTC(2026, 0, 5)
export const ESTIMATOR = hybrid()
const FORESIGHT = foresight()

const KINDS = 1024
// From one item a month to one an hour, evenly over the logarithm: many quiet feeds, few busy ones (SCC07 Figure 7).
const LEAST_PER_HOUR = 1 / (30 * 24)
const MOST_PER_HOUR = 1
const WINDOWS = [5, 10, 20, 20, 50] as const
/** Cycles between two refreshes of the mean source: once a day. */
const CYCLES_PER_REFRESH = DAY_MS / BENCH_CYCLE_MS

/**
 * Publishers with a daily rhythm, their peaks spread over the day so that every cycle is as busy as the next, and just
 * enough budget to visit the mean one once a day.
 */
export class ScheduleWorld {
  readonly budgetPerCycle: number
  /** Near where Algorithm 4.2 will hold τ: interval √(2τ/λ) for each source, the intervals filling the budget. */
  readonly firstThreshold: number
  private readonly kinds: readonly Kind[]
  private readonly random: Random

  constructor(
    readonly sources: number,
    seed: number,
  ) {
    this.random = seededRandom(seed)
    this.kinds = Array.from({ length: KINDS }, (_, index) => makeKind(index, this.random))
    this.budgetPerCycle = sources / CYCLES_PER_REFRESH
    const meanRoot = this.kinds.reduce((sum, kind) => sum + Math.sqrt(kind.meanPerHour), 0) / KINDS
    this.firstThreshold = ((meanRoot * DAY_MS) / HOUR_MS) ** 2 / 2
  }

  /** Somewhere within its interval, as after weeks of running. */
  facts(id: number): SourceFacts {
    const { meanPerHour, windowSize } = this.kindOf(id)
    const intervalMs = Math.sqrt((2 * this.firstThreshold) / meanPerHour) * HOUR_MS
    const lastRefreshAt = START - Math.floor(this.random() * intervalMs)
    return { id, weight: 1, cost: 1, windowSize, addedAt: START - 365 * DAY_MS, lastRefreshAt }
  }

  state(id: number): HybridState {
    return this.kindOf(id).state
  }

  memory(id: number): ForesightMemory {
    return this.kindOf(id).memory
  }

  refresh(id: number, previousAt: InstantMs, at: InstantMs): Observation {
    const { truth, windowSize } = this.kindOf(id)
    return observed(id, previousAt, at, poisson(expectedItems(truth, previousAt, at), this.random), windowSize)
  }

  private kindOf(id: number): Kind {
    return entryAt(this.kinds, Math.imul(id, 0x9e3779b1) >>> 22)
  }
}

function makeKind(index: number, random: Random): Kind {
  const meanPerHour = LEAST_PER_HOUR * (MOST_PER_HOUR / LEAST_PER_HOUR) ** random()
  const peakHour = random() * 24
  const ratesPerHour = Array.from(
    { length: 24 },
    (_, hour) => meanPerHour * (1 + 0.9 * Math.cos(((hour - peakHour) * Math.PI) / 12)),
  )
  const truth = { periodMs: DAY_MS, ratesPerHour }
  const windowSize = entryAt(WINDOWS, index % WINDOWS.length)
  let state = ESTIMATOR.start({ ratePerHour: meanPerHour, at: START })
  let at = START - 60 * DAY_MS
  const facts = { id: index, weight: 1, cost: 1, windowSize, addedAt: at, lastRefreshAt: at }
  let memory = FORESIGHT.start(facts, random)
  for (let refresh = 0; refresh < 30; refresh++) {
    const next = at + (4 + random() * 40) * HOUR_MS
    const items = poisson(expectedItems(truth, at, next), random)
    const observation = observed(index, at, next, items, windowSize)
    state = ESTIMATOR.observe(state, observation)
    memory = FORESIGHT.observe(memory, observation, facts, random)
    at = next
  }
  return { truth, meanPerHour, windowSize, state, memory }
}

function observed(sourceId: number, previousAt: number, at: number, items: number, windowSize: number): Observation {
  const full = items >= windowSize
  return {
    sourceId,
    previousAt,
    at,
    newItems: full ? windowSize : items,
    windowSize,
    overlap: full ? 'none' : 'some',
    lostAtLeast: full ? items - windowSize : 0,
    itemTimes: [],
    notModified: items === 0,
    bytes: 20_000,
    latencyMs: 80,
  }
}

/** Knuth's product of uniforms, in parts so that e^−mean does not vanish. */
function poisson(mean: number, random: Random): number {
  let count = 0
  for (let remaining = mean; remaining > 0; remaining -= 30) {
    const limit = Math.exp(-Math.min(30, remaining))
    for (let product = random(); product > limit; product *= random()) count++
  }
  return count
}
