import { growColumn } from '../../model/columns.ts'
import type { DurationMs, InstantMs, SourceId } from '../../model/index.ts'
import type { Packing } from '../packing.ts'
import type { CycleSource, PricedStrategy, SourceFacts } from '../strategy.ts'
import { IdIndex } from './id-index.ts'
import { PackedColumn } from './packed-column.ts'

const FIRST_CAPACITY = 64
/** Small steps: what is not used yet counts in the bytes per source. */
const GROWTH = 1.125

// Fields of a source, side by side: what is read together lies in one cache line or two.
const ID = 0
const WEIGHT = 1
const COST = 2
const WINDOW = 3
const ADDED = 4
/** NaN: never. */
const LAST = 5
/** A decided time that the price does not move; NaN: none. */
const FIXED = 6
const DUE = 7
const SURPRISE = 8
/** The price at which the due time was computed. */
const PRICE = 9
/** When its window is believed full, computed when it became due. */
const FULL = 10
const FIELDS = 11

export const PAUSED = 1
export const RETIRED = 2
export const RUNNING = 4
/** What comes next of it was requested by hand: it is among the requests, waits for its host after that, or is under way. */
export const MANUAL = 8
/** Learnt something that is not yet checkpointed. */
export const CHANGED = 16
/** Brought forward because a page that shows its items has something new. */
export const SIGNALLED = 32
/** Planned since it was taken: the due time in its row is right. */
export const PLANNED = 64
/** Under way for learning. */
export const LEARNS = 128
/** Is among the requests by hand, and in no other queue. */
export const REQUESTED = 256
/** Brought forward because its hub has told of news. */
export const PUSHED = 512
/** Stands for several sources that one request asks for (bundles.ts). */
export const BUNDLE = 1024

/**
 * All that the scheduler knows of each source, in rows of typed arrays: no object per source. What decides (weight, cost,
 * window, times) is exact; memories are packed where the strategy says how, else stored as they are. Rows are used again
 * after removal. lab/wheel/packed-sources.ts shares the packed column and has fields of its own: with these a source of the
 * wheel would take 90 bytes instead of 48, and the bench compares bytes per source.
 */
export class SourceRows<Memory> {
  private fields = new Float64Array(0)
  private flags = new Uint16Array(0)
  private readonly packed: PackedColumn<Memory> | null
  private readonly plain: Memory[] = []
  private readonly index = new IdIndex((row) => this.id(row))
  private readonly freeRows: number[] = []
  private used = 0
  /** The memory that was read last: a decision reads it several times, and strategies recognise the object. */
  private unpacked: Memory | null = null
  private unpackedRow = -1
  /** One for all calls: strategies read it and do not keep it. */
  private readonly shared = { id: 0, weight: 1, cost: 1, windowSize: 1, addedAt: 0, lastRefreshAt: 0 as number | null }

  constructor(
    packing: Packing<Memory> | undefined,
    private readonly onGrow: (capacity: number) => void,
  ) {
    this.packed = packing === undefined ? null : new PackedColumn(packing)
  }

  get size(): number {
    return this.index.size
  }

  /** Rows run from 0 to here; some may be free. */
  get end(): number {
    return this.used
  }

  get bytes(): number {
    return this.fields.byteLength + this.flags.byteLength + (this.packed?.bytes ?? 0) + this.index.bytes
  }

  /** −1 where the id is unknown. */
  rowOf(id: SourceId): number {
    return this.index.find(id)
  }

  isUsed(row: number): boolean {
    return !Number.isNaN(this.fields[row * FIELDS + ID]!)
  }

  add(facts: SourceFacts): number {
    const row = this.freeRows.pop() ?? this.used++
    if (row * FIELDS >= this.fields.length) this.grow(Math.max(FIRST_CAPACITY, Math.ceil(row * GROWTH) + 1))
    this.packed?.makeRoom(row)
    this.fields[row * FIELDS + ID] = facts.id
    this.index.add(facts.id, row)
    this.flags[row] = 0
    this.setFacts(row, facts)
    this.setFixedAt(row, null)
    this.setSurprise(row, 0)
    return row
  }

  remove(row: number): void {
    this.index.remove(this.id(row))
    this.fields[row * FIELDS + ID] = Number.NaN
    this.freeRows.push(row)
  }

  id(row: number): SourceId {
    return this.fields[row * FIELDS + ID]!
  }

  weight(row: number): number {
    return this.fields[row * FIELDS + WEIGHT]!
  }

  cost(row: number): number {
    return this.fields[row * FIELDS + COST]!
  }

  windowSize(row: number): number {
    return this.fields[row * FIELDS + WINDOW]!
  }

  lastRefreshAt(row: number): InstantMs | null {
    return orNull(this.fields[row * FIELDS + LAST]!)
  }

  addedAt(row: number): InstantMs {
    return this.fields[row * FIELDS + ADDED]!
  }

  fixedAt(row: number): InstantMs | null {
    return orNull(this.fields[row * FIELDS + FIXED]!)
  }

  dueAt(row: number): InstantMs {
    return this.fields[row * FIELDS + DUE]!
  }

  /** alarm.ts. */
  surprise(row: number): number {
    return this.fields[row * FIELDS + SURPRISE]!
  }

  setSurprise(row: number, surprise: number): void {
    this.fields[row * FIELDS + SURPRISE] = surprise
  }

  setWeight(row: number, weight: number): void {
    this.fields[row * FIELDS + WEIGHT] = weight
  }

  setCost(row: number, cost: number): void {
    this.fields[row * FIELDS + COST] = cost
  }

