import type { ItemSeq } from '../../model/index.ts'
import { createIndexTexts, type IndexTexts } from '../text/index-text.ts'
import { searchableTexts } from '../text/match.ts'
import { BLOCK_ITEMS, BlockPairs, bitsOf, SLICE_BYTES } from '../text/pair-filter.ts'
import { createWordScanner, pairHash, type WordScanner } from '../text/word-scanner.ts'
import type { Connection } from './connection.ts'
import { readCounter } from './counters.ts'
import { SEARCHABLE_COLUMNS, type SearchableRow, searchableOf } from './item-rows.ts'

/*
 * Filters for phrases (pair-filter.ts) of the items with the numbers block * 1024 + 1 … (block + 1) * 1024. A block is made
 * when all its numbers are given out, and when somebody searches for phrases at all. Edits are numbered: a block holds
 * those up to a number, items edited later are not asked of it, and when many are, their blocks are made anew.
 */

/** Slices in one row: reading one slice reads a row, and writing a block should not take thousands. */
const SLICES_PER_ROW = 64
const ROWS_PER_BLOCK = 512
/** Edits that are remembered; a block that is further behind must be made anew. */
const MOST_EDITS = 5_000
/** More edited items than this make searches slower than making their blocks anew. */
const MANY_EDITS = 500
/** Newest items of which pairs are kept, some kilobytes each. */
const MOST_IN_TAIL = 2 * BLOCK_ITEMS

export interface PhraseBlock {
  readonly block: number
  /** Of the last edit that is in it. */
  readonly editId: number
  /** null: as it was, no item of it was edited. */
  readonly slices: Uint8Array | null
}

/** In the transaction of the edit. */
export function noteEdit({ sql }: Connection, seq: ItemSeq): void {
  const { lastInsertRowid } = sql('INSERT INTO text_edit (seq) VALUES (?)').run(seq)
  sql('DELETE FROM text_edit WHERE id <= ?').run(Number(lastInsertRowid) - MOST_EDITS)
}

export function blockOf(seq: ItemSeq): number {
  return Math.floor((seq - 1) / BLOCK_ITEMS)
}

interface BlockRow {
  readonly block: number
  readonly bits: number
  readonly edit_id: number
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
  private readonly fitting = new Map<readonly number[], Map<number, Uint8Array>>()

  constructor(connection: Connection, tail: TailPairs | null = null) {
    this.connection = connection
    this.tail = tail
    let oldest = tail?.begin(connection) ?? Number.POSITIVE_INFINITY
    for (const row of usableBlocks(connection)) {
      this.blocks.set(row.block, row)
      oldest = Math.min(oldest, row.edit_id)
    }
    this.lastEdits = Number.isFinite(oldest) ? editsAfter(connection, oldest) : new Map()
  }

  /** False: the item surely has not all of these pairs. */
  mayHave(seq: ItemSeq, pairs: readonly number[]): boolean {
    if (pairs.length === 0) return true
    const row = this.blocks.get(blockOf(seq))
    const editId = this.lastEdits.get(seq) ?? 0
    if (row === undefined) return this.tail?.mayHave(seq, pairs, editId) ?? true
    if (editId > row.edit_id) return true
    const place = (seq - 1) % BLOCK_ITEMS
    return (this.fittingIn(row, pairs)[place >> 3]! & (1 << (place & 7))) !== 0
  }

  /** Those of some items, in the order of their numbers, that may have all pairs of all phrases. */
  among(seqs: readonly ItemSeq[], phrases: readonly (readonly number[])[]): ItemSeq[] {
    const pairs = phrases.flat()
    if (pairs.length === 0) return [...seqs]
    this.readAhead(seqs, pairs)
    const found: ItemSeq[] = []
    let block = -1
    let places: Uint8Array | null = null
    let editId = 0
    for (const seq of seqs) {
      if (blockOf(seq) !== block) {
        block = blockOf(seq)
        const row = this.blocks.get(block)
        places = row === undefined ? null : this.fittingIn(row, pairs)
        editId = row?.edit_id ?? 0
      }
      const place = (seq - 1) % BLOCK_ITEMS
      if (places === null) {
        if (this.mayHave(seq, pairs)) found.push(seq)
      } else if ((places[place >> 3]! & (1 << (place & 7))) !== 0) found.push(seq)
      else if (this.lastEdits.size > 0 && (this.lastEdits.get(seq) ?? 0) > editId) found.push(seq)
    }
    return found
  }

