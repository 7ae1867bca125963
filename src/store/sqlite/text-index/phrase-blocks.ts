import type { ItemSeq } from '../../../model/index.ts'
import { SEARCHABLE_COLUMNS, type SearchableRow, searchableOf } from '../../rows/items.ts'
import { createIndexTexts, type IndexTexts } from '../../text/index-text.ts'
import { searchableTexts } from '../../text/match.ts'
import { BLOCK_ITEMS, BlockPairs, SLICE_BYTES } from '../../text/pair-filter.ts'
import { createWordScanner, type WordScanner } from '../../text/word-scanner.ts'
import type { Connection } from '../database/connection.ts'
import { readCounter } from '../database/counters.ts'

/*
 * Filters for phrases (pair-filter.ts) of the items with the numbers block * 1024 + 1 … (block + 1) * 1024. A block is made
 * when all its numbers are given out, and when somebody searches for phrases at all. Edits are numbered: a block holds
 * those up to a number, items edited later are not asked of it, and when many are, their blocks are rebuilt.
 */

/** Slices in one row: reading one slice reads a row, and writing a block should not take thousands. */
export const SLICES_PER_ROW = 64
export const ROWS_PER_BLOCK = 512
/** Edits that are remembered; a block that is further behind must be rebuilt. */
const MOST_EDITS = 5_000
/** More edited items than this make searches slower than rebuilding their blocks. */
const MANY_EDITS = 500

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

export interface BlockRow {
  readonly block: number
  readonly bits: number
  readonly edit_id: number
}

/** Without those that an edit may have passed by unremembered. */
export function usableBlocks(connection: Connection): BlockRow[] {
  const usable = connection.sql<BlockRow>('SELECT block, bits, edit_id FROM phrase_block WHERE edit_id >= ?')
  return usable.all(firstEdit(connection) - 1)
}

export function lastEdit({ sql }: Connection): number {
  return sql<number>("SELECT seq FROM sqlite_sequence WHERE name = 'text_edit'").pluck().get() ?? 0
}

/** The first edit that is remembered. */
export function firstEdit({ sql }: Connection): number {
  return sql<number | null>('SELECT min(id) FROM text_edit').pluck().get() ?? 0
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
  const edits = sql<number>('SELECT count(*) FROM text_edit WHERE id > ?').pluck().get(since) ?? 0
  if (edits < MANY_EDITS) return null
  const within = sql('SELECT EXISTS (SELECT 1 FROM text_edit WHERE id > ? AND seq > ? AND seq <= ?)').pluck()
  const wasEdited = within.get(since, oldest * BLOCK_ITEMS, (oldest + 1) * BLOCK_ITEMS) === 1
  return { block: oldest, editId, slices: wasEdited ? sliced(connection, oldest) : null }
}

function sliced({ sql }: Connection, block: number): Uint8Array {
  const pairs = new BlockPairs()
  const texts = createIndexTexts()
  const scanner = createWordScanner()
  const rows = sql<SearchableRow & { seq: ItemSeq }>(
    `SELECT seq, ${SEARCHABLE_COLUMNS} FROM item WHERE seq > ? AND seq <= ?`,
  )
  const first = block * BLOCK_ITEMS
  for (const row of rows.iterate(first, first + BLOCK_ITEMS)) {
    scanRow(row, texts, scanner)
    pairs.add(row.seq - first - 1, scanner.hashes, scanner.count)
  }
  return pairs.slices()
}

export function scanRow(row: SearchableRow, texts: IndexTexts, scanner: WordScanner): void {
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
