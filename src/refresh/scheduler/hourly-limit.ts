import { type DurationMs, HOUR_MS, type InstantMs, MINUTE_MS, SECOND_MS } from '../../model/index.ts'

const SLOTS = HOUR_MS / SECOND_MS + 1
/** So many seconds before it leaves the hour, what was spent counts as gone where the least of an hour is needed. */
const EARLY_SLOTS = 10
const ROUNDING = 1e-9

/** Paid for, and goes out in a slot that is still to come. */
interface Ahead {
  readonly slot: number
  readonly cost: number
}

/**
 * Never more than `limit` in any hour, whatever the bursts: what was spent in each second of the last hour, the second
 * that is leaving counted in full. 29 KB, however many requests there are. With longer slots, of a longer time.
 *
 * What is paid for in advance counts from now on until an hour after it goes out, whenever that is: in each hour that has it, it
 * was counted when the others of that hour were paid for.
 */
export class HourlyLimit {
  private readonly spent = new Float64Array(SLOTS)
  /** By when they go out; part of the sum already. */
  private ahead: readonly Ahead[] = []
  private sum = 0
  private slot: number
  /** By how much the clock was set so far; the slots do not know. */
  private setByMs: DurationMs = 0
  private limit: number
  private readonly slotMs: DurationMs
  /** Called before something leaves the hour, with the room that there was until then. */
  onLeaving: (room: number, at: InstantMs) => void = () => {}

  constructor(limit: number, now: InstantMs, slotMs: DurationMs = SECOND_MS) {
    this.limit = Math.max(1, limit)
    this.slotMs = slotMs
    this.slot = Math.floor(now / slotMs)
  }

  /** Another limit from now on; what was spent in the last hour counts against it. */
  setLimit(limit: number): void {
    this.limit = Math.max(1, limit)
  }

  /** `at`: when it goes out, where that is later. */
  spend(cost: number, now: InstantMs, at: InstantMs = now): void {
    this.follow(now)
    const slot = this.slotAt(at)
    if (slot <= this.slot) {
      this.add(this.slot, cost)
      return
    }
    this.ahead = [...this.ahead, { slot, cost }].sort((one, other) => one.slot - other.slot)
    this.sum += cost
  }

  /** What was to go out at `at` does so only now. */
  delay(cost: number, at: InstantMs, now: InstantMs): void {
    this.follow(now)
    const slot = this.slotAt(at)
    if (slot >= this.slot) return
    if (this.slot - slot < SLOTS) this.add(slot, -cost)
    this.add(this.slot, cost)
  }

  refund(cost: number, now: InstantMs): void {
    this.spend(-cost, now)
  }

  /** In the hour that ends now. */
  spentUntil(now: InstantMs): number {
    this.follow(now)
    return this.sum
  }

  /** What may still be spent in the hour that ends now; below 0: the limit was lowered. */
  room(now: InstantMs): number {
    this.follow(now)
    return this.limit - this.sum
  }

  /** The clock was set: nothing of the last hour has passed by that. */
  shift(byMs: DurationMs): void {
    this.setByMs += byMs
  }

  /** `now`, or the moment when enough of the last hour has passed out of sight. */
  allowedAt(cost: number, now: InstantMs): InstantMs {
    this.follow(now)
    let over = this.sum + Math.min(cost, this.limit) - this.limit
    // Sums of seconds differ from the sum of all by rounding.
    if (over <= ROUNDING) return now
    for (let age = SLOTS - 1; age >= 0; age--) {
      over -= this.spent[this.placeOf(this.slot - age)]!
      if (over <= ROUNDING) return this.startOf(this.slot - age + SLOTS)
    }
    for (const { slot, cost: paid } of this.ahead) {
      over -= paid
      if (over <= ROUNDING) return this.startOf(slot + SLOTS)
    }
    return this.startOf(this.slot + SLOTS)
  }

  /**
   * When less than `least` will have been spent in the hour before, unless something is spent until then; a few seconds
   * early, so that there is time to. In the past: so it is. Looks at what leaves until then, second by second.
   */
  lackingAt(least: number, now: InstantMs): InstantMs {
    this.follow(now)
    let left = this.sum - least
    for (let age = SLOTS - 1; age >= 0; age--) {
      left -= this.spent[this.placeOf(this.slot - age)]!
      if (left < -ROUNDING) return this.startOf(this.slot - age + SLOTS - 1 - EARLY_SLOTS)
    }
    return Number.POSITIVE_INFINITY
  }

  /** Minutes before now and what was spent in them, for keeping over a restart. */
  minutes(now: InstantMs): readonly (readonly [minute: number, spent: number])[] {
    this.follow(now)
    const minutes = new Map<number, number>()
    const note = (slot: number, spent: number) => {
      const minute = Math.floor(this.startOf(slot) / MINUTE_MS)
      if (spent !== 0) minutes.set(minute, (minutes.get(minute) ?? 0) + spent)
    }
    for (let age = 0; age < SLOTS; age++) note(this.slot - age, this.spent[this.placeOf(this.slot - age)]!)
    // It may have gone out before the restart.
    for (const { slot, cost } of this.ahead) note(slot, cost)
    return [...minutes]
  }

  /**
   * As if spent at the end of its minute: a little late, so that nothing is spent twice. `setByMs`: by how much the clock
   * was set since they were stored.
   */
  restore(
    minutes: readonly (readonly [minute: number, spent: number])[],
    now: InstantMs,
    setByMs: DurationMs = 0,
  ): void {
    this.follow(now)
    for (const [minute, spent] of minutes) {
      const slot = Math.min(this.slot, this.slotAt((minute + 1) * MINUTE_MS - 1 + setByMs))
      if (this.slot - slot < SLOTS) this.add(slot, spent)
    }
  }

  private add(slot: number, cost: number): void {
    const place = this.placeOf(slot)
    this.spent[place] = this.spent[place]! + cost
    this.sum += cost
  }

  private follow(now: InstantMs): void {
    const slot = Math.max(this.slot, this.slotAt(now))
    const passed = Math.min(SLOTS, slot - this.slot)
    for (let step = 1; step <= passed; step++) {
      const place = this.placeOf(this.slot + step)
      const leaving = this.spent[place]!
      if (leaving === 0) continue
      this.onLeaving(this.limit - this.sum, this.startOf(this.slot + step))
      this.sum -= leaving
      this.spent[place] = 0
    }
    this.slot = slot
    if (this.ahead.length > 0 && this.ahead[0]!.slot <= slot) this.settle()
  }

  /** What has gone out leaves the hour like everything else. */
  private settle(): void {
    const due = this.ahead.filter(({ slot }) => slot <= this.slot)
    this.ahead = this.ahead.slice(due.length)
    for (const { slot, cost } of due) {
      this.sum -= cost
      if (this.slot - slot < SLOTS) this.add(slot, cost)
    }
  }

  private placeOf(slot: number): number {
    const place = slot % SLOTS
    return place < 0 ? place + SLOTS : place
  }

  private slotAt(at: InstantMs): number {
    return Math.floor((at - this.setByMs) / this.slotMs)
  }

  private startOf(slot: number): InstantMs {
    return slot * this.slotMs + this.setByMs
  }
}
