import { HOUR_MS } from '../../model/index.ts'
import type { IntensityEstimator } from '../estimator.ts'
import { meanRatePerHour } from '../intensity.ts'
import type { PricedStrategy } from '../strategy.ts'
import { modelStrategy } from './modelled.ts'

/** I(a) of refresh-science §1 for a homogeneous rate: grows with the age; a refresh is due when it reaches the price. */
export interface Index {
  at(ratePerHour: number, ageHours: number): number
  /** dI/da. */
  slopeAt(ratePerHour: number, ageHours: number): number
  /** I(λ, a) is I(1, λa)/λ^power: what is known of one rate is known of all. */
  readonly power: 1 | 2
}

export function indexStrategy<State>(
  estimator: IntensityEstimator<State>,
  id: string,
  index: Index,
  because: string,
): PricedStrategy<State> {
  const table = new AgeTable(index)
  return modelStrategy(estimator, {
    id,
    due(intensity, facts, price, from) {
      const hours = ageReaching(index, table, meanRatePerHour(intensity), (price * facts.cost) / facts.weight)
      return from + hours * HOUR_MS
    },
    priceOf: index.at,
    because,
  })
}

const LONGEST_HOURS = 24 * 365 * 10

/** Smallest age whose index reaches the target; Infinity if none does within ten years. */
function ageReaching(index: Index, table: AgeTable, ratePerHour: number, target: number): number {
  if (!(target > 0)) return 0
  if (!(ratePerHour > 0)) return Number.POSITIVE_INFINITY
  const known = table.ageNear(ratePerHour, target)
  if (!(known < LONGEST_HOURS / 2)) {
    if (index.at(ratePerHour, LONGEST_HOURS) < target) return Number.POSITIVE_INFINITY
    return upToGrid(index, ratePerHour, target, roughAge(index, ratePerHour, target, guess(ratePerHour, target)))
  }
  return upToGrid(index, ratePerHour, target, roughAge(index, ratePerHour, target, known))
}

/** By the first term of an index's series. */
function guess(ratePerHour: number, target: number): number {
  return Math.min(LONGEST_HOURS / 2, Math.sqrt((2 * target) / ratePerHour))
}

const KNOTS = 4_096
const LEAST_LOG = -14
const MOST_LOG = 6
const KNOTS_PER_LOG = KNOTS / (MOST_LOG - LEAST_LOG)

/** Ages at a rate of 1 for some thousand targets; between them one step of Newton's is left to do. */
class AgeTable {
  private readonly index: Index
  private ages: Float64Array | null = null

  constructor(index: Index) {
    this.index = index
  }

  /** Within some hundred-thousandths; NaN or Infinity where it does not know. */
  ageNear(ratePerHour: number, target: number): number {
    const ages = this.ages ?? (this.ages = agesOf(this.index))
    const scaled = target * (this.index.power === 1 ? ratePerHour : ratePerHour * ratePerHour)
    const position = (Math.log(scaled) - LEAST_LOG) * KNOTS_PER_LOG
    if (!(position >= 0 && position < KNOTS)) return Number.NaN
    const knot = Math.floor(position)
    const age = ages[knot]!
    return (age + (position - knot) * (ages[knot + 1]! - age)) / ratePerHour
  }
}

function agesOf(index: Index): Float64Array {
  return Float64Array.from({ length: KNOTS + 1 }, (_, knot) => {
    const target = Math.exp(LEAST_LOG + knot / KNOTS_PER_LOG)
    return index.at(1, LONGEST_HOURS) < target ? Number.POSITIVE_INFINITY : roughAge(index, 1, target, guess(1, target))
  })
}

const MOST_STEPS = 60
/** The next step lands within the square of it. */
const NEAR = 1e-5

/** Newton's steps on logarithms, where an index is nearly straight, within what is known of either side. */
function roughAge(index: Index, ratePerHour: number, target: number, first: number): number {
  let low = 0
  let high = LONGEST_HOURS
  let age = first
  for (let step = 0; step < MOST_STEPS; step++) {
    const value = index.at(ratePerHour, age)
    if (value < target) low = age
    else high = age
    const fall = Math.log(target / value) / ((age * index.slopeAt(ratePerHour, age)) / value)
    if (Math.abs(fall) < NEAR) return age * (1 + fall)
    const next = age * Math.exp(fall)
    age = next > low && next < high ? next : low > 0 ? Math.sqrt(low * high) : high / 2
  }
  return high
}

/** Below a billionth of the age. */
const GRID_PARTS = 2 ** 30
const GRID = 1e-9
const NOT_YET = 1 + 1e-6

const DOUBLE = new Float64Array(1)
/** Its upper half holds the exponent; which of the two that is depends on the machine. */
const HALVES = new Uint32Array(DOUBLE.buffer)
const UPPER = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? 1 : 0

/** The least one above, by the exponent: powers and logarithms are slow calls. */
function nextPowerOfTwo(value: number): number {
  DOUBLE[0] = value
  HALVES[UPPER] = (HALVES[UPPER]! & 0x7ff00000) + 0x00100000
  HALVES[1 - UPPER] = 0
  return DOUBLE[0]!
}

/**
 * The first point of a grid of powers of two at which the target is reached: an answer that does not depend on how it
 * was come near to, so that a simulation gives the same figures when this gets quicker.
 */
function upToGrid(index: Index, ratePerHour: number, target: number, rough: number): number {
  let width = nextPowerOfTwo(rough) / GRID_PARTS
  // Too wide for the age that will be found, whatever its last digits.
  if (width > NOT_YET * GRID * rough) width /= 2
  for (; ; width /= 2) {
    let age = Math.ceil(rough / width) * width
    while (index.at(ratePerHour, age) < target) age += width
    while (age > width && index.at(ratePerHour, age - width) >= target) age -= width
    if (width <= GRID * age) return age
  }
}
