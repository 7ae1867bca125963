import { HOUR_MS, type InstantMs, SECOND_MS } from '../../model/index.ts'

const SLOTS = HOUR_MS / SECOND_MS + 1

/**
 * Never more than `limit` in any hour, whatever the bursts: what was spent in each second of the last hour, the second
 * that is leaving counted in full. 29 KB, however many requests there are.
 */
export class HourGuard {
  private readonly spent = new Float64Array(SLOTS)
  private sum = 0
  private second: number
  /** By how much the clock was set back so far, seconds: the slots move with it. */
  private setBack = 0
  private readonly limit: number

  constructor(limit: number, now: InstantMs) {
    this.limit = Math.max(1, limit)
    this.second = Math.floor(now / SECOND_MS)
  }

  spend(cost: number, now: InstantMs): void {
    this.follow(now)
    this.add(this.second, cost)
  }

  refund(cost: number, now: InstantMs): void {
    this.spend(-cost, now)
  }

  /** `now`, or the moment when enough of the last hour has passed out of sight. */
  allowedAt(cost: number, now: InstantMs): InstantMs {
    this.follow(now)
    let over = this.sum + Math.min(cost, this.limit) - this.limit
    for (let age = SLOTS - 1; age >= 0; age--) {
      // Sums of seconds differ from the sum of all by rounding.
      if (over <= 1e-9) return age === SLOTS - 1 ? now : (this.second - age + SLOTS - 1) * SECOND_MS
      over -= this.spent[this.slotOf(this.second - age)]!
    }
    return (this.second + SLOTS) * SECOND_MS
  }

  /** Minutes before now and what was spent in them, for keeping over a restart. */
  minutes(now: InstantMs): readonly (readonly [minute: number, spent: number])[] {
    this.follow(now)
    const minutes = new Map<number, number>()
    for (let age = 0; age < SLOTS; age++) {
      const spent = this.spent[this.slotOf(this.second - age)]!
      const minute = Math.floor((this.second - age) / 60)
      if (spent !== 0) minutes.set(minute, (minutes.get(minute) ?? 0) + spent)
    }
    return [...minutes]
  }

  /** As if spent at the end of its minute: a little late, so that nothing is spent twice. */
  restore(minutes: readonly (readonly [minute: number, spent: number])[], now: InstantMs): void {
    this.follow(now)
    for (const [minute, spent] of minutes) {
      const second = Math.min(this.second, minute * 60 + 59)
      if (this.second - second < SLOTS) this.add(second, spent)
    }
  }

  private add(second: number, cost: number): void {
    const slot = this.slotOf(second)
    this.spent[slot] = this.spent[slot]! + cost
    this.sum += cost
  }

  private follow(now: InstantMs): void {
    const second = Math.floor(now / SECOND_MS)
    if (second < this.second) {
      this.setBack += this.second - second
      this.second = second
    }
    const passed = Math.min(SLOTS, second - this.second)
    for (let step = 1; step <= passed; step++) {
      const slot = this.slotOf(this.second + step)
      this.sum -= this.spent[slot]!
      this.spent[slot] = 0
    }
    this.second = second
  }

  private slotOf(second: number): number {
    const slot = (second + this.setBack) % SLOTS
    return slot < 0 ? slot + SLOTS : slot
  }
}