  setRefreshed(row: number, at: InstantMs, windowSize: number): void {
    this.fields[row * FIELDS + LAST] = at
    this.fields[row * FIELDS + WINDOW] = windowSize
  }

  setFixedAt(row: number, at: InstantMs | null): void {
    this.fields[row * FIELDS + FIXED] = at ?? Number.NaN
  }

  setDueAt(row: number, at: InstantMs): void {
    this.fields[row * FIELDS + DUE] = at
  }

  plannedPrice(row: number): number {
    return this.fields[row * FIELDS + PRICE]!
  }

  setPlannedPrice(row: number, price: number): void {
    this.fields[row * FIELDS + PRICE] = price
  }

  fullAt(row: number): InstantMs {
    return this.fields[row * FIELDS + FULL]!
  }

  setFullAt(row: number, at: InstantMs): void {
    this.fields[row * FIELDS + FULL] = at
  }

  has(row: number, flag: number): boolean {
    return (this.flags[row]! & flag) !== 0
  }

  mark(row: number, flag: number, on: boolean): void {
    this.flags[row] = on ? this.flags[row]! | flag : this.flags[row]! & ~flag
  }

  setFacts(row: number, facts: SourceFacts): void {
    const at = row * FIELDS
    this.fields[at + WEIGHT] = facts.weight
    this.fields[at + COST] = facts.cost
    this.fields[at + WINDOW] = facts.windowSize
    this.fields[at + ADDED] = facts.addedAt
    this.fields[at + LAST] = facts.lastRefreshAt ?? Number.NaN
  }

  /** Moves all that was and will be by as much, so that it is as long ago, and as soon, and in the same order. */
  shift(byMs: DurationMs): void {
    const { fields } = this
    for (let at = 0; at < this.used * FIELDS; at += FIELDS) {
      fields[at + LAST] = fields[at + LAST]! + byMs
      fields[at + FIXED] = fields[at + FIXED]! + byMs
      fields[at + DUE] = fields[at + DUE]! + byMs
      fields[at + FULL] = fields[at + FULL]! + byMs
    }
  }

  /** Good until the next call. */
  facts(row: number): SourceFacts {
    const at = row * FIELDS
    const { shared, fields } = this
    shared.id = fields[at + ID]!
    shared.weight = fields[at + WEIGHT]!
    shared.cost = fields[at + COST]!
    shared.windowSize = fields[at + WINDOW]!
    shared.addedAt = fields[at + ADDED]!
    shared.lastRefreshAt = orNull(fields[at + LAST]!)
    return shared
  }

  memory(row: number): Memory {
    if (this.packed === null) return this.plain[row]!
    if (this.unpackedRow !== row) {
      this.unpacked = this.packed.read(row)
      this.unpackedRow = row
    }
    return this.unpacked!
  }

  /** `strategy.dueAt`, from the packed row where it can. */
  dueAtPrice(row: number, strategy: PricedStrategy<Memory>, price: number): InstantMs {
    const { packed } = this
    if (packed === null || strategy.dueAtPacked === undefined) {
      return strategy.dueAt(this.memory(row), this.facts(row), price)
    }
    return strategy.dueAtPacked(packed.block(row), packed.offset(row), this.facts(row), price)
  }

  /** One source as strategies see it, to keep. */
  source(row: number): CycleSource<Memory> {
    return { memory: this.memory(row), facts: { ...this.facts(row) } }
  }

  /** Of sources that were refreshed; at most so many, spread over all of them. */
  beliefs(most: number): CycleSource<Memory>[] {
    const found: CycleSource<Memory>[] = []
    const step = Math.max(1, Math.ceil(this.end / Math.max(1, most)))
    for (let row = 0; row < this.end; row += step) {
      if (this.isUsed(row) && this.lastRefreshAt(row) !== null && !this.has(row, BUNDLE)) found.push(this.source(row))
    }
    return found
  }

  beliefsOf(ids: Iterable<SourceId>): CycleSource<Memory>[] {
    const found: CycleSource<Memory>[] = []
    for (const id of ids) {
      const row = this.rowOf(id)
      if (row >= 0 && this.lastRefreshAt(row) !== null) found.push(this.source(row))
    }
    return found
  }

  setMemory(row: number, memory: Memory): void {
    if (row === this.unpackedRow) this.unpackedRow = -1
    if (this.packed === null) this.plain[row] = memory
    else this.packed.write(row, memory)
  }

  /** The memory as bytes for the store: the packed row as it lies, or JSON. */
  bytesOf(row: number): Uint8Array {
    return this.packed?.bytesOf(row) ?? new TextEncoder().encode(JSON.stringify(this.plain[row]))
  }

  /** Takes a memory from the store over; false where it is not one of this strategy. */
  setBytes(row: number, bytes: Uint8Array): boolean {
    if (this.packed === null) {
      const memory = parseBytes<Memory>(bytes)
      if (memory === null) return false
      this.plain[row] = memory
      return true
    }
    if (row === this.unpackedRow) this.unpackedRow = -1
    return this.packed.setBytes(row, bytes)
  }

  private grow(capacity: number): void {
    this.fields = growColumn(this.fields, capacity * FIELDS)
    const flags = new Uint16Array(capacity)
    flags.set(this.flags)
    this.flags = flags
    this.onGrow(capacity)
  }
}

function orNull(value: number): number | null {
  return Number.isNaN(value) ? null : value
}

function parseBytes<Memory>(bytes: Uint8Array): Memory | null {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Memory
  } catch {
    return null
  }
}
