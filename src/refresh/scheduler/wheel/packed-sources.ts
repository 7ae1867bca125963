import type { SourceId } from '../../../model/index.ts'
import type { Intensity } from '../../intensity.ts'
import { grown } from './grown.ts'
import { IdIndex } from './id-index.ts'
import type { PackedModel } from './packed-model.ts'

/** Rows of model state come in blocks of so many sources: adding one never copies the states of the others. */
const BLOCK = 1024
const BLOCK_BITS = 10

/**
 * All that is known of each source, in columns: no object per source. What decides (weight, cost, window, times) is
 * exact; only model states are packed. Rows are reused after removal.
 */
export class PackedSources<State> {
  ids = new Float64Array(0)
  weight = new Float64Array(0)
  cost = new Float64Array(0)
  windowSize = new Float64Array(0)
  /** When divergence began to grow: last refresh, or adding. */
  since = new Float64Array(0)
  /** Not saturated before this moment. */
  saturatedAt = new Float64Array(0)
  private readonly blocks: Float32Array[] = []
  private readonly index = new IdIndex((row) => this.ids[row]!)
  private readonly freeRows: number[] = []
  private used = 0

  constructor(private readonly model: PackedModel<State>) {}

  get size(): number {
    return this.index.size
  }

  get capacity(): number {
    return this.ids.length
  }

  get bytes(): number {
    const blockBytes = this.blocks.length * BLOCK * this.model.packing.floats * 4
    return 6 * this.ids.byteLength + blockBytes + this.index.bytes + 8 * this.freeRows.length
  }

  grow(capacity: number): void {
    this.ids = grown(this.ids, capacity)
    this.weight = grown(this.weight, capacity)
    this.cost = grown(this.cost, capacity)
    this.windowSize = grown(this.windowSize, capacity)
    this.since = grown(this.since, capacity)
    this.saturatedAt = grown(this.saturatedAt, capacity)
  }

  /** −1 where the id is unknown. */
  rowOf(id: SourceId): number {
    return this.index.find(id)
  }

  /** A row for a new id; there must be room for it. */
  add(id: SourceId): number {
    const row = this.freeRows.pop() ?? this.used++
    if (row >> BLOCK_BITS === this.blocks.length) {
      this.blocks.push(new Float32Array(BLOCK * this.model.packing.floats))
    }
    this.ids[row] = id
    this.index.add(id, row)
    return row
  }

  remove(row: number): void {
    this.index.remove(this.ids[row]!)
    this.freeRows.push(row)
  }

  state(row: number): State {
    return this.model.packing.unpack(this.blockOf(row), this.offsetOf(row))
  }

  setState(row: number, state: State): void {
    this.model.packing.pack(state, this.blockOf(row), this.offsetOf(row))
  }

  /** Good until the next call. */
  intensity(row: number): Intensity {
    return this.model.intensityAt(this.blockOf(row), this.offsetOf(row))
  }

  private blockOf(row: number): Float32Array {
    return this.blocks[row >> BLOCK_BITS]!
  }

  private offsetOf(row: number): number {
    return (row & (BLOCK - 1)) * this.model.packing.floats
  }
}
