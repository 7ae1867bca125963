import type Database from 'better-sqlite3'
import { HeadwaterError } from '../../../runtime/errors.ts'
import { COUNT_SELECTIVITIES } from './count-selectivities.ts'

/** "HWTR": marks the file as ours, so that a database of another program is never altered. */
const APPLICATION_ID = 0x48575452
/** "HWMV": a move into it is not finished, and no node may open it; older versions take it for another program's. */
const MOVING_ID = 0x48574d56

/**
 * Step n leads from schema version n − 1 to n. A step that was released is never changed; a new need is a new step.
 *
 * Times are integers (ms), keys and hashes BLOBs of 16 bytes, rarely used fields JSON. Columns that lists and plans
 * need stand before the long texts, so that SQLite need not read those.
 */
const STEPS: readonly string[] = [
  `
  CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
  INSERT INTO counter VALUES ('revision', 0), ('items', 0), ('observations', 0), ('indexed', 0);

  CREATE TABLE node_state (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

  -- AUTOINCREMENT: the number of a removed source, item or buffer entry is never given again.
  CREATE TABLE source (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    revision INTEGER NOT NULL,
    url TEXT NOT NULL UNIQUE,
    name TEXT,
    weight REAL NOT NULL,
    interval_ms INTEGER,
    paused INTEGER NOT NULL,
    added_at INTEGER NOT NULL,
    categories TEXT,
    request TEXT
  );
  CREATE INDEX source_revision ON source (revision);

  -- Apart from the settings, because it is written at every refresh.
  CREATE TABLE source_state (
    source_id INTEGER PRIMARY KEY,
    status TEXT NOT NULL,
    failure_count INTEGER NOT NULL,
    last_check_at INTEGER,
    next_check_at INTEGER,
    last_success_at INTEGER,
    last_new_item_at INTEGER,
    dates_credible INTEGER NOT NULL,
    format TEXT,
    title TEXT,
    site_url TEXT,
    etag TEXT,
    last_modified TEXT,
    body_hash,
    next_check_reason TEXT,
    rest TEXT
  );
  -- Apart from the state, because a refresh without news leaves it alone.
  CREATE TABLE source_window (source_id INTEGER PRIMARY KEY, entries NOT NULL);

  CREATE TABLE source_folder (folder TEXT, source_id INTEGER, PRIMARY KEY (folder, source_id)) WITHOUT ROWID;
  CREATE INDEX source_folder_source ON source_folder (source_id);
  CREATE TABLE removed_source (revision INTEGER PRIMARY KEY, source_id INTEGER NOT NULL, removed_at INTEGER NOT NULL);
  CREATE TABLE refresh_request (source_id INTEGER PRIMARY KEY, at INTEGER NOT NULL);

  CREATE TABLE item (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    source_id INTEGER NOT NULL,
    key NOT NULL,
    sort_at INTEGER NOT NULL,
    first_seen_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    content_hash NOT NULL,
    published INTEGER,
    updated INTEGER,
    id TEXT,
    link TEXT,
    title TEXT,
    rest TEXT,
    summary TEXT,
    content TEXT
  );
  CREATE UNIQUE INDEX item_key ON item (source_id, key);
  -- seq is named so that it comes before what is only there to be read without visiting the row.
  CREATE INDEX item_by_source ON item (source_id, sort_at, seq, first_seen_at);
  CREATE INDEX item_by_time ON item (sort_at, seq, source_id);
  CREATE TABLE removed_item (
    source_id INTEGER, key, content_hash NOT NULL, removed_at INTEGER NOT NULL, PRIMARY KEY (source_id, key)
  ) WITHOUT ROWID;

  CREATE TABLE observation (
    source_id INTEGER, at INTEGER, previous_at INTEGER, new_items INTEGER NOT NULL, window_size INTEGER,
    overlap TEXT NOT NULL, lost_at_least INTEGER NOT NULL, not_modified INTEGER NOT NULL, bytes INTEGER NOT NULL,
    latency_ms REAL NOT NULL, item_times TEXT, PRIMARY KEY (source_id, at)
  ) WITHOUT ROWID;

  -- Items after the counter 'indexed' are not yet in the text index; stale ones are there as they were before an edit.
  -- See docs/decisions/0011-full-text.md.
  CREATE TABLE stale_text (seq INTEGER PRIMARY KEY);
  CREATE VIRTUAL TABLE item_text USING fts5(
    text, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
  );
  INSERT INTO item_text (item_text, rank) VALUES ('hashsize', 8388608);
  INSERT INTO item_text (item_text, rank) VALUES ('pgsz', 16000);

  CREATE TABLE buffer_entry (
    cursor INTEGER PRIMARY KEY AUTOINCREMENT, seq INTEGER NOT NULL, changed INTEGER NOT NULL
  );
  CREATE TABLE buffer_reader (name TEXT PRIMARY KEY, cursor INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE buffer_shed (reader TEXT PRIMARY KEY, entries INTEGER NOT NULL) WITHOUT ROWID;
  `,
  `
  ALTER TABLE observation ADD COLUMN loss TEXT;

  -- Sums per hour (since 1970) and source; source 0 is the node, its hour -1 all time. By hour first: what is written
  -- together lies together, and what is old goes in one piece.
  CREATE TABLE quality_hour (
    hour INTEGER, source_id INTEGER, requests INTEGER NOT NULL, failures INTEGER NOT NULL, useful INTEGER NOT NULL,
    unchanged INTEGER NOT NULL, bytes INTEGER NOT NULL, items INTEGER NOT NULL, lost REAL NOT NULL,
    lost_at_least REAL NOT NULL, lost_at_most REAL NOT NULL, repaired INTEGER NOT NULL, saturated INTEGER NOT NULL,
    delay_ms REAL NOT NULL, guessed_delays INTEGER NOT NULL, watched_ms REAL NOT NULL, stale_ms REAL NOT NULL,
    PRIMARY KEY (hour, source_id)
  ) WITHOUT ROWID;
  CREATE TABLE quality_delay (
    hour INTEGER, source_id INTEGER, bucket INTEGER, items INTEGER NOT NULL, PRIMARY KEY (hour, source_id, bucket)
  ) WITHOUT ROWID;
  `,
  // Query feeds.
  `
  INSERT INTO counter VALUES ('queries', 0);

  CREATE TABLE query_feed (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    title TEXT,
    item_limit INTEGER,
    text TEXT NOT NULL,
    private INTEGER NOT NULL,
    version INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    altered_at INTEGER NOT NULL,
    catch_up_after INTEGER,
    history_up_to INTEGER NOT NULL
  );

  CREATE TABLE publication (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    feed_id INTEGER NOT NULL,
    item_seq INTEGER NOT NULL,
    published_at INTEGER NOT NULL,
    history INTEGER NOT NULL,
    joined TEXT
  );
  CREATE UNIQUE INDEX publication_once ON publication (feed_id, item_seq);
  CREATE INDEX publication_item ON publication (item_seq);
  CREATE INDEX publication_feed ON publication (feed_id, seq);

  -- See src/store/selectivity.ts.
  CREATE TABLE looked_at (source_id INTEGER PRIMARY KEY, items INTEGER NOT NULL);
  CREATE TABLE kept_share (
    feed_id INTEGER, source_id INTEGER, weight REAL NOT NULL, at_items INTEGER NOT NULL, since_items INTEGER NOT NULL,
    PRIMARY KEY (feed_id, source_id)
  ) WITHOUT ROWID;
  CREATE INDEX kept_share_source ON kept_share (source_id);

  CREATE TABLE subscription (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    feed_id INTEGER NOT NULL,
    output TEXT NOT NULL,
    every_ms INTEGER,
    secret TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    delivered_seq INTEGER NOT NULL,
    delivered_at INTEGER,
    failure_count INTEGER NOT NULL,
    next_attempt_at INTEGER,
    last_error TEXT
  );
  CREATE UNIQUE INDEX subscription_output ON subscription (feed_id, output);
  CREATE TABLE dead_letter (
    id INTEGER PRIMARY KEY AUTOINCREMENT, subscription_id INTEGER NOT NULL, publication_seq INTEGER NOT NULL,
    item_seq INTEGER NOT NULL, at INTEGER NOT NULL, reason TEXT NOT NULL, requeued INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX dead_letter_requeued ON dead_letter (publication_seq) WHERE requeued = 1;
  CREATE INDEX dead_letter_subscription ON dead_letter (subscription_id);
  CREATE TABLE feed_token (
    id INTEGER PRIMARY KEY AUTOINCREMENT, feed_id INTEGER NOT NULL, hash TEXT NOT NULL, label TEXT,
    created_at INTEGER NOT NULL
  );
  `,
  // What the scheduler learnt and decided; who reads.
  `
  ALTER TABLE source ADD COLUMN min_interval_ms INTEGER;
  ALTER TABLE source ADD COLUMN max_interval_ms INTEGER;
  ALTER TABLE observation ADD COLUMN cause TEXT;
  ALTER TABLE observation ADD COLUMN price REAL;
  ALTER TABLE observation ADD COLUMN expected REAL;

  -- Apart from the state: written in batches, not at every refresh.
  CREATE TABLE model (
    source_id INTEGER PRIMARY KEY, form TEXT NOT NULL, window_size INTEGER NOT NULL, cost REAL NOT NULL,
    learnt_at INTEGER NOT NULL, relearnt_at INTEGER, state BLOB NOT NULL
  );
  CREATE TABLE feed_read (feed TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
  `,
  // Users, what they have read and trust; how many items a source has, for lists.
  `
  CREATE TABLE user (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, folded TEXT NOT NULL UNIQUE, role TEXT NOT NULL,
    password TEXT, invitation TEXT UNIQUE, invitation_ends_at INTEGER, created_at INTEGER NOT NULL, last_seen_at INTEGER
  );
  CREATE UNIQUE INDEX user_owner ON user (role) WHERE role = 'owner';
  CREATE TABLE session (
    hash TEXT PRIMARY KEY, user_id INTEGER NOT NULL, created_at INTEGER NOT NULL, ends_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE api_token (
    id INTEGER PRIMARY KEY AUTOINCREMENT, user_id INTEGER NOT NULL, label TEXT, scope TEXT NOT NULL, feed TEXT,
    hash TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL, last_used_at INTEGER
  );
  CREATE TABLE feed_owner (feed_id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL);
  CREATE TABLE trust (
    user_id INTEGER, source_id INTEGER, trust REAL NOT NULL, PRIMARY KEY (user_id, source_id)
  ) WITHOUT ROWID;

  -- read: NULL where read_up_to decides. There, source 0 stands for all of them.
  CREATE TABLE item_mark (
    user_id INTEGER, seq INTEGER, read INTEGER, starred INTEGER NOT NULL, PRIMARY KEY (user_id, seq)
  ) WITHOUT ROWID;
  CREATE INDEX item_mark_starred ON item_mark (user_id, seq) WHERE starred = 1;
  CREATE TABLE read_up_to (
    user_id INTEGER, source_id INTEGER, seq INTEGER NOT NULL, PRIMARY KEY (user_id, source_id)
  ) WITHOUT ROWID;

  CREATE TABLE source_items (source_id INTEGER PRIMARY KEY, items INTEGER NOT NULL);
  INSERT INTO source_items SELECT source_id, count(*) FROM item GROUP BY source_id;
  `,
  // Addresses that sources have moved from; how many publications a feed has, which every reader of it asks.
  `
  CREATE TABLE former_url (url TEXT PRIMARY KEY, source_id INTEGER NOT NULL) WITHOUT ROWID;
  CREATE INDEX former_url_source ON former_url (source_id);

  CREATE TABLE publication_count (feed_id INTEGER PRIMARY KEY, publications INTEGER NOT NULL);
  INSERT INTO publication_count SELECT feed_id, count(*) FROM publication GROUP BY feed_id;
  CREATE TRIGGER publication_more AFTER INSERT ON publication BEGIN
    INSERT INTO publication_count (feed_id, publications) VALUES (new.feed_id, 1)
      ON CONFLICT DO UPDATE SET publications = publications + 1;
  END;
  CREATE TRIGGER publication_less AFTER DELETE ON publication BEGIN
    UPDATE publication_count SET publications = publications - 1 WHERE feed_id = old.feed_id;
  END;
  `,
  // What a query feed counts; sums of categories for hours that are over (category-quality.ts).
  `
  ALTER TABLE query_feed ADD COLUMN weight REAL NOT NULL DEFAULT 1;
  CREATE TABLE quality_folder (folder TEXT, hour INTEGER, tally TEXT NOT NULL, PRIMARY KEY (folder, hour)) WITHOUT ROWID;
  CREATE INDEX quality_folder_hour ON quality_folder (hour);
  `,
  // What users follow: feeds of the node by their path, as in feed_read.
  `
  CREATE TABLE follow (
    user_id INTEGER NOT NULL, feed TEXT NOT NULL, since INTEGER NOT NULL, PRIMARY KEY (user_id, feed)
  ) WITHOUT ROWID;
  `,
  // Queries name sources.
  'CREATE INDEX source_name ON source (name) WHERE name IS NOT NULL;',
  // Arrivals without their texts, for feeds that mix sources (mixed-arrivals.ts). Written at its end alone.
  'CREATE INDEX item_arrival ON item (seq, source_id);',
  // What a query feed is made without, because its owner may not read it.
  `
  ALTER TABLE query_feed ADD COLUMN without TEXT NOT NULL DEFAULT '[]';
  ALTER TABLE query_feed ADD COLUMN clearing INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE query_feed ADD COLUMN began_after INTEGER;
  `,
  // Who asked for a refresh, 0: the operator; who added a source. Both pay where nobody else does.
  `
  DROP TABLE refresh_request;
  CREATE TABLE refresh_request (
    source_id INTEGER NOT NULL, user_id INTEGER NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (source_id, user_id)
  ) WITHOUT ROWID;
  CREATE TABLE source_adder (source_id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL);
  CREATE INDEX source_adder_user ON source_adder (user_id);
  `,
  // Which words may stand next to each other in which items (phrase-blocks.ts).
  `
  CREATE TABLE phrase_block (block INTEGER PRIMARY KEY, bits INTEGER NOT NULL, edit_id INTEGER NOT NULL);
  CREATE TABLE phrase_slices (id INTEGER PRIMARY KEY, slices BLOB NOT NULL);
  CREATE TABLE text_edit (id INTEGER PRIMARY KEY AUTOINCREMENT, seq INTEGER NOT NULL);
  `,
  COUNT_SELECTIVITIES,
  // Who did what (store/audit.ts). Ids are never given again: pages go by them.
  `
  CREATE TABLE audit (
    id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, user_id INTEGER, user_name TEXT NOT NULL, address TEXT,
    action TEXT NOT NULL, subject TEXT NOT NULL, failed INTEGER NOT NULL, count INTEGER NOT NULL DEFAULT 1
  );
  CREATE INDEX audit_user ON audit (user_id, failed, id);
  CREATE INDEX audit_at ON audit (at);
  `,
  // The last item before what a query asks now: its selectivities are counted from here.
  'ALTER TABLE query_feed ADD COLUMN asks_after INTEGER;',
  // What was done with the new items of each source, by day (model/intake.ts).
  `
  ALTER TABLE source ADD COLUMN daily_allowance INTEGER;
  CREATE TABLE source_day (
    source_id INTEGER, day INTEGER, taken INTEGER NOT NULL, repaired INTEGER NOT NULL, refused INTEGER NOT NULL,
    PRIMARY KEY (source_id, day)
  ) WITHOUT ROWID;
  CREATE INDEX source_day_refused ON source_day (day) WHERE refused > 0;
  `,
  // Wished qualities (model/quality.ts), JSON.
  `
  ALTER TABLE query_feed ADD COLUMN wish TEXT;
  ALTER TABLE user ADD COLUMN wish TEXT;
  `,
  // From where sessions and tokens were last used.
  `
  ALTER TABLE session ADD COLUMN client TEXT;
  ALTER TABLE session ADD COLUMN address TEXT;
  ALTER TABLE api_token ADD COLUMN client TEXT;
  ALTER TABLE api_token ADD COLUMN address TEXT;
  `,
  // Who fetches published feeds, as hashes; forgotten after a fortnight.
  `
  CREATE TABLE feed_fetch (
    feed TEXT NOT NULL, reader TEXT NOT NULL, at INTEGER NOT NULL, subscribers INTEGER NOT NULL, PRIMARY KEY (feed, reader)
  ) WITHOUT ROWID;
  CREATE INDEX feed_fetch_at ON feed_fetch (at);
  `,
  // Whose each reader of the buffer is, and how long it is waited for (buffer/reader.ts).
  `
  ALTER TABLE buffer_reader ADD COLUMN owner TEXT;
  ALTER TABLE buffer_reader ADD COLUMN expires_after_ms INTEGER;
  ALTER TABLE buffer_reader ADD COLUMN seen_at INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE buffer_reader ADD COLUMN item_seq INTEGER;
  `,
  // Pages that items link to (store/item-pages.ts), and what they add to their items.
  `
  ALTER TABLE source ADD COLUMN pages TEXT;
  ALTER TABLE item ADD COLUMN article TEXT;
  CREATE TABLE item_page (
    seq INTEGER PRIMARY KEY, source_id INTEGER NOT NULL, shard INTEGER NOT NULL, due_at INTEGER, attempts INTEGER NOT NULL,
    fetched_at INTEGER, status INTEGER, failure TEXT, url TEXT NOT NULL, final_url TEXT, facts TEXT, body BLOB
  );
  CREATE INDEX item_page_due ON item_page (due_at, seq) WHERE due_at IS NOT NULL;
  CREATE INDEX item_page_source ON item_page (source_id);
  `,
  // Subscriptions to hubs (store/pushes.ts).
  `
  CREATE TABLE push_subscription (
    source_id INTEGER PRIMARY KEY, kind TEXT NOT NULL, hub TEXT NOT NULL, topic TEXT NOT NULL, key TEXT NOT NULL UNIQUE,
    secret TEXT NOT NULL, status TEXT NOT NULL, lease_ends_at INTEGER, next_at INTEGER NOT NULL, failures INTEGER NOT NULL,
    last_error TEXT, pushed_at INTEGER, pushes INTEGER NOT NULL, refused INTEGER NOT NULL, repeated INTEGER NOT NULL,
    digests TEXT NOT NULL, changed_at INTEGER NOT NULL
  );
  CREATE INDEX push_subscription_next ON push_subscription (next_at);
  CREATE INDEX push_subscription_changed ON push_subscription (changed_at);
  `,
  // What a site said of a page, to ask later whether it has changed; and until when the item waits for it.
  `
  ALTER TABLE item_page ADD COLUMN content_type TEXT;
  ALTER TABLE item_page ADD COLUMN etag TEXT;
  ALTER TABLE item_page ADD COLUMN last_modified TEXT;
  ALTER TABLE item_page ADD COLUMN held_until INTEGER;
  CREATE INDEX item_page_held ON item_page (held_until) WHERE held_until IS NOT NULL;
  `,
  // What reader apps ask for: what arrived since a time, and what was marked unread again below a mark of everything.
  `
  CREATE INDEX item_by_first_seen ON item (first_seen_at, seq);
  CREATE INDEX item_mark_unread ON item_mark (user_id, seq) WHERE read = 0;
  `,
  // Subscribers at our hub (store/hub.ts).
  `
  CREATE TABLE hub_subscription (
    id INTEGER PRIMARY KEY AUTOINCREMENT, feed_id INTEGER NOT NULL, callback TEXT NOT NULL, format TEXT NOT NULL,
    host TEXT NOT NULL, secret TEXT NOT NULL, created_at INTEGER NOT NULL, lease_ends_at INTEGER NOT NULL,
    delivered_seq INTEGER NOT NULL, delivered_at INTEGER, failure_count INTEGER NOT NULL, next_attempt_at INTEGER,
    last_error TEXT
  );
  CREATE UNIQUE INDEX hub_subscription_once ON hub_subscription (feed_id, callback, format);
  CREATE INDEX hub_subscription_host ON hub_subscription (host);
  `,
  // Icons of sources (store/icons.ts).
  `
  CREATE TABLE source_icon (
    source_id INTEGER PRIMARY KEY, due_at INTEGER NOT NULL, attempts INTEGER NOT NULL, looked_at INTEGER, failure TEXT,
    type TEXT, hash TEXT, body BLOB
  );
  CREATE INDEX source_icon_due ON source_icon (due_at);
  `,
  // Where an item was seen first, so that a feed has it once whatever its way.
  `
  ALTER TABLE publication ADD COLUMN origin TEXT;
  CREATE INDEX publication_origin ON publication (feed_id, origin) WHERE origin IS NOT NULL;
  `,
  // Edits of items that were published before, which subscribers of the hub get, too.
  `
  ALTER TABLE hub_subscription ADD COLUMN edits INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE hub_subscription ADD COLUMN delivered_edits INTEGER NOT NULL DEFAULT 0;
  `,
  // Built-in feeds that somebody has subscribed to at our hub (store/hub.ts).
  `
  CREATE TABLE hub_topic (
    feed_id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, changed INTEGER NOT NULL, edition INTEGER NOT NULL
  );
  CREATE INDEX hub_topic_changed ON hub_topic (edition) WHERE changed = 1;
  CREATE INDEX hub_subscription_place ON hub_subscription (feed_id, delivered_seq);
  `,
]

