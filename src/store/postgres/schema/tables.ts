import { COUNT_COLUMNS } from '../../rows/quality.ts'

/**
 * The tables of the first version, by what they are about. Times are milliseconds, keys and hashes bytea (hashes.ts), what
 * few rows have is JSON in a text. Names and addresses are compared by their bytes, whatever the database's collation.
 *
 * What grows with time is partitioned, so that retention can drop it in one piece: items, their words and publications by
 * the item's number (which grows with time, and is what all of them are looked up by), observations by their time.
 * Partitions are added ahead of need (retention/partitions.ts); what there is none for stands in the default one. The key of an item stands apart (item_key): it must be unique over all partitions, and outlasts
 * its item for a year.
 */
const SOURCES = `
  -- 'revision': of sources, 'queries': of query feeds. Their writers hold the lock "settings", so that they become visible in
  -- their order.
  CREATE TABLE counter (name text PRIMARY KEY, value bigint NOT NULL);
  INSERT INTO counter VALUES ('revision', 0), ('queries', 0);

  -- member '': one for all.
  CREATE TABLE node_state (
    key text COLLATE "C", member text COLLATE "C", value text NOT NULL, written_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (key, member)
  );

  CREATE TABLE source (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    revision bigint NOT NULL,
    url text COLLATE "C" NOT NULL UNIQUE,
    name text COLLATE "C",
    weight double precision NOT NULL,
    interval_ms bigint,
    min_interval_ms bigint,
    max_interval_ms bigint,
    daily_allowance bigint,
    paused boolean NOT NULL,
    added_at bigint NOT NULL,
    categories text[] NOT NULL,
    request text
  );
  CREATE INDEX source_revision ON source (revision);
  CREATE INDEX source_name ON source (name) WHERE name IS NOT NULL;

  -- Apart from the settings, because it is written at every refresh; with room for it in its page.
  CREATE TABLE source_state (
    source_id bigint PRIMARY KEY,
    status text NOT NULL,
    failure_count integer NOT NULL,
    last_check_at bigint,
    next_check_at bigint,
    last_success_at bigint,
    last_new_item_at bigint,
    dates_credible boolean NOT NULL,
    format text,
    title text,
    site_url text,
    etag text,
    last_modified text,
    body_hash bytea,
    next_check_reason text,
    rest text
  ) WITH (fillfactor = 70);
  CREATE TABLE source_window (source_id bigint PRIMARY KEY, entries bytea NOT NULL) WITH (fillfactor = 70);
  CREATE TABLE source_items (source_id bigint PRIMARY KEY, items bigint NOT NULL) WITH (fillfactor = 70);

  CREATE TABLE source_folder (folder text COLLATE "C", source_id bigint, PRIMARY KEY (folder, source_id));
  CREATE INDEX source_folder_source ON source_folder (source_id);
  CREATE TABLE former_url (url text COLLATE "C" PRIMARY KEY, source_id bigint NOT NULL);
  CREATE INDEX former_url_source ON former_url (source_id);
  CREATE TABLE removed_source (revision bigint PRIMARY KEY, source_id bigint NOT NULL, removed_at bigint NOT NULL);
  CREATE TABLE source_adder (source_id bigint PRIMARY KEY, user_id bigint NOT NULL);
  CREATE INDEX source_adder_user ON source_adder (user_id);
  -- user_id 0: whoever runs the node.
  CREATE TABLE refresh_request (
    source_id bigint, user_id bigint, at bigint NOT NULL, PRIMARY KEY (source_id, user_id)
  );
  CREATE TABLE source_day (
    source_id bigint, day integer, taken bigint NOT NULL, repaired bigint NOT NULL, refused bigint NOT NULL,
    PRIMARY KEY (source_id, day)
  ) WITH (fillfactor = 70);
  CREATE INDEX source_day_refused ON source_day (day) WHERE refused > 0;

  CREATE TABLE model (
    source_id bigint PRIMARY KEY, form text NOT NULL, window_size bigint NOT NULL, cost double precision NOT NULL,
    learnt_at bigint NOT NULL, relearnt_at bigint, state bytea NOT NULL
  );
  CREATE TABLE feed_read (feed text COLLATE "C" PRIMARY KEY, at bigint NOT NULL);
  CREATE TABLE feed_fetch (
    feed text COLLATE "C", reader text COLLATE "C", at bigint NOT NULL, subscribers bigint NOT NULL,
    PRIMARY KEY (feed, reader)
  );
  CREATE INDEX feed_fetch_at ON feed_fetch (at);`

