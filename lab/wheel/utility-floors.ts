import { LinkedLists } from './linked-lists.ts'

// From a hundredth of the lowest τ to far above what τ·b/(b − b_sat) can be; steps of 1 %.
const LOWEST = 1e-14
const HIGHEST = 1e20
const LOG_STEP = Math.log(1.01)
const FLOORS = Math.ceil(Math.log(HIGHEST / LOWEST) / LOG_STEP)

/** The same for all wheels: LOWEST·1.01^floor. */
const WORTHS = Float64Array.from({ length: FLOORS }, (_, floor) => LOWEST * Math.exp(floor * LOG_STEP))

/**
 * Sleepers by the worth (utility per cost) that they stay below while they sleep. As long as the price is no lower, none
 * of them can be due; when it falls, exactly those whose promise no longer says anything are found.
 */
export class UtilityFloors {
  private readonly lists: LinkedLists
  /** No list above it holds anyone. */
  private highest = -1

  constructor(capacity: number) {
    this.lists = new LinkedLists(FLOORS, capacity)
  }

  get bytes(): number {
    return this.lists.bytes
  }

  grow(capacity: number): void {
    this.lists.grow(capacity)
  }

  /** The highest floor that is worth at most so much; −1 where there is none. */
  atMost(worth: number): number {
    if (!(worth >= LOWEST)) return -1
    const floor = Math.min(FLOORS - 1, Math.floor(Math.log(worth / LOWEST) / LOG_STEP))
    // The logarithm may be off by its last digit.
    return (WORTHS[floor] ?? 0) <= worth ? floor : floor - 1
  }

  worthOf(floor: number): number {
    return WORTHS[floor] ?? 0
  }

  put(sleeper: number, floor: number): void {
    this.lists.put(floor, sleeper)
    if (floor > this.highest) this.highest = floor
  }

  remove(sleeper: number): void {
    this.lists.remove(sleeper)
  }

  /** Takes out those who only promised to stay below more than the price. */
  drainAbove(price: number, into: number[]): void {
    while (this.highest >= 0 && (WORTHS[this.highest] ?? 0) > price) this.lists.drain(this.highest--, into)
    while (this.highest >= 0 && this.lists.isEmpty(this.highest)) this.highest--
  }
}
