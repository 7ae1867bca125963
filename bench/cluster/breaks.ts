import { systemClock } from '../../src/runtime/clock.ts'
import { LOCK_SPACE, LOCKS } from '../../src/store/postgres/database/locks.ts'
import type { Database } from './database.ts'
import type { Break } from './options.ts'

const LOG_LOCK = `PERFORM pg_advisory_xact_lock(${LOCK_SPACE}, ${LOCKS.log});`
const POSITION = 'SELECT l.seq, l.cursor INTO last_seq, last_cursor FROM log_position l;'

interface Edit {
  /** Of the function in the database. */
  readonly of: string
  readonly from: string
  readonly to: string
}

/**
 * Numbers from a sequence, as others do it: nobody gets one twice, but a group that commits later may have the smaller
 * ones. The delay stands between numbering and COMMIT.
 */
const NUMBERS_WITHOUT_LOCK: readonly Edit[] = [
  {
    of: 'record_refreshes',
    from: LOG_LOCK,
    to: `PERFORM pg_advisory_lock(${LOCK_SPACE}, 1000);
      last_seq := nextval('bench_seq') - 1;
      PERFORM setval('bench_seq', last_seq + greatest(1, cardinality(fresh)));
      last_cursor := nextval('bench_cursor') - 1;
      PERFORM setval('bench_cursor', last_cursor + cardinality(fresh) + greatest(1, cardinality(p_changed_record)));
      PERFORM pg_advisory_unlock(${LOCK_SPACE}, 1000);`,
  },
  { of: 'record_refreshes', from: POSITION, to: '' },
  // Two that add to the same row of sums would wait for each other, as for the lock.
  { of: 'record_refreshes', from: 'pg_backend_pid() % 16', to: 'floor(16 * random())' },
  {
    of: 'record_refreshes',
    from: 'UPDATE log_position l SET seq = last_seq, cursor = last_cursor;',
    to: `PERFORM pg_sleep(random());
      UPDATE log_position l SET seq = greatest(l.seq, last_seq), cursor = greatest(l.cursor, last_cursor);`,
  },
]

/** Whoever wrote under a lease writes, whether or not it has it; of some members only after another has. */
const NO_FENCE: readonly Edit[] = [
  {
    of: 'record_refreshes',
    from: 'AND l.token = u.token AND l.owner IS NOT NULL));',
    to: 'AND l.token >= u.token));',
  },
  {
    of: 'record_refreshes',
    from: "PERFORM 1 FROM lease l WHERE l.role = 'crawler' AND l.shard = ANY (p_lease_shard) ORDER BY l.shard FOR SHARE;",
    to: `IF EXISTS (SELECT 1 FROM bench_slow s JOIN lease l ON l.owner = s.owner
        WHERE l.role = 'crawler' AND l.shard = ANY (p_lease_shard)) THEN
        FOR attempt IN 1..600 LOOP
          EXIT WHEN EXISTS (SELECT 1 FROM unnest(p_source_id, p_last_check_at) AS u (id, at)
            JOIN source_state t ON t.source_id = u.id WHERE t.last_check_at > u.at);
          PERFORM pg_sleep(0.1);
        END LOOP;
      END IF;`,
  },
]

/** A grant is over for whoever granted it before it is for whoever has it, and is granted again. */
const NO_EXPIRY: readonly Edit[] = [
  {
    of: 'follow_grants',
    from: 'pool := earn_grants(pool, now_ms);',
    to: `pool.balance := pool.balance + coalesce((SELECT sum(h.amount) FROM grant_holding h), 0);
      UPDATE grant_holding SET amount = 0;
      pool := earn_grants(pool, now_ms);`,
  },
]

const EDITS: Readonly<Record<Break, readonly Edit[]>> = {
  'log-lock': NUMBERS_WITHOUT_LOCK,
  fence: NO_FENCE,
  'grant-expiry': NO_EXPIRY,
  // Not in the database: see unwatched.child.ts.
  'lease-clock': [],
}

/** In the database of the bench alone: the program knows nothing of it. */
export async function applyBreak({ query }: Database, what: Break): Promise<void> {
  if (what === 'fence') await query('CREATE TABLE bench_slow (owner text)')
  if (what === 'log-lock') await query('CREATE SEQUENCE bench_seq; CREATE SEQUENCE bench_cursor')
  for (const { of, from, to } of EDITS[what]) {
    const [row] = await query('SELECT pg_get_functiondef($1::regproc) AS text', [of])
    const text = String(row?.['text'] ?? '')
    if (!text.includes(from)) throw new Error(`${of} is not as --break ${what} expects it: ${from}`)
    await query(text.replace(from, () => to))
  }
}

const DELAYED = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
const LOOK_EVERY_MS = 50

/** From now on what this member writes is delayed; resolves when something is. */
export async function delayCommits({ query }: Database, memberId: string): Promise<void> {
  await query('INSERT INTO bench_slow VALUES ($1)', [memberId])
  while ((await query(DELAYED)).length === 0) await systemClock.sleep(LOOK_EVERY_MS)
}

export async function untilAllCommitted({ query }: Database): Promise<void> {
  while ((await query(DELAYED)).length > 0) await systemClock.sleep(LOOK_EVERY_MS)
}
