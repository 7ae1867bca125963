import { COUNT_COLUMNS } from '../rows/quality.ts'

/**
 * What a value is, whatever a database keeps it as: `hash` of 16 bytes or text, `texts` and `integers` lists (no integers:
 * null), `window` the entries that a document showed last.
 */
export type ColumnKind = 'integer' | 'number' | 'text' | 'flag' | 'bytes' | 'hash' | 'texts' | 'integers' | 'window'

/** Rows of one kind, as they are moved from one store to another. */
export interface TransferTable {
  readonly name: string
  readonly columns: Readonly<Record<string, ColumnKind>>
  /** Columns that tell rows apart; they are read in this order. */
  readonly key: readonly string[]
  /** Rows in one transaction of a move. */
  readonly batch: number
}

const ROWS_AT_ONCE = 1_000
/** Rows with long texts. */
const LONG_ROWS_AT_ONCE = 100

/** `a b c: kind; d: kind`. */
function columnsOf(text: string): Record<string, ColumnKind> {
  const columns: Record<string, ColumnKind> = {}
  for (const part of text.split(';')) {
    const [names = '', kind = ''] = part.split(':')
    for (const name of names.trim().split(/\s+/)) columns[name] = kind.trim() as ColumnKind
  }
  return columns
}

function table(name: string, key: string, columns: string, batch = ROWS_AT_ONCE): TransferTable {
  return { name, columns: columnsOf(columns), key: key.split(' '), batch }
}

const SOURCES = [
  table(
    'source',
    'id',
    `id revision: integer; url name: text; weight: number; interval_ms min_interval_ms max_interval_ms daily_allowance:
      integer; paused: flag; added_at: integer; categories: texts; request pages: text`,
  ),
  table(
    'source_state',
    'source_id',
    `source_id: integer; status: text; failure_count last_check_at next_check_at last_success_at last_new_item_at: integer;
      dates_credible: flag; format title site_url etag last_modified: text; body_hash: hash; next_check_reason rest: text`,
  ),
  table('source_window', 'source_id', 'source_id: integer; entries: window', LONG_ROWS_AT_ONCE),
  table('source_folder', 'folder source_id', 'folder: text; source_id: integer'),
  table('former_url', 'url', 'url: text; source_id: integer'),
  table('removed_source', 'revision', 'revision source_id removed_at: integer'),
  table('source_adder', 'source_id', 'source_id user_id: integer'),
  table('refresh_request', 'source_id user_id', 'source_id user_id at: integer'),
  table(
    'push_subscription',
    'source_id',
    `source_id: integer; kind hub topic key secret status: text; lease_ends_at next_at failures: integer; last_error: text;
      pushed_at pushes refused repeated: integer; digests: text; changed_at: integer`,
  ),
  table(
    'source_icon',
    'source_id',
    'source_id due_at attempts looked_at: integer; failure type hash: text; body: bytes',
    LONG_ROWS_AT_ONCE,
  ),
  table('source_day', 'source_id day', 'source_id day taken repaired refused: integer'),
  table(
    'model',
    'source_id',
    'source_id: integer; form: text; window_size: integer; cost: number; learnt_at relearnt_at: integer; state: bytes',
  ),
]

const ITEMS = [
  table(
    'item',
    'seq',
    `seq source_id: integer; key: hash; sort_at first_seen_at changed_at: integer; content_hash: hash;
      published updated: integer; id link title rest summary content article: text`,
    LONG_ROWS_AT_ONCE,
  ),
  table(
    'item_page',
    'seq',
    `seq source_id shard due_at attempts fetched_at status held_until: integer; failure url final_url facts content_type etag
      last_modified: text; body: bytes`,
    LONG_ROWS_AT_ONCE,
  ),
  table('removed_item', 'source_id key', 'source_id: integer; key content_hash: hash; removed_at: integer'),
  table(
    'observation',
    'source_id at',
    `source_id at previous_at new_items window_size: integer; overlap: text; lost_at_least: integer; not_modified: flag;
      bytes: integer; latency_ms: number; item_times: integers; loss cause: text; price expected: number`,
  ),
  table('buffer_entry', 'cursor', 'cursor seq: integer; changed: flag'),
  table(
    'buffer_reader',
    'name',
    'name: text; cursor: integer; owner: text; expires_after_ms seen_at item_seq: integer',
  ),
  table('buffer_dropped', 'reader', 'reader: text; entries: integer'),
]

