import type Database from 'better-sqlite3'
import { HeadwaterError } from '../../runtime/errors.ts'

/** "HWTR": marks the file as ours, so that a database of another program is never altered. */
const APPLICATION_ID = 0x48575452

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
]

export const SCHEMA_VERSION = STEPS.length

export function migrate(db: Database.Database): void {
  if (versionOf(db) === SCHEMA_VERSION) return
  db.transaction(() => {
    // Asked again under the lock: another process may have been faster.
    const version = versionOf(db)
    for (const step of STEPS.slice(version)) db.exec(step)
    db.pragma(`application_id = ${APPLICATION_ID}`)
    db.pragma(`user_version = ${SCHEMA_VERSION}`)
  }).immediate()
}

function versionOf(db: Database.Database): number {
  const version = Number(db.pragma('user_version', { simple: true }))
  const owner = Number(db.pragma('application_id', { simple: true }))
  if (owner === APPLICATION_ID) {
    if (version <= SCHEMA_VERSION) return version
    throw new HeadwaterError('STORE_TOO_NEW', `schema version ${version}, this program knows ${SCHEMA_VERSION}`)
  }
  const tables = db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get()
  if (owner === 0 && version === 0 && tables === 0) return 0
  throw new HeadwaterError('STORE_FAILED', `${db.name} is the database of another program`)
}
