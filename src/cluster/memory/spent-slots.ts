import type { DurationMs, InstantMs } from '../../model/index.ts'
import { SLOTS_OF_SPAN } from '../grant-limits.ts'

interface Slot {
  /** When it began. */
  readonly at: InstantMs
  amount: number
}

/** What was spent over the last span, slot by slot; the slot that is leaving counts in full. */
export class SpentSlots {
  private slots: Slot[] = []

  constructor(private spanMs: DurationMs) {}

  setSpan(spanMs: DurationMs): void {
    this.spanMs = spanMs
  }

  /** Not later than now; what is older than the span changes nothing. */
  add(at: InstantMs, amount: number): void {
    if (!(amount > 0)) return
    const begin = Math.floor(at / this.slotMs) * this.slotMs
    let index = this.slots.length
    while (index > 0 && (this.slots[index - 1]?.at ?? 0) > begin) index--
    const before = this.slots[index - 1]
    if (before?.at === begin) before.amount += amount
    else this.slots.splice(index, 0, { at: begin, amount })
  }

  sum(now: InstantMs): number {
    const leaving = this.slots.findIndex(({ at }) => this.leavesAt(at) > now)
    if (leaving !== 0) this.slots.splice(0, leaving < 0 ? this.slots.length : leaving)
    return this.slots.reduce((sum, { amount }) => sum + amount, 0)
  }

  /** When so much less will count, if nothing more is spent. */
  lessAt(amount: number): InstantMs {
    let left = amount
    for (const slot of this.slots) {
      left -= slot.amount
      if (left <= 0) return this.leavesAt(slot.at)
    }
    return Number.POSITIVE_INFINITY
  }

  private get slotMs(): DurationMs {
    return this.spanMs / SLOTS_OF_SPAN
  }

  private leavesAt(begin: InstantMs): InstantMs {
    return begin + this.spanMs + this.slotMs
  }
}
