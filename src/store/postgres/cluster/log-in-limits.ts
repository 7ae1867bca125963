import { createHash } from 'node:crypto'
import type { LogInAttempt, LogInLimits, RequestCount, RequestWindow } from '../../../cluster/log-in-limits.ts'
import {
  accountKey,
  type Count,
  clearTries,
  countTry,
  FORGET_TRIES_MS,
  MOST_TRIES,
  placeKey,
  type TryCounts,
  takeTryBack,
  waitBeforeTry,
} from '../../../cluster/log-in-rules.ts'
import type { DurationMs } from '../../../model/index.ts'
import type { Access, Sql } from '../database/sql.ts'

const LOOK = `SELECT u.kind, coalesce(a.amount, 0) AS amount, coalesce(a.at, -1) AS at, cluster_now_ms() AS now
  FROM unnest($1::text[], $2::text[]) AS u (kind, key) LEFT JOIN attempt a ON a.kind = u.kind AND a.key = u.key`

/** Makes what is not there, and locks all of it in one order; the time is of after the lock. */
const LOCK = `INSERT INTO attempt AS a (kind, key, amount, at)
  SELECT kind, key, 0, -1 FROM unnest($1::text[], $2::text[]) AS u (kind, key) ORDER BY kind, key
  ON CONFLICT (kind, key) DO UPDATE SET at = a.at
  RETURNING kind, amount, at, cluster_now_ms() AS now`

const WRITE = `UPDATE attempt a SET amount = u.amount, at = u.at
  FROM unnest($1::text[], $2::text[], $3::double precision[], $4::double precision[]) AS u (kind, key, amount, at)
  WHERE a.kind = u.kind AND a.key = u.key`

const REMOVE = `DELETE FROM attempt a USING unnest($1::text[], $2::text[]) AS u (kind, key)
  WHERE a.kind = u.kind AND a.key = u.key`

const COUNT = `INSERT INTO attempt AS a (kind, key, amount, at) VALUES ('request', $1, 1, cluster_now_ms())
  ON CONFLICT (kind, key) DO UPDATE SET
    amount = CASE WHEN excluded.at - a.at >= $2 THEN 1 ELSE a.amount + 1 END,
    at = CASE WHEN excluded.at - a.at >= $2 THEN excluded.at ELSE a.at END
  RETURNING amount, at + $2 - cluster_now_ms() AS ends_in_ms`

/** Whoever has a row at this moment keeps it. */
const FORGET = `DELETE FROM attempt WHERE (kind, key) IN (
    SELECT kind, key FROM attempt WHERE at < cluster_now_ms() - ${FORGET_TRIES_MS} OR at <= (
      SELECT at FROM attempt ORDER BY at DESC OFFSET $1 LIMIT 1
    ) FOR UPDATE SKIP LOCKED)`
const FORGET_AFTER_CALLS = 64
const MOST_FULL_WINDOWS = 5_000

export interface PostgresLogInOptions {
  /** Counts that are remembered, of all kinds together. */
  readonly most?: number
  /** Of this process: for how long nobody need be asked. */
  readonly monotonicMs: () => DurationMs
}

interface Row extends Count {
  readonly kind: 'account' | 'place'
  readonly now: DurationMs
}

type Columns = readonly [kinds: readonly string[], keys: readonly string[]]

/** For all processes over one database, by its clock. */
export function createPostgresLogInLimits(access: Access, options: PostgresLogInOptions): LogInLimits {
  const { most = 3 * MOST_TRIES, monotonicMs } = options
  const full = new Map<string, DurationMs>()
  let calls = 0
  const forgetOld = async () => {
    if (calls++ % FORGET_AFTER_CALLS === 0) await access.run(FORGET, [most])
  }
  /** As it is by the last commit; nothing waits for it. */
  const waitNow = async (attempt: LogInAttempt): Promise<DurationMs> => {
    const { counts, now } = countsOf(await access.rows<Row>(LOOK, [...columnsOf(attempt)]))
    return waitBeforeTry(counts, attempt.isKnown, now)
  }
  return {
    async admit(attempt) {
      // Most tries of somebody who guesses end here, without a write.
      const waitMs = await waitNow(attempt)
      if (waitMs > 0) return waitMs
      await forgetOld()
      return change(access, attempt, (counts, now) => {
        const stillMs = waitBeforeTry(counts, attempt.isKnown, now)
        return { waitMs: stillMs, counts: stillMs > 0 ? counts : countTry(counts, attempt.isKnown, now) }
      })
    },
    async succeeded(attempt) {
      await change(access, attempt, (counts, now) => ({ waitMs: 0, counts: clearTries(counts, attempt.isKnown, now) }))
    },
    async withdraw(attempt) {
      await change(access, attempt, (counts, now) => ({ waitMs: 0, counts: takeTryBack(counts, attempt.isKnown, now) }))
    },
    async countRequest({ key, max, windowMs }: RequestWindow): Promise<RequestCount> {
      // A window that is full stays so until it ends: who goes on asking costs the database nothing.
      const endsInMs = (full.get(key) ?? Number.NEGATIVE_INFINITY) - monotonicMs()
      if (endsInMs > 0) return { count: max + 1, endsInMs }
      await forgetOld()
      const row = await access.first<{ amount: number; ends_in_ms: number }>(COUNT, [hashOf(key), windowMs])
      if (row === null) throw new Error('the server counted no request')
      if (full.size >= MOST_FULL_WINDOWS) full.clear()
      if (row.amount > max) full.set(key, monotonicMs() + row.ends_in_ms)
      else full.delete(key)
      return { count: row.amount, endsInMs: Math.max(0, row.ends_in_ms) }
    },
  }
}

type Rule = (counts: TryCounts, now: DurationMs) => { readonly waitMs: DurationMs; readonly counts: TryCounts }

function change(access: Access, attempt: LogInAttempt, rule: Rule): Promise<DurationMs> {
  return access.transaction([], async (sql) => {
    const before = countsOf(await sql.rows<Row>(LOCK, [...columnsOf(attempt)]))
    const { waitMs, counts } = rule(before.counts, before.now)
    await write(sql, attempt, counts)
    return waitMs
  })
}

async function write(sql: Sql, attempt: LogInAttempt, { place, account }: TryCounts): Promise<void> {
  const [kinds, keys] = columnsOf(attempt)
  const all = kinds.map((kind, index) => ({ kind, key: keys[index], count: kind === 'place' ? place : account }))
  const gone = all.filter(({ count }) => count === null)
  const there = all.flatMap(({ kind, key, count }) => (count === null ? [] : [{ kind, key, ...count }]))
  if (gone.length > 0) await sql.run(REMOVE, [gone.map(({ kind }) => kind), gone.map(({ key }) => key)])
  const columns = (['kind', 'key', 'amount', 'at'] as const).map((name) => there.map((row) => row[name]))
  if (there.length > 0) await sql.run(WRITE, columns)
}

/** A known place does not look at what strangers have left. */
function columnsOf(attempt: LogInAttempt): Columns {
  const place = hashOf(placeKey(attempt))
  return attempt.isKnown
    ? [['place'], [place]]
    : [
        ['account', 'place'],
        [hashOf(accountKey(attempt)), place],
      ]
}

/** A row that is not there, or was only made to be locked, says nothing. */
function countsOf(rows: readonly Row[]): { readonly counts: TryCounts; readonly now: DurationMs } {
  const find = (kind: Row['kind']): Count | null => rows.find((row) => row.kind === kind && row.at >= 0) ?? null
  return { counts: { place: find('place'), account: find('account') }, now: Math.max(...rows.map(({ now }) => now)) }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