export const SCHEMA_VERSION = STEPS.length

/** In a transaction. */
export function markMoving(db: Database.Database, isMoving: boolean): void {
  db.pragma(`application_id = ${isMoving ? MOVING_ID : APPLICATION_ID}`)
}

/** `isForMove`: also of what a move has not finished; it stays marked as that. */
export function migrate(db: Database.Database, isForMove = false): void {
  if (versionOf(db, isForMove) === SCHEMA_VERSION) return
  db.transaction(() => {
    // Asked again under the lock: another process may have been faster.
    const version = versionOf(db, isForMove)
    for (const step of STEPS.slice(version)) db.exec(step)
    markMoving(db, ownerOf(db) === MOVING_ID)
    db.pragma(`user_version = ${SCHEMA_VERSION}`)
  }).immediate()
}

function ownerOf(db: Database.Database): number {
  return Number(db.pragma('application_id', { simple: true }))
}

/** A database of this program that this version can read. */
export function isReadableDatabase(db: Database.Database): boolean {
  return ownerOf(db) === APPLICATION_ID && Number(db.pragma('user_version', { simple: true })) <= SCHEMA_VERSION
}

function versionOf(db: Database.Database, isForMove: boolean): number {
  const version = Number(db.pragma('user_version', { simple: true }))
  const owner = ownerOf(db)
  if (owner === MOVING_ID && !isForMove) throw new HeadwaterError('STORE_MOVING', db.name)
  if (owner === APPLICATION_ID || owner === MOVING_ID) {
    if (version <= SCHEMA_VERSION) return version
    throw new HeadwaterError('STORE_TOO_NEW', `schema version ${version}, this program knows ${SCHEMA_VERSION}`)
  }
  const tables = db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get()
  if (owner === 0 && version === 0 && tables === 0) return 0
  throw new HeadwaterError('STORE_FAILED', `${db.name} is the database of another program`)
}
