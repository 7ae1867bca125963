/** How often each member of a window was hit by the present lookup. */
export class HitCounts {
  private stamps = new Uint32Array(16)
  private hits = new Uint32Array(16)
  private stamp = 0

  /** For slots below `size`. */
  begin(size: number): void {
    if (size > this.hits.length || this.stamp === MOST_STAMPS) {
      const capacity = 2 ** Math.ceil(Math.log2(Math.max(size, 16)))
      this.stamps = new Uint32Array(capacity)
      this.hits = new Uint32Array(capacity)
      this.stamp = 0
    }
    this.stamp += 1
  }

  add(slot: number): number {
    if (this.stamps[slot] !== this.stamp) {
      this.stamps[slot] = this.stamp
      this.hits[slot] = 1
      return 1
    }
    const hits = (this.hits[slot] ?? 0) + 1
    this.hits[slot] = hits
    return hits
  }
}

const MOST_STAMPS = 2 ** 32 - 1
