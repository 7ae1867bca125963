import { COUNT_COLUMNS } from '../../rows/quality.ts'
import { LOCK_SPACE, LOCKS } from '../database/locks.ts'
import { slowestCursor } from '../database/slowest-cursor.ts'

/** What the function takes, an array for each: of records, and of what belongs to one of them (`…_record`, from 1). */
export const REFRESH_PARAMETERS = {
  source_id: 'bigint',
  // NULL: it is written under no lease.
  lease_shard: 'integer',
  lease_token: 'bigint',
  status: 'text',
  failure_count: 'integer',
  last_check_at: 'bigint',
  next_check_at: 'bigint',
  last_success_at: 'bigint',
  last_new_item_at: 'bigint',
  dates_credible: 'boolean',
  format: 'text',
  title: 'text',
  site_url: 'text',
  etag: 'text',
  last_modified: 'text',
  body_hash: 'bytea',
  next_check_reason: 'text',
  rest: 'text',
  // NULL: the window stays as it is.
  entries: 'bytea',
  moved_to: 'text',
  // NULL: the refresh failed, and the rest of these says nothing.
  observed_at: 'bigint',
  previous_at: 'bigint',
  new_items: 'bigint',
  window_size: 'bigint',
  overlap: 'text',
  lost_at_least: 'bigint',
  not_modified: 'boolean',
  bytes: 'bigint',
  latency_ms: 'double precision',
  // Of numbers, as PostgreSQL writes an array.
  item_times: 'text',
  loss: 'text',
  cause: 'text',
  price: 'double precision',
  expected: 'double precision',
  // NULL: nothing is added to the counts of a day.
  day: 'integer',
  taken: 'bigint',
  repaired: 'bigint',
  refused: 'bigint',
  // NULL: nothing is added to the sums of quality; 15 of these for each record.
  hour: 'integer',
  sums: 'double precision',
  delay_record: 'integer',
  delay_bucket: 'integer',
  delay_items: 'bigint',
  renamed_record: 'integer',
  renamed_from: 'bytea',
  renamed_to: 'bytea',
  new_record: 'integer',
  new_key: 'bytea',
  new_hash: 'bytea',
  new_sort_at: 'bigint',
  new_first_seen_at: 'bigint',
  new_published: 'bigint',
  new_updated: 'bigint',
  new_id: 'text',
  new_link: 'text',
  new_title: 'text',
  new_rest: 'text',
  new_summary: 'text',
  new_content: 'text',
  // The address to be fetched, and the shard of its site; NULL: none.
  new_page_url: 'text',
  new_page_shard: 'integer',
  changed_record: 'integer',
  changed_key: 'bytea',
  changed_hash: 'bytea',
  changed_at: 'bigint',
  changed_published: 'bigint',
  changed_updated: 'bigint',
  changed_id: 'text',
  changed_link: 'text',
  changed_title: 'text',
  changed_rest: 'text',
  changed_summary: 'text',
  changed_content: 'text',
} as const

const parameters = Object.entries(REFRESH_PARAMETERS)
  .map(([name, type]) => `p_${name} ${type}[]`)
  .join(',\n    ')

const STATE_COLUMNS =
  'status failure_count last_check_at next_check_at last_success_at last_new_item_at dates_credible format title site_url etag last_modified body_hash next_check_reason rest'.split(
    ' ',
  )
const OBSERVATION_COLUMNS =
  'previous_at new_items window_size overlap lost_at_least not_modified bytes latency_ms loss cause price expected'.split(
    ' ',
  )
const ITEM_COLUMNS = 'sort_at first_seen_at published updated id link title rest summary content'.split(' ')

const listed = (names: readonly string[], form: (name: string, index: number) => string) => names.map(form).join(', ')
const addUp = (table: string) => listed(COUNT_COLUMNS, (name) => `${name} = ${table}.${name} + excluded.${name}`)
const hasAny = (array: string) => `cardinality(array_remove(${array}, NULL)) > 0`
const logLock = `pg_advisory_xact_lock(${LOCK_SPACE}, ${LOCKS.log})`
const settingsLock = `pg_advisory_xact_lock(${LOCK_SPACE}, ${LOCKS.settings})`

/** Rows that all writers would wait for are kept in so many; a connection keeps to one. */
const STRIPES = 16

/**
 * One group of refreshes, of each source one at most, in one call of the server: what a client that is cut off has begun
 * holds up nobody. All that needs no number is written before the lock on the log is taken; groups without news do not take
 * it. See docs/decisions/0090-postgres-store.md.
 */