  /** All slices at once: asked for one by one they take twice as long. */
  private readAhead(seqs: readonly ItemSeq[], pairs: readonly number[]): void {
    const wanted = new Set<number>()
    for (const seq of seqs) wanted.add(blockOf(seq))
    const rows = [...wanted].flatMap((block) => this.blocks.get(block) ?? [])
    this.fitting.set(pairs, readFitting(this.connection, rows, pairs))
  }

  private fittingIn(row: BlockRow, pairs: readonly number[]): Uint8Array {
    let known = this.fitting.get(pairs)
    if (known === undefined) {
      known = new Map()
      this.fitting.set(pairs, known)
    }
    let places = known.get(row.block)
    if (places === undefined) {
      places = readFitting(this.connection, [row], pairs).get(row.block)!
      known.set(row.block, places)
    }
    return places
  }
}

function editsAfter({ sql }: Connection, id: number): ReadonlyMap<ItemSeq, number> {
  const rows = sql('SELECT seq, max(id) FROM text_edit WHERE id > ? GROUP BY seq').raw().all(id)
  return new Map(rows as [ItemSeq, number][])
}

/**
 * Pairs of the newest items, which are in no block yet, as far as they were asked for. Whoever searches again and again
 * keeps them between the searches.
 */
export class TailPairs {
  private connection: Connection | null = null
  private editId = 0
  private readonly items = new Map<ItemSeq, { readonly pairs: ReadonlySet<number>; readonly editId: number }>()
  private readonly texts = createIndexTexts()
  private readonly scanner = createWordScanner()

  /** At the begin of a transaction. Returns the oldest edit that what is kept may not have. */
  begin(connection: Connection): number {
    this.connection = connection
    this.editId = lastEdit(connection)
    const first = firstEdit(connection)
    if (this.items.size > MOST_IN_TAIL) this.items.clear()
    let oldest = this.editId
    for (const [seq, { editId }] of this.items) {
      if (editId < first - 1) this.items.delete(seq)
      else oldest = Math.min(oldest, editId)
    }
    return oldest
  }

  mayHave(seq: ItemSeq, pairs: readonly number[], editedBy: number): boolean {
    const known = this.items.get(seq)
    const item = known === undefined || known.editId < editedBy ? this.read(seq) : known
    return item === null || pairs.every((pair) => item.pairs.has(pair))
  }

  private read(seq: ItemSeq) {
    if (this.items.size > MOST_IN_TAIL) return null
    const row = this.connection!.sql(`SELECT ${SEARCHABLE_COLUMNS} FROM item WHERE seq = ?`).get(seq) as
      | SearchableRow
      | undefined
    if (row === undefined) return null
    scanRow(row, this.texts, this.scanner)
    const { hashes, count } = this.scanner
    const pairs = new Set<number>()
    for (let at = 1; at < count; at++) pairs.add(pairHash(hashes[at - 1]!, hashes[at]!))
    const item = { pairs, editId: this.editId }
    this.items.set(seq, item)
    return item
  }
}

const BLOCK_DIGITS = 8
/** One bit of many blocks in one text, each behind the number of its block: row by row takes twice as long. */
const READ_SLICES = `SELECT group_concat(printf('%0${BLOCK_DIGITS}x', j.value) || hex(substr(p.slices, ?, ${SLICE_BYTES})), '')
  FROM json_each(?) j CROSS JOIN phrase_slices p ON p.id = j.value * ${ROWS_PER_BLOCK} + ?`

