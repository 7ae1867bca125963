import type { ItemSeq } from '../../../model/index.ts'
import { SEARCHABLE_COLUMNS, type SearchableRow } from '../../rows/items.ts'
import { createIndexTexts } from '../../text/index-text.ts'
import { BLOCK_ITEMS } from '../../text/pair-filter.ts'
import { createWordScanner, pairHash } from '../../text/word-scanner.ts'
import type { Connection } from '../database/connection.ts'
import { firstEdit, lastEdit, scanRow } from './phrase-blocks.ts'

/** Newest items of which pairs are cached, some kilobytes each. */
const MOST_IN_TAIL = 2 * BLOCK_ITEMS

/**
 * Pairs of the newest items, which are in no block yet, as far as searches needed them. A client that searches again and
 * again keeps them between the searches.
 */
export class TailPairs {
  private connection: Connection | null = null
  private editId = 0
  private readonly items = new Map<ItemSeq, { readonly pairs: ReadonlySet<number>; readonly editId: number }>()
  private readonly texts = createIndexTexts()
  private readonly scanner = createWordScanner()

  /** At the begin of a transaction. Returns the oldest edit that the cached pairs may lack. */
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