const COUNTS = `${COUNT_COLUMNS.join(' ')}: number`

/** The node's own sums stand apart: a database may keep them in several rows. */
const QUALITY = [
  table('quality_hour', 'hour source_id', `hour source_id: integer; ${COUNTS}`),
  table('quality_delay', 'hour source_id bucket', 'hour source_id bucket items: integer'),
  table('node_quality_hour', 'hour', `hour: integer; ${COUNTS}`),
  table('node_quality_delay', 'hour bucket', 'hour bucket items: integer'),
]

const QUERY_FEEDS = [
  table(
    'query_feed',
    'id',
    `id: integer; name title: text; item_limit: integer; text: text; private: flag; weight: number; wish: text;
      version created_at altered_at catch_up_after history_up_to began_after asks_after: integer; without: texts;
      clearing: flag`,
  ),
  table('feed_owner', 'feed_id', 'feed_id user_id: integer'),
  table(
    'publication',
    'seq',
    'seq feed_id item_seq published_at: integer; history: flag; joined: integers; origin: text',
  ),
  table('looked_at', 'source_id', 'source_id items: integer'),
  table('kept_share', 'feed_id source_id', 'feed_id source_id: integer; weight: number; at_items since_items: integer'),
  table(
    'subscription',
    'id',
    `id feed_id: integer; output: text; every_ms: integer; secret: text; created_at delivered_seq delivered_at failure_count
      next_attempt_at: integer; last_error: text`,
  ),
  table(
    'hub_subscription',
    'id',
    `id feed_id: integer; callback format host secret: text; created_at lease_ends_at delivered_seq delivered_at failure_count
      next_attempt_at edits delivered_edits: integer; last_error: text`,
  ),
  table('hub_topic', 'feed_id', 'feed_id: integer; path: text; changed: flag; edition: integer'),
  table('dead_letter', 'id', 'id subscription_id publication_seq item_seq at: integer; reason: text; requeued: flag'),
  table('feed_token', 'id', 'id feed_id: integer; hash label: text; created_at: integer'),
  table('feed_read', 'feed', 'feed: text; at: integer'),
  table('feed_fetch', 'feed reader', 'feed reader: text; at subscribers: integer'),
]

const USERS = [
  table(
    'account',
    'id',
    `id: integer; name folded role password invitation: text; invitation_ends_at created_at last_seen_at: integer;
      wish: text`,
  ),
  table('login_session', 'hash', 'hash: text; user_id created_at ends_at: integer; client address: text'),
  table(
    'api_token',
    'id',
    'id user_id: integer; label scope feed hash: text; created_at last_used_at: integer; client address: text',
  ),
  table('trust', 'user_id source_id', 'user_id source_id: integer; trust: number'),
  table('item_mark', 'user_id seq', 'user_id seq: integer; read starred: flag'),
  table('read_up_to', 'user_id source_id', 'user_id source_id seq: integer'),
  table('follow', 'user_id feed', 'user_id: integer; feed: text; since: integer'),
  table('audit', 'id', `id at user_id: integer; user_name address action subject: text; failed: flag; count: integer`),
]

/** Of things whose numbers are never given again: the last that was. */
export const NUMBERED = [
  'source',
  'item',
  'buffer_entry',
  'query_feed',
  'publication',
  'subscription',
  'hub_subscription',
  'dead_letter',
  'feed_token',
  'account',
  'api_token',
  'audit',
] as const
export const LAST_NUMBERS = table('last_number', 'name', 'name: text; value: integer')

/** Revisions of sources and of queries. */
const REVISIONS = table('counter', 'name', 'name: text; value: integer')
const STATES = table('node_state', 'key', 'key value: text', LONG_ROWS_AT_ONCE)

/**
 * All that a move takes along, in its order. Left behind is what the target makes of it (text indices, sums of rows) or what is
 * of a running node (members, leases): see docs/decisions/0095-moving-a-store.md.
 */
export const TRANSFER_TABLES: readonly TransferTable[] = [
  ...SOURCES,
  ...ITEMS,
  ...QUALITY,
  ...QUERY_FEEDS,
  ...USERS,
  STATES,
  REVISIONS,
  LAST_NUMBERS,
]