/** By block: which places have all bits of the pairs. */
function readFitting(
  { sql }: Connection,
  rows: readonly BlockRow[],
  pairs: readonly number[],
): Map<number, Uint8Array> {
  const read = sql(READ_SLICES).pluck()
  const fitting = new Map<number, Uint8Array>()
  for (const [bits, blocks] of blocksByBits(rows)) {
    const wanted = JSON.stringify(blocks)
    for (const bit of bitsOf(pairs, bits)) {
      const start = 1 + (bit % SLICES_PER_ROW) * SLICE_BYTES
      const found = read.get(start, wanted, Math.floor(bit / SLICES_PER_ROW)) as string | null
      if (found !== null) narrow(fitting, Buffer.from(found, 'hex'))
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
function narrow(fitting: Map<number, Uint8Array>, found: Buffer): void {
  const head = BLOCK_DIGITS / 2
  for (let at = 0; at < found.length; at += head + SLICE_BYTES) {
    const block = found.readUInt32BE(at)
    const slice = found.subarray(at + head, at + head + SLICE_BYTES)
    const places = fitting.get(block)
    if (places === undefined) fitting.set(block, slice)
    else for (let byte = 0; byte < SLICE_BYTES; byte++) places[byte] = places[byte]! & slice[byte]!
  }
}

/** Without those that an edit may have passed by unremembered. */
function usableBlocks(connection: Connection): BlockRow[] {
  const usable = connection.sql('SELECT block, bits, edit_id FROM phrase_block WHERE edit_id >= ?')
  return usable.all(firstEdit(connection) - 1) as BlockRow[]
}

function lastEdit({ sql }: Connection): number {
  return (sql("SELECT seq FROM sqlite_sequence WHERE name = 'text_edit'").pluck().get() ?? 0) as number
}

/** The first edit that is remembered. */
function firstEdit({ sql }: Connection): number {
  return (sql('SELECT min(id) FROM text_edit').pluck().get() ?? 0) as number
}

/**
 * The next block that is missing or behind, made; null: there is none. In a transaction. `handedOver`: blocks that were made
 * before and will be stored, with the last edit in them.
 */
export function makeNextBlock(
  connection: Connection,
  handedOver: ReadonlyMap<number, number> = new Map(),
): PhraseBlock | null {
  const { sql } = connection
  const editId = lastEdit(connection)
  const known = new Map(usableBlocks(connection).map((row) => [row.block, row.edit_id]))
  const first = firstEdit(connection)
  for (const [block, at] of handedOver) if (at >= first - 1) known.set(block, Math.max(at, known.get(block) ?? 0))
  const whole = Math.floor(readCounter(connection, 'indexed') / BLOCK_ITEMS)
  for (let block = 0; block < whole; block++) {
    if (!known.has(block)) return { block, editId, slices: sliced(connection, block) }
  }
  const [oldest, since] = [...known].reduce((a, b) => (b[1] < a[1] ? b : a), [-1, editId])
  const edits = sql('SELECT count(*) FROM text_edit WHERE id > ?').pluck().get(since) as number
  if (edits < MANY_EDITS) return null
  const within = sql('SELECT EXISTS (SELECT 1 FROM text_edit WHERE id > ? AND seq > ? AND seq <= ?)').pluck()
  const wasEdited = within.get(since, oldest * BLOCK_ITEMS, (oldest + 1) * BLOCK_ITEMS) === 1
  return { block: oldest, editId, slices: wasEdited ? sliced(connection, oldest) : null }
}

function sliced({ sql }: Connection, block: number): Uint8Array {
  const pairs = new BlockPairs()
  const texts = createIndexTexts()
  const scanner = createWordScanner()
  const rows = sql(`SELECT seq, ${SEARCHABLE_COLUMNS} FROM item WHERE seq > ? AND seq <= ?`)
  const first = block * BLOCK_ITEMS
  for (const row of rows.iterate(first, first + BLOCK_ITEMS) as IterableIterator<SearchableRow & { seq: ItemSeq }>) {
    scanRow(row, texts, scanner)
    pairs.add(row.seq - first - 1, scanner.hashes, scanner.count)
  }
  return pairs.slices()
}

function scanRow(row: SearchableRow, texts: IndexTexts, scanner: WordScanner): void {
  texts.clear()
  scanner.scan(texts.bytes(texts.add(searchableTexts(searchableOf(row)))))
}

/** In a transaction. */
export function writeBlock({ sql }: Connection, { block, editId, slices }: PhraseBlock): void {
  if (slices === null) {
    sql('UPDATE phrase_block SET edit_id = ? WHERE block = ?').run(editId, block)
    return
  }
  const first = block * ROWS_PER_BLOCK
  sql('DELETE FROM phrase_slices WHERE id >= ? AND id < ?').run(first, first + ROWS_PER_BLOCK)
  const insert = sql('INSERT INTO phrase_slices (id, slices) VALUES (?, ?)')
  const rowBytes = SLICES_PER_ROW * SLICE_BYTES
  for (let at = 0; at < slices.length; at += rowBytes) {
    insert.run(first + at / rowBytes, slices.subarray(at, at + rowBytes))
  }
  const bits = slices.length / SLICE_BYTES
  sql('INSERT OR REPLACE INTO phrase_block (block, bits, edit_id) VALUES (?, ?, ?)').run(block, bits, editId)
}