const ITEMS = `
  -- The last number given, written under the lock "log".
  CREATE TABLE log_position (seq bigint NOT NULL, cursor bigint NOT NULL) WITH (fillfactor = 10);
  INSERT INTO log_position VALUES (0, 0);

  CREATE TABLE item (
    seq bigint PRIMARY KEY,
    source_id bigint NOT NULL,
    sort_at bigint NOT NULL,
    first_seen_at bigint NOT NULL,
    changed_at bigint NOT NULL,
    published bigint,
    updated bigint,
    key bytea NOT NULL,
    content_hash bytea NOT NULL,
    id text,
    link text,
    title text,
    rest text,
    summary text,
    content text
  ) PARTITION BY RANGE (seq);
  CREATE INDEX item_by_source ON item (source_id, sort_at, seq);
  CREATE INDEX item_by_time ON item (sort_at, seq);
  CREATE INDEX item_by_first_seen ON item USING brin (first_seen_at);
  -- Most rows are a little longer than a page's share, and packed: with the quicker way where the server has it.
  DO $$ BEGIN
    ALTER TABLE item ALTER summary SET COMPRESSION lz4, ALTER content SET COMPRESSION lz4;
  EXCEPTION WHEN feature_not_supported THEN NULL; END $$;
  CREATE TABLE item_default PARTITION OF item DEFAULT;

  -- removed_at: the item is gone, its key is remembered.
  CREATE TABLE item_key (
    source_id bigint, key bytea, seq bigint NOT NULL, content_hash bytea NOT NULL, removed_at bigint,
    PRIMARY KEY (source_id, key)
  );
  CREATE INDEX item_key_removed ON item_key (removed_at) WHERE removed_at IS NOT NULL;

  CREATE TABLE observation (
    source_id bigint, at bigint, previous_at bigint, new_items bigint NOT NULL, window_size bigint,
    overlap text NOT NULL, lost_at_least bigint NOT NULL, not_modified boolean NOT NULL, bytes bigint NOT NULL,
    latency_ms double precision NOT NULL, item_times bigint[], loss text, cause text, price double precision,
    expected double precision, PRIMARY KEY (source_id, at)
  ) PARTITION BY RANGE (at);
  CREATE INDEX observation_by_time ON observation USING brin (at);
  CREATE TABLE observation_default PARTITION OF observation DEFAULT;

  CREATE TABLE buffer_entry (cursor bigint PRIMARY KEY, seq bigint NOT NULL, changed boolean NOT NULL);
  -- See src/buffer/reader.ts.
  CREATE TABLE buffer_reader (
    name text COLLATE "C" PRIMARY KEY, cursor bigint NOT NULL, owner text, expires_after_ms bigint, seen_at bigint NOT NULL,
    item_seq bigint
  ) WITH (fillfactor = 10);
  CREATE TABLE buffer_dropped (reader text COLLATE "C" PRIMARY KEY, entries bigint NOT NULL);

  -- How many items and observations there are. One row would make all writers wait for each other: each adds to one of
  -- some, and the sum counts.
  CREATE TABLE tally (name text, stripe integer, value bigint NOT NULL, PRIMARY KEY (name, stripe)) WITH (fillfactor = 10);`

/** See docs/decisions/0090-postgres-store.md; words NULL: too many, the item itself is read instead. */
const WORDS = `
  CREATE TABLE item_words (seq bigint PRIMARY KEY, words tsvector) PARTITION BY RANGE (seq);
  CREATE INDEX item_words_words ON item_words USING gin (words);
  CREATE INDEX item_words_unknown ON item_words (seq) WHERE words IS NULL;
  CREATE TABLE item_words_default PARTITION OF item_words DEFAULT;
  -- Items up to here are indexed; those edited since stand in stale_words, once for each edit.
  CREATE TABLE words_position (seq bigint NOT NULL) WITH (fillfactor = 10);
  INSERT INTO words_position VALUES (0);
  CREATE TABLE stale_words (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, seq bigint NOT NULL);`

const SUMS = COUNT_COLUMNS.map((name) => `${name} double precision NOT NULL`).join(', ')

/** Sums per hour (since 1970) and source. Sources 0, -1, … together are the node, in stripes; its hour -1 is all time. */
const QUALITY = `
  CREATE TABLE quality_hour (hour integer, source_id bigint, ${SUMS}, PRIMARY KEY (hour, source_id)) WITH (fillfactor = 70);
  CREATE TABLE quality_delay (
    hour integer, source_id bigint, bucket integer, items bigint NOT NULL, PRIMARY KEY (hour, source_id, bucket)
  ) WITH (fillfactor = 70);`

