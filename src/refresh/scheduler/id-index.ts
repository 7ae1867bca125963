import type { SourceId } from '../../model/index.ts'

const FREE = 0
const FULLEST = 0.7

/**
 * From source id to row, by open addressing with linear probing. A JavaScript Map takes 29 to 58 bytes an entry, this
 * table 6 to 12: ids themselves are looked up in the caller's column.
 */
export class IdIndex {
  /** Row + 1, or FREE. */
  private table: Int32Array = new Int32Array(16)
  private count = 0

  constructor(private readonly idOf: (row: number) => SourceId) {}

  get bytes(): number {
    return this.table.byteLength
  }

  get size(): number {
    return this.count
  }

  /** −1 where the id is unknown. */
  find(id: SourceId): number {
    return this.table[this.indexOf(id)]! - 1
  }

  /** The id must be new, and readable from the row already. */
  add(id: SourceId, row: number): void {
    if (++this.count > FULLEST * this.table.length) this.rebuild()
    this.table[this.indexOf(id)] = row + 1
  }

  remove(id: SourceId): void {
    const mask = this.table.length - 1
    let hole = this.indexOf(id)
    if (this.table[hole] === FREE) return
    this.count--
    // Those behind that would no longer be found across the hole move into it.
    for (let at = (hole + 1) & mask; this.table[at] !== FREE; at = (at + 1) & mask) {
      const home = hashOf(this.idOf(this.table[at]! - 1)) & mask
      if (((at - home) & mask) < ((at - hole) & mask)) continue
      this.table[hole] = this.table[at]!
      hole = at
    }
    this.table[hole] = FREE
  }

  /** Where the id is, or the free place where it would be. */
  private indexOf(id: SourceId): number {
    const mask = this.table.length - 1
    let at = hashOf(id) & mask
    while (this.table[at] !== FREE && this.idOf(this.table[at]! - 1) !== id) at = (at + 1) & mask
    return at
  }

  private rebuild(): void {
    const old = this.table
    this.table = new Int32Array(2 * old.length)
    for (const entry of old) if (entry !== FREE) this.table[this.indexOf(this.idOf(entry - 1))] = entry
  }
}

/** Mixes all 53 bits; ids are mostly consecutive. */
function hashOf(id: SourceId): number {
  const mixed = Math.imul(id ^ Math.imul(Math.floor(id / 2 ** 32), 0x85ebca6b), 0x9e3779b1)
  return mixed ^ (mixed >>> 15)
}
