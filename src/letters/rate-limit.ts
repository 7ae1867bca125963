import type { DurationMs, InstantMs } from '../model/index.ts'

/** Of ever new keys only so many are remembered: who makes them up must not fill the memory. */
const MOST_KEYS = 10_000

/** Lets each key pass so many times in a while; the while begins with the first of them. */
export class RateLimit {
  private readonly counts = new Map<string, { readonly from: InstantMs; count: number }>()
  private readonly most: number
  private readonly perMs: DurationMs

  constructor(most: number, perMs: DurationMs) {
    this.most = most
    this.perMs = perMs
  }

  /** False: not now. */
  take(key: string, now: InstantMs): boolean {
    const known = this.counts.get(key)
    // A clock that was set back begins a new while, too.
    if (known !== undefined && Math.abs(now - known.from) < this.perMs) {
      known.count++
      return known.count <= this.most
    }
    this.counts.delete(key)
    this.counts.set(key, { from: now, count: 1 })
    if (this.counts.size > MOST_KEYS) this.forgetOldest()
    return this.most > 0
  }

  /** Maps keep the order in which whiles began. */
  private forgetOldest(): void {
    for (const key of this.counts.keys()) {
      this.counts.delete(key)
      return
    }
  }
}
