import { entryAt, valueAt } from '../../../model/entry-at.ts'
import type { ItemSeq } from '../../../model/index.ts'
import { BLOCK_ITEMS, bitsOf, SLICE_BYTES } from '../../text/pair-filter.ts'
import type { Connection } from '../database/connection.ts'
import { type BlockRow, blockOf, ROWS_PER_BLOCK, SLICES_PER_ROW, usableBlocks } from './phrase-blocks.ts'
import type { TailPairs } from './phrase-tail.ts'

/** Items of a block, a bit each, as bytes and as words over the same memory: words are four times as fast to go through. */
interface BlockItems {
  readonly bytes: Uint8Array
  readonly words: Int32Array
}

/**
 * Which phrases an item surely has not. Of one moment: made and used in one transaction. Items that are in no block are
 * looked up among the pairs that were read of them, where somebody keeps those.
 */
export class PhraseFilter {
  private readonly connection: Connection
  private readonly tail: TailPairs | null
  private readonly blocks = new Map<number, BlockRow>()
  private readonly lastEdits: ReadonlyMap<ItemSeq, number>
  /** Items that were edited since their block was made, by block. */
  private readonly edited = new Map<number, ItemSeq[]>()
  private readonly fitting = new Map<readonly number[], Map<number, BlockItems>>()

  constructor(connection: Connection, tail: TailPairs | null = null) {
    this.connection = connection
    this.tail = tail
    let oldest = tail?.begin(connection) ?? Number.POSITIVE_INFINITY
    for (const row of usableBlocks(connection)) {
      this.blocks.set(row.block, row)
      oldest = Math.min(oldest, row.edit_id)
    }
    this.lastEdits = Number.isFinite(oldest) ? editsAfter(connection, oldest) : new Map()
    for (const [seq, editId] of this.lastEdits) {
      const row = this.blocks.get(blockOf(seq))
      if (row === undefined || editId <= row.edit_id) continue
      const known = this.edited.get(row.block)
      if (known === undefined) this.edited.set(row.block, [seq])
      else known.push(seq)
    }
  }

  /** False: the item surely has not all of these pairs. */
  mayHave(seq: ItemSeq, pairs: readonly number[]): boolean {
    if (pairs.length === 0) return true
    const row = this.blocks.get(blockOf(seq))
    if (row === undefined) return this.tail?.mayHave(seq, pairs, this.lastEdits.get(seq) ?? 0) ?? true
    return hasItem(this.fittingIn(row, pairs), indexInBlock(seq))
  }

  /** Those of some items, in the order of their numbers, that may have all pairs of all phrases. */
  among(seqs: readonly ItemSeq[], phrases: readonly (readonly number[])[]): ItemSeq[] {
    const pairs = phrases.flat()
    if (pairs.length === 0) return [...seqs]
    const runs = runsByBlock(seqs)
    this.fitting.set(
      pairs,
      this.readFitting(
        runs.flatMap(({ block }) => this.blocks.get(block) ?? []),
        pairs,
      ),
    )
    const found: ItemSeq[] = []
    for (const run of runs) {
      const row = this.blocks.get(run.block)
      if (row === undefined) {
        for (let at = run.start; at < run.end; at++) if (this.mayHave(seqs[at]!, pairs)) found.push(seqs[at]!)
      } else addFitting(found, seqs, run, this.fittingIn(row, pairs))
    }
    return found
  }

  private fittingIn(row: BlockRow, pairs: readonly number[]): BlockItems {
    let known = this.fitting.get(pairs)
    if (known === undefined) {
      known = new Map()
      this.fitting.set(pairs, known)
    }
    let items = known.get(row.block)
    if (items === undefined) {
      items = valueAt(this.readFitting([row], pairs), row.block)
      known.set(row.block, items)
    }
    return items
  }

  /** By block: which places have all bits of the pairs, or may have them since they were edited. */
  private readFitting(rows: readonly BlockRow[], pairs: readonly number[]): Map<number, BlockItems> {
    const fitting = readSlices(this.connection, rows, pairs)
    for (const { block } of rows) {
      for (const seq of this.edited.get(block) ?? []) addItem(valueAt(fitting, block), indexInBlock(seq))
    }
    return fitting
  }
}

function editsAfter({ sql }: Connection, id: number): ReadonlyMap<ItemSeq, number> {
  return new Map(sql<[ItemSeq, number]>('SELECT seq, max(id) FROM text_edit WHERE id > ? GROUP BY seq').raw().all(id))
}

