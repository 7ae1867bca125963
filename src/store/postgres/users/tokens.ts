import type { ApiToken } from '../../../model/index.ts'
import type { AccountStore } from '../../accounts.ts'
import type { Access } from '../database/sql.ts'
import { accountOf, USER, type UserRow } from './user-rows.ts'

interface TokenRow {
  readonly token_id: number
  readonly user_id: number
  readonly label: string | null
  readonly scope: ApiToken['scope']
  readonly feed: string | null
  readonly hash: string
  readonly made_at: number
  readonly last_used_at: number | null
  readonly client: string | null
  readonly address: string | null
}

const TOKEN =
  't.id AS token_id, t.user_id, t.label, t.scope, t.feed, t.hash, t.created_at AS made_at, t.last_used_at, t.client, t.address'

function tokenOf(row: TokenRow): ApiToken {
  return {
    id: row.token_id,
    userId: row.user_id,
    label: row.label,
    scope: row.scope,
    feed: row.feed,
    hash: row.hash,
    createdAt: row.made_at,
    lastUsedAt: row.last_used_at,
    lastOrigin: { client: row.client, address: row.address },
  }
}

type TokenVerbs = Pick<
  AccountStore,
  'addApiToken' | 'apiTokens' | 'apiTokenUser' | 'noteTokenUse' | 'removeApiToken' | 'removeOtherApiTokens'
>

export function tokenVerbs(access: Access): TokenVerbs {
  return {
    async addApiToken({ userId, label, scope, feed, hash }, now) {
      const row = await access.first<TokenRow>(
        `INSERT INTO api_token AS t (user_id, label, scope, feed, hash, created_at) VALUES ($1, $2, $3, $4, $5, $6)
         RETURNING ${TOKEN}`,
        [userId, label, scope, feed, hash, now],
      )
      if (row === null) throw new Error('a token that was added is not there')
      return tokenOf(row)
    },
    async apiTokens(userId) {
      const rows = await access.rows<TokenRow>(`SELECT ${TOKEN} FROM api_token t WHERE t.user_id = $1 ORDER BY t.id`, [
        userId,
      ])
      return rows.map(tokenOf)
    },
    async apiTokenUser(hash) {
      const row = await access.first<UserRow & TokenRow>(
        `SELECT ${USER}, ${TOKEN} FROM api_token t JOIN account u ON u.id = t.user_id WHERE t.hash = $1`,
        [hash],
      )
      return row === null ? null : { user: accountOf(row), token: tokenOf(row) }
    },
    async noteTokenUse(id, now, { client, address }) {
      const change = 'UPDATE api_token SET last_used_at = $2, client = $3, address = $4 WHERE id = $1'
      await access.run(change, [id, now, client, address])
    },
    removeApiToken: async (userId, id) =>
      (await access.run('DELETE FROM api_token WHERE id = $1 AND user_id = $2', [id, userId])) > 0,
    removeOtherApiTokens: (userId, keptHash) =>
      access.run('DELETE FROM api_token WHERE user_id = $1 AND hash IS DISTINCT FROM $2', [userId, keptHash]),
  }
}
