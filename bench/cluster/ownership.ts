import type { DurationMs } from '../../src/model/index.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import type { Database } from './database.ts'

const LOOK_EVERY_MS = 100
/** Whoever does not own anything by then never will. */
const PATIENCE_MS = 60_000
const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)'

/** A process is known by the machine's name and its id (src/app/member.ts). */
export async function memberIdOf({ query }: Database, pid: number): Promise<string | null> {
  const [row] = await query("SELECT id FROM member WHERE name LIKE '% ' || $1::text", [pid])
  return row === undefined ? null : String(row['id'])
}

/** What it has by the database; none: nothing is waited for. */
export async function ownedShards({ query }: Database, memberId: string): Promise<readonly string[]> {
  const rows = await query(`SELECT role || ':' || shard AS name FROM lease WHERE owner = $1 AND until > ${NOW}`, [
    memberId,
  ])
  return rows.map(({ name }) => String(name))
}

/**
 * From now until each of these has an owner again, and another than `gone`, by the clock of the database; Infinity: it took too
 * long. A database that cannot be asked has no owners.
 */
export async function untilOwned(
  { query }: Database,
  shards: readonly string[],
  gone: string | null,
): Promise<DurationMs> {
  const beganMs = systemClock.monotonicMs()
  for (;;) {
    const left = await query(
      `SELECT count(*)::int AS left FROM unnest($1::text[]) AS u (name) JOIN lease ON u.name = role || ':' || shard
       WHERE owner IS NULL OR owner = $2 OR until <= ${NOW}`,
      [shards, gone ?? ''],
    ).catch(() => null)
    const passedMs = systemClock.monotonicMs() - beganMs
    if (left?.[0]?.['left'] === 0) return passedMs
    if (passedMs > PATIENCE_MS) return Number.POSITIVE_INFINITY
    await systemClock.sleep(LOOK_EVERY_MS)
  }
}

/** All that anybody has. */
export async function allShards({ query }: Database): Promise<readonly string[]> {
  const rows = await query("SELECT role || ':' || shard AS name FROM lease WHERE owner IS NOT NULL")
  return rows.map(({ name }) => String(name))
}
