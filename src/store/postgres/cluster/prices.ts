import type { PayerPrice, PayerReport, PostedPrice, PriceBoard } from '../../../cluster/prices.ts'
import type { Access } from '../database/sql.ts'

interface PriceRow {
  readonly price: number
  readonly is_low: boolean
  readonly strategy: string
  readonly period_ms: number
  readonly by_hour: readonly number[]
  readonly payers: readonly PayerPrice[]
  readonly revision: number
  readonly age_ms: number
}

interface ReportRow {
  readonly member_id: string
  readonly spent: number
  readonly waiting: number
  readonly least_waiting: number
  readonly sources: number
  readonly exploring: boolean
  readonly payers: readonly PayerReport[]
  readonly age_ms: number
}

const PRICE_COLUMNS = 'price, is_low, strategy, period_ms, by_hour, payers, revision, cluster_now_ms() - at AS age_ms'

/** One row for the price, one for each member's last report. */
export function createPostgresPrices(access: Access): PriceBoard {
  return {
    read: async () => postedOf(await access.first<PriceRow>(`SELECT ${PRICE_COLUMNS} FROM common_price`)),
    async report(memberId, { spent, waiting, leastWaiting, sources, exploring, payers }) {
      const row = await access.first<PriceRow>(
        `WITH said AS (
           INSERT INTO price_report VALUES ($1, $2, $3, $4, $5, $6, cluster_now_ms(), $7)
           ON CONFLICT (member_id) DO UPDATE SET spent = excluded.spent, waiting = excluded.waiting,
             least_waiting = excluded.least_waiting, sources = excluded.sources, exploring = excluded.exploring,
             at = excluded.at, payers = excluded.payers),
         gone AS (DELETE FROM price_report WHERE at < cluster_now_ms() - 3600000 AND member_id <> $1)
         SELECT ${PRICE_COLUMNS} FROM common_price`,
        [memberId, spent, waiting, leastWaiting, sources, exploring, JSON.stringify(payers)],
      )
      return postedOf(row)
    },
    async reports(withinMs) {
      const rows = await access.rows<ReportRow>(
        `SELECT *, cluster_now_ms() - at AS age_ms FROM price_report WHERE at >= cluster_now_ms() - $1 ORDER BY member_id`,
        [withinMs],
      )
      return rows.map(({ member_id: memberId, spent, waiting, least_waiting: leastWaiting, ...row }) => {
        const { sources, exploring, payers, age_ms: ageMs } = row
        return { memberId, spent, waiting, leastWaiting, sources, exploring, payers, ageMs }
      })
    },
    async setPrice({ price, isLow, strategy, periodMs, byHour, payers }, token) {
      const changed = await access.run(
        `INSERT INTO common_price AS p VALUES (true, $1, $2, $3, $4, $5, 1, $6, cluster_now_ms(), $7)
         ON CONFLICT (one) DO UPDATE SET price = excluded.price, is_low = excluded.is_low, strategy = excluded.strategy,
           period_ms = excluded.period_ms, by_hour = excluded.by_hour, revision = p.revision + 1, token = excluded.token,
           at = excluded.at, payers = excluded.payers
           WHERE p.token <= excluded.token`,
        [price, isLow, strategy, periodMs, byHour, token, JSON.stringify(payers)],
      )
      return changed > 0
    },
  }
}

function postedOf(row: PriceRow | null): PostedPrice | null {
  if (row === null) return null
  const { price, is_low: isLow, strategy, period_ms: periodMs, by_hour: byHour, payers, revision, age_ms: ageMs } = row
  return { price, isLow, strategy, periodMs, byHour, payers, revision, ageMs }
}