const QUERY_FEEDS = `
  CREATE TABLE query_feed (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text COLLATE "C" NOT NULL UNIQUE,
    title text,
    item_limit bigint,
    text text NOT NULL,
    private boolean NOT NULL,
    weight double precision NOT NULL DEFAULT 1,
    wish text,
    version bigint NOT NULL DEFAULT 0,
    created_at bigint NOT NULL,
    altered_at bigint NOT NULL,
    catch_up_after bigint,
    history_up_to bigint NOT NULL DEFAULT 0,
    began_after bigint,
    asks_after bigint,
    without text[] NOT NULL DEFAULT '{}',
    clearing boolean NOT NULL DEFAULT false
  );
  CREATE TABLE feed_owner (feed_id bigint PRIMARY KEY, user_id bigint NOT NULL);

  -- The last number given, written under the lock "publications".
  CREATE TABLE publication_position (seq bigint NOT NULL) WITH (fillfactor = 10);
  INSERT INTO publication_position VALUES (0);
  CREATE TABLE publication (
    seq bigint NOT NULL, feed_id bigint, item_seq bigint, published_at bigint NOT NULL, history boolean NOT NULL,
    joined bigint[], PRIMARY KEY (feed_id, item_seq)
  ) PARTITION BY RANGE (item_seq);
  CREATE INDEX publication_item ON publication (item_seq);
  CREATE INDEX publication_feed ON publication (feed_id, seq);
  CREATE INDEX publication_seq ON publication (seq);
  CREATE TABLE publication_default PARTITION OF publication DEFAULT;
  CREATE TABLE publication_count (feed_id bigint PRIMARY KEY, publications bigint NOT NULL) WITH (fillfactor = 50);

  CREATE TABLE looked_at (source_id bigint PRIMARY KEY, items bigint NOT NULL) WITH (fillfactor = 70);
  CREATE TABLE kept_share (
    feed_id bigint, source_id bigint, weight double precision NOT NULL, at_items bigint NOT NULL,
    since_items bigint NOT NULL, PRIMARY KEY (feed_id, source_id)
  ) WITH (fillfactor = 70);
  CREATE INDEX kept_share_source ON kept_share (source_id);

  CREATE TABLE subscription (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    feed_id bigint NOT NULL,
    output text COLLATE "C" NOT NULL,
    every_ms bigint,
    secret text NOT NULL,
    created_at bigint NOT NULL,
    delivered_seq bigint NOT NULL,
    delivered_at bigint,
    failure_count bigint NOT NULL DEFAULT 0,
    next_attempt_at bigint,
    last_error text,
    UNIQUE (feed_id, output)
  );
  CREATE TABLE dead_letter (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, subscription_id bigint NOT NULL, publication_seq bigint NOT NULL,
    item_seq bigint NOT NULL, at bigint NOT NULL, reason text NOT NULL, requeued boolean NOT NULL DEFAULT false
  );
  CREATE INDEX dead_letter_requeued ON dead_letter (publication_seq) WHERE requeued;
  CREATE INDEX dead_letter_subscription ON dead_letter (subscription_id);
  CREATE TABLE feed_token (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, feed_id bigint NOT NULL, hash text NOT NULL, label text,
    created_at bigint NOT NULL
  );`

const USERS = `
  CREATE TABLE account (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL, folded text COLLATE "C" NOT NULL UNIQUE,
    role text NOT NULL, password text, invitation text UNIQUE, invitation_ends_at bigint, created_at bigint NOT NULL,
    last_seen_at bigint, wish text
  );
  CREATE UNIQUE INDEX account_owner ON account (role) WHERE role = 'owner';
  CREATE TABLE login_session (
    hash text COLLATE "C" PRIMARY KEY, user_id bigint NOT NULL, created_at bigint NOT NULL, ends_at bigint NOT NULL,
    client text, address text
  );
  CREATE INDEX login_session_user ON login_session (user_id);
  CREATE TABLE api_token (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, user_id bigint NOT NULL, label text, scope text NOT NULL, feed text,
    hash text COLLATE "C" NOT NULL UNIQUE, created_at bigint NOT NULL, last_used_at bigint, client text, address text
  );
  CREATE TABLE trust (
    user_id bigint, source_id bigint, trust double precision NOT NULL, PRIMARY KEY (user_id, source_id)
  );
  -- read NULL: read_up_to decides. There, source 0 stands for all of them.
  CREATE TABLE item_mark (
    user_id bigint, seq bigint, read boolean, starred boolean NOT NULL, PRIMARY KEY (user_id, seq)
  );
  CREATE INDEX item_mark_starred ON item_mark (user_id, seq) WHERE starred;
  CREATE TABLE read_up_to (user_id bigint, source_id bigint, seq bigint NOT NULL, PRIMARY KEY (user_id, source_id));
  CREATE TABLE follow (user_id bigint, feed text COLLATE "C", since bigint NOT NULL, PRIMARY KEY (user_id, feed));
  CREATE TABLE audit (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at bigint NOT NULL, user_id bigint, user_name text NOT NULL,
    address text, action text NOT NULL, subject text NOT NULL, failed boolean NOT NULL, count bigint NOT NULL DEFAULT 1
  );
  CREATE INDEX audit_user ON audit (user_id, failed, id);
  CREATE INDEX audit_at ON audit (at);`

export const TABLES = [SOURCES, ITEMS, WORDS, QUALITY, QUERY_FEEDS, USERS].join('\n')
