import type { AccountStore } from '../../accounts.ts'
import { TOKEN, type TokenRow, tokenOf, USER, type UserRow, userOf } from '../../rows/users.ts'
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
      return row === null ? null : { user: userOf(row), token: tokenOf(row) }
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
