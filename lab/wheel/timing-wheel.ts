import type { DurationMs, InstantMs } from '../../src/model/index.ts'
import { LinkedLists } from './linked-lists.ts'

/** With eight ticks a cycle, 4,096 cycles: nearly three days of one-minute cycles, in 128 KB. */
const SLOTS = 1 << 15
const AWAKE = SLOTS

/**
 * Sleepers by the moment at which they want to be examined again. O(1) each way. Waking a sleeper early does no harm
 * here (it is examined and sleeps again), so one ring is enough: who wants to sleep longer than one turn is woken after
 * it. A sleeper whose moment lies in a tick that is already drained is awake: it comes with the next drain, however soon
 * that is, and so are all until the first drain sets the time. Clocks may be set back.
 */
export class TimingWheel {
  private readonly lists: LinkedLists
  private drainedTick = Number.POSITIVE_INFINITY

  constructor(
    private readonly tickMs: DurationMs,
    capacity: number,
  ) {
    this.lists = new LinkedLists(SLOTS + 1, capacity)
  }

  get bytes(): number {
    return this.lists.bytes
  }

  grow(capacity: number): void {
    this.lists.grow(capacity)
  }

  has(sleeper: number): boolean {
    return this.lists.has(sleeper)
  }

  /** To be woken by the first drain at or after `at`, or before. The sleeper must not be in the wheel. */
  put(sleeper: number, at: InstantMs): void {
    const tick = Math.min(Math.floor(at / this.tickMs), this.drainedTick + SLOTS)
    this.lists.put(tick > this.drainedTick ? slotOf(tick) : AWAKE, sleeper)
  }

  putAwake(sleeper: number): void {
    this.lists.put(AWAKE, sleeper)
  }

  remove(sleeper: number): void {
    this.lists.remove(sleeper)
  }

  drain(now: InstantMs, into: number[]): void {
    this.lists.drain(AWAKE, into)
    const nowTick = Math.floor(now / this.tickMs)
    if (this.drainedTick === Number.POSITIVE_INFINITY) this.drainedTick = nowTick
    const turn = Math.min(nowTick, this.drainedTick + SLOTS)
    for (let tick = this.drainedTick + 1; tick <= turn; tick++) this.lists.drain(slotOf(tick), into)
    this.drainedTick = Math.max(this.drainedTick, nowTick)
  }
}

function slotOf(tick: number): number {
  const slot = tick % SLOTS
  return slot < 0 ? slot + SLOTS : slot
}
