import { growColumn } from '../../src/model/columns.ts'
import type { InstantMs, SourceId } from '../../src/model/index.ts'
import type { Intensity } from '../../src/refresh/intensity.ts'
import { IdIndex } from '../../src/refresh/scheduler/id-index.ts'
import { PackedColumn } from '../../src/refresh/scheduler/packed-column.ts'
import type { PackedModel } from './packed-model.ts'

// Fields of a source, side by side: what is read together lies in one cache line or two.
const ID = 0
const WEIGHT = 1
const COST = 2
const WINDOW = 3
const SINCE = 4
const SATURATED = 5
const FIELDS = 6

/**
 * All that is known of each source, in rows of typed arrays: no object per source. What decides (weight, cost, window,
 * times) is exact; only model states are packed. Rows are reused after removal. The live scheduler's rows
 * (src/refresh/scheduler/source-rows.ts) share the packed column and have fields of their own: with those a source would take
 * 90 bytes here instead of 48, and the bench compares bytes per source.
 */
export class PackedSources<State> {
  private fields = new Float64Array(0)
  private readonly states: PackedColumn<State>
  private readonly index = new IdIndex((row) => this.id(row))
  private readonly freeRows: number[] = []
  private used = 0

  constructor(private readonly model: PackedModel<State>) {
    this.states = new PackedColumn(model.packing)
  }

  get size(): number {
    return this.index.size
  }

  get capacity(): number {
    return this.fields.length / FIELDS
  }

  get bytes(): number {
    return this.fields.byteLength + this.states.bytes + this.index.bytes + 8 * this.freeRows.length
  }

  grow(capacity: number): void {
    this.fields = growColumn(this.fields, capacity * FIELDS)
  }

  id(row: number): SourceId {
    return this.fields[row * FIELDS + ID] ?? 0
  }

  weight(row: number): number {
    return this.fields[row * FIELDS + WEIGHT] ?? 0
  }

  cost(row: number): number {
    return this.fields[row * FIELDS + COST] ?? 0
  }

  windowSize(row: number): number {
    return this.fields[row * FIELDS + WINDOW] ?? 0
  }

  /** When divergence began to grow: last refresh, or adding. */
  since(row: number): InstantMs {
    return this.fields[row * FIELDS + SINCE] ?? 0
  }

  /** Not saturated before this moment. */
  saturatedAt(row: number): InstantMs {
    return this.fields[row * FIELDS + SATURATED] ?? 0
  }

  set(row: number, weight: number, cost: number, windowSize: number): void {
    this.fields[row * FIELDS + WEIGHT] = weight
    this.fields[row * FIELDS + COST] = cost
    this.fields[row * FIELDS + WINDOW] = windowSize
  }

  setSince(row: number, since: InstantMs): void {
    this.fields[row * FIELDS + SINCE] = since
  }

  setSaturatedAt(row: number, at: InstantMs): void {
    this.fields[row * FIELDS + SATURATED] = at
  }

  /** −1 where the id is unknown. */
  rowOf(id: SourceId): number {
    return this.index.find(id)
  }

  /** A row for a new id; there must be room for it. */
  add(id: SourceId): number {
    const row = this.freeRows.pop() ?? this.used++
    this.states.makeRoom(row)
    this.fields[row * FIELDS + ID] = id
    this.index.add(id, row)
    return row
  }

  remove(row: number): void {
    this.index.remove(this.id(row))
    this.freeRows.push(row)
  }

  state(row: number): State {
    return this.states.read(row)
  }

  setState(row: number, state: State): void {
    this.states.write(row, state)
  }

  /** Good until the next call. */
  intensity(row: number): Intensity {
    return this.model.intensityAt(this.states.block(row), this.states.offset(row))
  }
}
