import { NODE } from '../../rows/quality.ts'

/** Where the rows of a move stand in SQLite; what is not said is as it is called in a move. */
export interface StoredTable {
  readonly name?: string
  /** Which rows count; the others are rests that are tidied away some day, or are not moved. */
  readonly where?: string
  /** What all its rows have in other columns. */
  readonly fixed?: Readonly<Record<string, number>>
}

const OF_A_FEED = 'feed_id IN (SELECT id FROM query_feed)'

/** Tables of which only these rows are moved, and the others stay. */
export const PARTS_OF_TABLES: Readonly<Record<string, string>> = {
  counter: "name IN ('revision', 'queries')",
  node_state: "key <> 'move'",
}

export const STORED_TABLES: Readonly<Record<string, StoredTable>> = {
  account: { name: 'user' },
  login_session: { name: 'session' },
  buffer_dropped: { name: 'buffer_shed' },
  quality_hour: { where: `source_id <> ${NODE}` },
  quality_delay: { where: `source_id <> ${NODE}` },
  node_quality_hour: { name: 'quality_hour', where: `source_id = ${NODE}`, fixed: { source_id: NODE } },
  node_quality_delay: { name: 'quality_delay', where: `source_id = ${NODE}`, fixed: { source_id: NODE } },
  feed_owner: { where: OF_A_FEED },
  publication: { where: OF_A_FEED },
  kept_share: { where: OF_A_FEED },
  ...Object.fromEntries(Object.entries(PARTS_OF_TABLES).map(([name, where]) => [name, { where }])),
}

/** Made anew from what was moved: sums, and all of the text index (but `item_text`, which is emptied in its own way). */
export const DERIVED_TABLES = [
  'source_items',
  'publication_count',
  'quality_folder',
  'stale_text',
  'phrase_block',
  'phrase_slices',
  'text_edit',
] as const

/** As `sqlite_sequence` calls what is numbered. */
export const SEQUENCE_NAMES: Readonly<Record<string, string>> = { account: 'user' }
