import { isOfMember, STATE_NAMES } from '../../node-state.ts'
import { COUNT_COLUMNS } from '../../rows/quality.ts'

/** Where the rows of a move stand in PostgreSQL; what is not said is as it is called in a move. */
export interface StoredTable {
  readonly name?: string
  /** What is read instead of the table. */
  readonly from?: string
  readonly where?: string
  /** How a column is read. */
  readonly read?: Readonly<Record<string, string>>
  /** The columns of one row of the move, where it is the sum of several. */
  readonly groupBy?: string
  /** What its rows have in other columns, in SQL; `u` is the row. */
  readonly fixed?: Readonly<Record<string, string>>
}

const MEMBER_STATES = STATE_NAMES.filter(isOfMember)

/** In one order, so that the sum is the same to its last digit. */
const summed = (columns: readonly string[]) =>
  Object.fromEntries(columns.map((name) => [name, `sum(${name} ORDER BY source_id)`]))

export const STORED_TABLES: Readonly<Record<string, StoredTable>> = {
  removed_item: { name: 'item_key', where: 'removed_at IS NOT NULL', fixed: { seq: '0' } },
  quality_hour: { where: 'source_id > 0' },
  quality_delay: { where: 'source_id > 0' },
  node_quality_hour: {
    name: 'quality_hour',
    where: 'source_id <= 0',
    read: summed(COUNT_COLUMNS),
    groupBy: 'hour',
    fixed: { source_id: '0' },
  },
  node_quality_delay: {
    name: 'quality_delay',
    where: 'source_id <= 0',
    read: summed(['items']),
    groupBy: 'hour, bucket',
    fixed: { source_id: '0' },
  },
  // Of what each member has for itself, the last that was written; moved, it is of one that is no more.
  node_state: {
    from: `(SELECT DISTINCT ON (key) key, value FROM node_state ORDER BY key, written_at DESC, member) AS s`,
    where: "key <> 'move'",
    fixed: { member: `CASE WHEN u.key = ANY ('{${MEMBER_STATES.join(',')}}') THEN 'moved' ELSE '' END` },
  },
}

/** Made anew from what was moved: sums, and all of the text index. */
export const DERIVED_TABLES = [
  'item_key',
  'source_items',
  'publication_count',
  'tally',
  'item_words',
  'stale_words',
  'words_position',
  'log_position',
  'publication_position',
] as const