export const RECORD_REFRESHES = `
  CREATE FUNCTION record_refreshes(
    ${parameters},
    p_capacity bigint,
    p_now bigint
  ) RETURNS TABLE (record integer, added integer, changed integer, refused boolean) LANGUAGE plpgsql AS $function$
  #variable_conflict use_column
  DECLARE
    late integer[] := '{}';
    there integer[];
    repeated integer[];
    observed bigint[];
    counted integer[];
    fresh integer[] := '{}';
    edited integer[] := '{}';
    stripe integer := pg_backend_pid() % ${STRIPES};
    last_seq bigint;
    last_cursor bigint;
    one record;
    found_seq bigint;
    present text;
    next_revision bigint;
  BEGIN
    IF ${hasAny('p_moved_to')} THEN
      PERFORM ${settingsLock};
    END IF;

    -- The fence: records under a lease that another has taken over, or that was given back, are refused. Nobody takes one
    -- over before this call is committed. Rows are locked in the order of shards, as by all who lock several.
    IF ${hasAny('p_lease_shard')} THEN
      PERFORM 1 FROM lease l WHERE l.role = 'crawler' AND l.shard = ANY (p_lease_shard) ORDER BY l.shard FOR SHARE;
      late := ARRAY(
      SELECT u.n::integer FROM unnest(p_lease_shard, p_lease_token) WITH ORDINALITY AS u (shard, token, n)
      WHERE u.shard IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM lease l
        WHERE l.role = 'crawler' AND l.shard = u.shard AND l.token = u.token AND l.owner IS NOT NULL));
    END IF;

    -- Only a failure leaves no observation by which its repetition could be told.
    IF array_position(p_observed_at, NULL) IS NOT NULL THEN repeated := ARRAY(
      SELECT CASE WHEN t.last_check_at IS NOT DISTINCT FROM u.last_check_at THEN u.n::integer END
      FROM unnest(p_source_id, p_last_check_at, p_observed_at) WITH ORDINALITY AS u (source_id, last_check_at, at, n)
        JOIN source_state t ON t.source_id = u.source_id
      WHERE u.at IS NULL FOR UPDATE OF t);
    END IF;

    WITH written AS (
      UPDATE source_state t SET ${listed(STATE_COLUMNS, (name) => `${name} = u.${name}`)}
      FROM unnest(p_source_id, ${listed(STATE_COLUMNS, (name) => `p_${name}`)}) WITH ORDINALITY
        AS u (source_id, ${STATE_COLUMNS.join(', ')}, n)
      WHERE t.source_id = u.source_id AND u.n <> ALL (late) RETURNING u.n
    ) SELECT coalesce(array_agg(n::integer), '{}') INTO there FROM written;

    IF ${hasAny('p_entries')} THEN INSERT INTO source_window AS w (source_id, entries)
      SELECT u.source_id, u.entries FROM unnest(p_source_id, p_entries) WITH ORDINALITY AS u (source_id, entries, n)
      WHERE u.entries IS NOT NULL AND u.n = ANY (there)
      ON CONFLICT (source_id) DO UPDATE SET entries = excluded.entries WHERE w.entries <> excluded.entries;
    END IF;

    IF ${hasAny('p_moved_to')} THEN FOR one IN
      SELECT u.source_id, u.url FROM unnest(p_source_id, p_moved_to) WITH ORDINALITY AS u (source_id, url, n)
      WHERE u.url IS NOT NULL AND u.n = ANY (there) ORDER BY u.n
    LOOP
      SELECT s.url INTO present FROM source s WHERE s.id = one.source_id;
      CONTINUE WHEN EXISTS (SELECT 1 FROM source s WHERE s.url = one.url);
      UPDATE counter c SET value = c.value + 1 WHERE c.name = 'revision' RETURNING c.value INTO next_revision;
      UPDATE source s SET url = one.url, revision = next_revision WHERE s.id = one.source_id;
      DELETE FROM former_url f WHERE f.url = one.url;
      INSERT INTO former_url (url, source_id) VALUES (present, one.source_id)
        ON CONFLICT (url) DO UPDATE SET source_id = excluded.source_id;
    END LOOP; END IF;

    WITH written AS (
      INSERT INTO observation (source_id, at, ${OBSERVATION_COLUMNS.join(', ')}, item_times)
        SELECT u.source_id, u.at, ${listed(OBSERVATION_COLUMNS, (name) => `u.${name}`)}, u.item_times::bigint[]
        FROM unnest(p_source_id, p_observed_at, ${listed(OBSERVATION_COLUMNS, (name) => `p_${name}`)}, p_item_times)
          WITH ORDINALITY AS u (source_id, at, ${OBSERVATION_COLUMNS.join(', ')}, item_times, n)
        WHERE u.at IS NOT NULL AND u.n = ANY (there)
      ON CONFLICT DO NOTHING RETURNING source_id
    ) SELECT coalesce(array_agg(source_id), '{}') INTO observed FROM written;

    counted := ARRAY(
      SELECT u.n::integer FROM unnest(p_source_id, p_observed_at) WITH ORDINALITY AS u (source_id, at, n)
      WHERE u.n = ANY (there)
        AND CASE WHEN u.at IS NULL THEN array_position(repeated, u.n::integer) IS NULL ELSE u.source_id = ANY (observed) END);

    IF ${hasAny('p_day')} THEN INSERT INTO source_day AS d (source_id, day, taken, repaired, refused)
      SELECT u.source_id, u.day, u.taken, u.repaired, u.refused
      FROM unnest(p_source_id, p_day, p_taken, p_repaired, p_refused) WITH ORDINALITY
        AS u (source_id, day, taken, repaired, refused, n)
      WHERE u.day IS NOT NULL AND u.n = ANY (counted)
      ON CONFLICT (source_id, day) DO UPDATE SET taken = d.taken + excluded.taken,
        repaired = d.repaired + excluded.repaired, refused = d.refused + excluded.refused;
    END IF;

    IF ${hasAny('p_hour')} THEN WITH sums AS MATERIALIZED (
      SELECT u.source_id, u.hour, ${listed(COUNT_COLUMNS, (name, index) => `p_sums[(u.n - 1) * ${COUNT_COLUMNS.length} + ${index + 1}] AS ${name}`)}
      FROM unnest(p_source_id, p_hour) WITH ORDINALITY AS u (source_id, hour, n)
      WHERE u.hour IS NOT NULL AND u.n = ANY (counted)
    ), of_node AS (
      SELECT hours.hour, ${listed(COUNT_COLUMNS, (name) => `sum(${name}) AS ${name}`)}
      FROM sums, LATERAL (VALUES (sums.hour), (-1)) AS hours (hour) GROUP BY hours.hour
    )
    INSERT INTO quality_hour AS q (source_id, hour, ${COUNT_COLUMNS.join(', ')})
      SELECT * FROM sums UNION ALL SELECT -stripe, of_node.* FROM of_node ORDER BY 2, 1
      ON CONFLICT (hour, source_id) DO UPDATE SET ${addUp('q')};
    END IF;

    IF cardinality(p_delay_record) > 0 THEN
      WITH delays AS MATERIALIZED (
        SELECT p_hour[d.record] AS hour, p_source_id[d.record] AS source_id, d.bucket, sum(d.items) AS items
        FROM unnest(p_delay_record, p_delay_bucket, p_delay_items) AS d (record, bucket, items)
        WHERE d.record = ANY (counted) GROUP BY 1, 2, 3
      )
      INSERT INTO quality_delay AS q (hour, source_id, bucket, items)
        SELECT hour, source_id, bucket, items FROM delays
        UNION ALL
        SELECT hours.hour, -stripe, bucket, sum(items)
          FROM delays, LATERAL (VALUES (delays.hour), (-1)) AS hours (hour) GROUP BY hours.hour, bucket
        ORDER BY 1, 2, 3
        ON CONFLICT (hour, source_id, bucket) DO UPDATE SET items = q.items + excluded.items;
    END IF;

    -- A key that is taken already, also by what is gone, stays with what has it.
    IF cardinality(p_renamed_record) > 0 THEN FOR one IN
      SELECT p_source_id[r.record] AS source_id, r.old, r.new
      FROM unnest(p_renamed_record, p_renamed_from, p_renamed_to) WITH ORDINALITY AS r (record, old, new, n)
      WHERE r.record = ANY (there) ORDER BY r.n
    LOOP
      CONTINUE WHEN EXISTS (SELECT 1 FROM item_key k WHERE k.source_id = one.source_id AND k.key = one.new);
      UPDATE item_key k SET key = one.new WHERE k.source_id = one.source_id AND k.key = one.old
        RETURNING k.seq INTO found_seq;
      IF FOUND THEN UPDATE item i SET key = one.new WHERE i.seq = found_seq; END IF;
    END LOOP; END IF;

    IF cardinality(p_new_record) > 0 THEN fresh := ARRAY(
      SELECT min(u.n)::integer FROM unnest(p_new_record, p_new_key) WITH ORDINALITY AS u (record, key, n)
      WHERE u.record = ANY (there)
        AND NOT EXISTS (SELECT 1 FROM item_key k WHERE k.source_id = p_source_id[u.record] AND k.key = u.key)
      GROUP BY u.record, u.key ORDER BY 1);
    END IF;

    IF cardinality(fresh) > 0 OR cardinality(p_changed_record) > 0 THEN
      PERFORM ${logLock};
      SELECT l.seq, l.cursor INTO last_seq, last_cursor FROM log_position l;

      -- Elements of an array of texts are found by walking it: what the rows have is not looked up there again.
      WITH added AS (INSERT INTO item (seq, source_id, key, content_hash, changed_at, ${ITEM_COLUMNS.join(', ')})
        SELECT last_seq + f.place, p_source_id[u.record], u.key, u.hash, u.first_seen_at, ${listed(ITEM_COLUMNS, (name) => `u.${name}`)}
        FROM unnest(fresh) WITH ORDINALITY AS f (n, place)
        JOIN unnest(p_new_record, p_new_key, p_new_hash, ${listed(ITEM_COLUMNS, (name) => `p_new_${name}`)}) WITH ORDINALITY
          AS u (record, key, hash, ${ITEM_COLUMNS.join(', ')}, n) ON u.n = f.n
        RETURNING source_id, key, seq, content_hash
      ) INSERT INTO item_key (source_id, key, seq, content_hash) SELECT * FROM added;
      INSERT INTO source_items AS s (source_id, items)
        SELECT p_source_id[p_new_record[f.n]], count(*) FROM unnest(fresh) AS f (n) GROUP BY 1
        ON CONFLICT (source_id) DO UPDATE SET items = s.items + excluded.items;
      INSERT INTO buffer_entry (cursor, seq, changed)
        SELECT last_cursor + f.place, last_seq + f.place, false FROM unnest(fresh) WITH ORDINALITY AS f (n, place);
      IF ${hasAny('p_new_page_url')} THEN INSERT INTO item_page (seq, source_id, shard, due_at, attempts, url)
        SELECT last_seq + f.place, p_source_id[u.record], u.shard, u.due_at, 0, u.url
        FROM unnest(fresh) WITH ORDINALITY AS f (n, place)
        JOIN unnest(p_new_record, p_new_page_url, p_new_page_shard, p_new_first_seen_at) WITH ORDINALITY
          AS u (record, url, shard, due_at, n) ON u.n = f.n
        WHERE u.url IS NOT NULL;
      END IF;
      last_seq := last_seq + cardinality(fresh);
      last_cursor := last_cursor + cardinality(fresh);

      -- An edit older than what is stored is a repetition of the past, not news.
      FOR one IN
        SELECT u.*, p_source_id[u.record] AS source_id FROM unnest(p_changed_record, p_changed_key, p_changed_hash,
          p_changed_at, p_changed_published, p_changed_updated, p_changed_id, p_changed_link, p_changed_title,
          p_changed_rest, p_changed_summary, p_changed_content) WITH ORDINALITY
          AS u (record, key, hash, at, published, updated, id, link, title, rest, summary, content, n)
        WHERE u.record = ANY (there) ORDER BY u.n
      LOOP
        UPDATE item i SET changed_at = one.at, content_hash = one.hash, published = one.published, updated = one.updated,
          id = coalesce(i.id, one.id), link = one.link, title = one.title, rest = one.rest, summary = one.summary,
          content = one.content
        FROM item_key k
        WHERE k.source_id = one.source_id AND k.key = one.key AND k.removed_at IS NULL AND i.seq = k.seq
          AND i.content_hash <> one.hash AND i.changed_at <= one.at
        RETURNING i.seq INTO found_seq;
        CONTINUE WHEN NOT FOUND;
        UPDATE item_key k SET content_hash = one.hash WHERE k.source_id = one.source_id AND k.key = one.key;
        last_cursor := last_cursor + 1;
        INSERT INTO buffer_entry (cursor, seq, changed) VALUES (last_cursor, found_seq, true);
        INSERT INTO stale_words (seq) VALUES (found_seq);
        edited := edited || one.record;
      END LOOP;

      UPDATE log_position l SET seq = last_seq, cursor = last_cursor;
      -- Without a reader nobody slows the crawlers down: only the newest entries are kept for one to come.
      IF ${slowestCursor('p_now')} IS NULL THEN
        DELETE FROM buffer_entry b WHERE b.cursor <= last_cursor - p_capacity;
      END IF;
    END IF;

    INSERT INTO tally AS t (name, stripe, value)
      SELECT * FROM (VALUES ('items', stripe, cardinality(fresh)), ('observations', stripe, cardinality(observed)))
        AS v (name, stripe, value) WHERE v.value > 0
      ON CONFLICT (name, stripe) DO UPDATE SET value = t.value + excluded.value;

    RETURN QUERY
      SELECT u.n::integer, coalesce(a.items, 0)::integer, coalesce(c.items, 0)::integer,
        u.n = ANY (late)
      FROM unnest(p_source_id) WITH ORDINALITY AS u (source_id, n)
        LEFT JOIN (SELECT p_new_record[f.i] AS n, count(*) AS items FROM unnest(fresh) AS f (i) GROUP BY 1) a ON a.n = u.n
        LEFT JOIN (SELECT e.n, count(*) AS items FROM unnest(edited) AS e (n) GROUP BY 1) c ON c.n = u.n
      ORDER BY u.n;
  END
  $function$;`
