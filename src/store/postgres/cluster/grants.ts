import { grantLimits } from '../../../cluster/grant-limits.ts'
import {
  type BudgetTerms,
  GRANT_WINDOW_MS,
  type GrantAnswer,
  type GrantStanding,
  type GrantStore,
} from '../../../cluster/grants.ts'
import type { Access, Sql } from '../database/sql.ts'

interface TermsRow {
  readonly requests: number
  readonly per_ms: number
  readonly factor: number
  readonly wished_burst: number
}

interface DrawRow extends TermsRow {
  readonly left_over: number
  readonly amount: number
  readonly retry_after_ms: number
}

interface PoolRow extends TermsRow {
  readonly balance: number
  readonly limit_amount: number | null
  readonly limit_span_ms: number | null
  readonly spent: number
}

/** One row from which all crawlers draw, by the server's clock; one call of the server for each draw (schema/grants.ts). */
export function createPostgresGrants(access: Access): GrantStore {
  return {
    async draw(memberId, request): Promise<GrantAnswer | null> {
      const { number, back, want, least, waitedMs } = request
      const row = await access.first<DrawRow>('SELECT * FROM draw_grant($1, $2, $3, $4, $5, $6, $7, $8)', [
        ...[memberId, number, request.left, back, want, least, waitedMs],
        GRANT_WINDOW_MS,
      ])
      if (row === null) return null
      const { left_over: left, amount, retry_after_ms: retryAfterMs } = row
      return { left, amount, windowMs: GRANT_WINDOW_MS, retryAfterMs, terms: termsOf(row) }
    },
    async setTerms(terms) {
      const { ratePerMs, burst, limit } = grantLimits(terms)
      const { budget, factor, burst: wished } = terms
      await access.run('SELECT set_grant_terms($1, $2, $3, $4, $5, $6, $7, $8)', [
        ...[budget.requests, budget.perMs, factor, wished],
        ...[ratePerMs, burst, limit?.amount ?? null, limit?.spanMs ?? null],
      ])
    },
    standing: () => access.snapshot((sql) => readStanding(sql)),
  }
}

/** As it would be if somebody drew now: nothing is written. */
async function readStanding(sql: Sql): Promise<GrantStanding | null> {
  const pool = await sql.first<PoolRow>(
    `SELECT p.requests, p.per_ms, p.factor, p.wished_burst, p.limit_amount, p.limit_span_ms,
       least(p.balance + greatest(0, cluster_now_ms() - p.earned_until) * p.rate_per_ms,
         p.burst - coalesce((SELECT sum(h.amount) FROM grant_holding h), 0)) AS balance,
       coalesce((SELECT sum(s.amount) FROM grant_slot s), 0) AS spent
     FROM grant_pool p`,
  )
  if (pool === null) return null
  const holdings = await sql.rows<{ member_id: string; amount: number }>(
    'SELECT member_id, amount FROM grant_holding WHERE until > cluster_now_ms()',
  )
  const { balance, spent, limit_amount: amount, limit_span_ms: spanMs } = pool
  return {
    terms: termsOf(pool),
    balance,
    spent,
    outstanding: new Map(holdings.map((one) => [one.member_id, one.amount])),
    limit: amount === null || spanMs === null ? null : { amount, spanMs },
  }
}

function termsOf({ requests, per_ms: perMs, factor, wished_burst: burst }: TermsRow): BudgetTerms {
  return { budget: { requests, perMs }, factor, burst }
}