/** Some of a list of items that are in the same block: from `start` to before `end`. */
interface Run {
  readonly block: number
  readonly start: number
  readonly end: number
}

function runsByBlock(seqs: readonly ItemSeq[]): Run[] {
  const runs: Run[] = []
  for (let start = 0; start < seqs.length; ) {
    const block = blockOf(entryAt(seqs, start))
    const end = firstFrom(seqs, (block + 1) * BLOCK_ITEMS + 1, start, seqs.length)
    runs.push({ block, start, end })
    start = end
  }
  return runs
}

/** Where the first item is whose number is not below `seq`. */
function firstFrom(seqs: readonly ItemSeq[], seq: ItemSeq, start: number, end: number): number {
  let [low, high] = [start, end]
  while (low < high) {
    const middle = (low + high) >> 1
    if (seqs[middle]! < seq) low = middle + 1
    else high = middle
  }
  return low
}

/** Goes through the few places that fit, not through the many items that have the words. */
function addFitting(
  found: ItemSeq[],
  seqs: readonly ItemSeq[],
  { block, start, end }: Run,
  { bytes, words }: BlockItems,
): void {
  let from = start
  for (let word = 0; word < words.length; word++) {
    if (words[word] === 0) continue
    for (let bit = 32 * word; bit < 32 * (word + 1); bit++) {
      if ((bytes[bit >> 3]! & (1 << (bit & 7))) === 0) continue
      const seq = block * BLOCK_ITEMS + bit + 1
      // Where most items fit, the next one is the one.
      if (seqs[from]! < seq) from = firstFrom(seqs, seq, from + 1, end)
      if (from === end) return
      if (seqs[from] !== seq) continue
      found.push(seq)
      if (++from === end) return
    }
  }
}

function indexInBlock(seq: ItemSeq): number {
  return (seq - 1) % BLOCK_ITEMS
}

function hasItem({ bytes }: BlockItems, index: number): boolean {
  return (bytes[index >> 3]! & (1 << (index & 7))) !== 0
}

function addItem({ bytes }: BlockItems, index: number): void {
  bytes[index >> 3] = bytes[index >> 3]! | (1 << (index & 7))
}

const BLOCK_DIGITS = 8
/** One bit of many blocks in one text, each behind the number of its block: row by row takes twice as long. */
const READ_SLICES = `SELECT group_concat(printf('%0${BLOCK_DIGITS}x', j.value) || hex(substr(p.slices, ?, ${SLICE_BYTES})), '')
  FROM json_each(?) j CROSS JOIN phrase_slices p ON p.id = j.value * ${ROWS_PER_BLOCK} + ?`

/** By block: which places have all bits of the pairs. */
function readSlices({ sql }: Connection, rows: readonly BlockRow[], pairs: readonly number[]): Map<number, BlockItems> {
  const read = sql<string | null>(READ_SLICES).pluck()
  const fitting = new Map<number, BlockItems>()
  for (const [bits, blocks] of blocksByBits(rows)) {
    const json = JSON.stringify(blocks)
    for (const bit of bitsOf(pairs, bits)) {
      const start = 1 + (bit % SLICES_PER_ROW) * SLICE_BYTES
      const found = read.get(start, json, Math.floor(bit / SLICES_PER_ROW)) ?? null
      if (found !== null) narrow(fitting, found)
    }
  }
  return fitting
}

function blocksByBits(rows: readonly BlockRow[]): ReadonlyMap<number, readonly number[]> {
  const blocks = new Map<number, number[]>()
  for (const { block, bits } of rows) {
    const known = blocks.get(bits)
    if (known === undefined) blocks.set(bits, [block])
    else known.push(block)
  }
  return blocks
}

/** Leaves the places that these slices have too. */
function narrow(fitting: Map<number, BlockItems>, hex: string): void {
  // Not from the pool of small buffers, where words would not be at multiples of four.
  const found = Buffer.alloc(hex.length / 2)
  found.write(hex, 'hex')
  const head = BLOCK_DIGITS / 2
  for (let at = 0; at < found.length; at += head + SLICE_BYTES) {
    const words = new Int32Array(found.buffer, at + head, SLICE_BYTES / 4)
    const items = fitting.get(found.readUInt32BE(at))
    if (items === undefined) {
      fitting.set(found.readUInt32BE(at), { bytes: found.subarray(at + head, at + head + SLICE_BYTES), words })
    } else for (let word = 0; word < words.length; word++) items.words[word] = items.words[word]! & words[word]!
  }
}
