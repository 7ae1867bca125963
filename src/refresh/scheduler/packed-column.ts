import { entryAt } from '../../model/entry-at.ts'
import type { Packing } from '../packing.ts'

/** Rows come in blocks of so many: adding one never copies the values of the others. */
const BLOCK_ROWS = 1024
const BLOCK_BITS = 10
const FLOAT_BYTES = 4

/** One packed value for each row of a table of sources, as 32-bit floats: no object per source. */
export class PackedColumn<Value> {
  private readonly blocks: Float32Array[] = []

  constructor(private readonly packing: Packing<Value>) {}

  get bytes(): number {
    return this.blocks.length * BLOCK_ROWS * this.packing.floats * FLOAT_BYTES
  }

  /** Before the first value of a row is written; rows are added in rising order. */
  makeRoom(row: number): void {
    if (row >> BLOCK_BITS === this.blocks.length) this.blocks.push(new Float32Array(BLOCK_ROWS * this.packing.floats))
  }

  read(row: number): Value {
    return this.packing.unpack(this.block(row), this.offset(row))
  }

  write(row: number, value: Value): void {
    this.packing.pack(value, this.block(row), this.offset(row))
  }

  /** The floats among which the value of a row is, for code that reads it packed; it begins at `offset`. */
  block(row: number): Float32Array {
    return entryAt(this.blocks, row >> BLOCK_BITS)
  }

  offset(row: number): number {
    return (row & (BLOCK_ROWS - 1)) * this.packing.floats
  }

  /** A copy of the value as it lies. */
  bytesOf(row: number): Uint8Array {
    const from = this.offset(row) * FLOAT_BYTES
    return new Uint8Array(this.block(row).buffer.slice(from, from + this.packing.floats * FLOAT_BYTES))
  }

  /** False where the bytes are not those of one value. */
  setBytes(row: number, bytes: Uint8Array): boolean {
    if (bytes.byteLength !== this.packing.floats * FLOAT_BYTES) return false
    new Uint8Array(this.block(row).buffer).set(bytes, this.offset(row) * FLOAT_BYTES)
    return true
  }
}
