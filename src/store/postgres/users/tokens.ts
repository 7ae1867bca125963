import type { AccountStore } from '../../accounts.ts'
import { TOKEN_COLUMNS, type TokenRow, tokenOfRow, USER_COLUMNS, type UserRow, userOfRow } from '../../rows/users.ts'
import type { Access } from '../database/sql.ts'

type TokenVerbs = Pick<
  AccountStore,
  'addApiToken' | 'apiTokens' | 'apiTokenUser' | 'noteTokenUse' | 'removeApiToken' | 'removeOtherApiTokens'
>

export function tokenVerbs(access: Access): TokenVerbs {
  return {
    async addApiToken({ userId, label, scope, feed, hash }, now) {
      const row = await access.first<TokenRow>(
        `INSERT INTO api_token AS t (user_id, label, scope, feed, hash, created_at) VALUES ($1, $2, $3, $4, $5, $6)
         RETURNING ${TOKEN_COLUMNS}`,
        [userId, label, scope, feed, hash, now],
      )
      if (row === null) throw new Error('a token that was added is not there')
      return tokenOfRow(row)
    },
    async apiTokens(userId) {
      const rows = await access.rows<TokenRow>(
        `SELECT ${TOKEN_COLUMNS} FROM api_token t WHERE t.user_id = $1 ORDER BY t.id`,
        [userId],
      )
      return rows.map(tokenOfRow)
    },
    async apiTokenUser(hash) {
      const row = await access.first<UserRow & TokenRow>(
        `SELECT ${USER_COLUMNS}, ${TOKEN_COLUMNS} FROM api_token t JOIN account u ON u.id = t.user_id WHERE t.hash = $1`,
        [hash],
      )
      return row === null ? null : { user: userOfRow(row), token: tokenOfRow(row) }
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
