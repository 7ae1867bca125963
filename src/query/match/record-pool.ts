const FIRST_WORDS = 1_024

/**
 * Small records of numbers in one array: a hundred thousand queries as objects would take several times the memory and
 * be spread all over it. A freed record is given out again for one of the same length.
 */
export class RecordPool {
  data = new Int32Array(FIRST_WORDS)
  private used = 1
  private readonly freed = new Map<number, number[]>()

  /** Returns where it is. */
  store(record: readonly number[]): number {
    const at = this.freed.get(record.length)?.pop() ?? this.grow(record.length)
    this.data.set(record, at)
    return at
  }

  free(at: number, length: number): void {
    const same = this.freed.get(length)
    if (same === undefined) this.freed.set(length, [at])
    else same.push(at)
  }

  get bytes(): number {
    return this.data.byteLength
  }

  private grow(length: number): number {
    const at = this.used
    this.used += length
    if (this.used > this.data.length) {
      const larger = new Int32Array(Math.max(this.used, Math.ceil(this.data.length * 1.5)))
      larger.set(this.data)
      this.data = larger
    }
    return at
  }
}
