import type { ClientOrigin, QueryFeedId, SourceId, User, UserId } from '../../../model/index.ts'
import { type AccountStore, type LogInSession, type NewUser, NO_ORIGIN } from '../../accounts.ts'
import { TOKEN_COLUMNS, type TokenRow, tokenOfRow, USER_COLUMNS, type UserRow, userOfRow } from '../../rows/users.ts'
import type { DatabaseAccess } from '../database/access.ts'
import type { Connection } from '../database/connection.ts'
import { markQueriesChanged } from '../query-feeds/query-feeds.ts'

/** The part of the store that speaks of users. */
export function accountVerbs({ connection, read, write }: DatabaseAccess): AccountStore {
  const { sql } = connection
  const oneUser = (where: string, ...values: unknown[]): User | null => {
    const row = sql(`SELECT ${USER_COLUMNS} FROM user u WHERE ${where}`).get(...values) as UserRow | undefined
    return row === undefined ? null : userOfRow(row)
  }

  return {
    users: () =>
      read(() => (sql(`SELECT ${USER_COLUMNS} FROM user u ORDER BY u.id`).all() as UserRow[]).map(userOfRow)),
    user: (id) => read(() => oneUser('u.id = ?', id)),
    userNamed: (name) => read(() => oneUser('u.folded = ?', name.toLowerCase())),
    addUser: (user, now) =>
      write(() => {
        const id = insertUser(connection, user, now)
        return id === null ? null : oneUser('u.id = ?', id)
      }),
    setPassword: (id, passwordHash) =>
      write(() => void sql('UPDATE user SET password = ? WHERE id = ?').run(passwordHash, id)),
    acceptInvitation: (hash, passwordHash, now) =>
      write(() => {
        const user = oneUser('u.invitation = ? AND u.invitation_ends_at > ?', hash, now)
        if (user === null) return null
        sql('UPDATE user SET password = ?, invitation = NULL, invitation_ends_at = NULL WHERE id = ?').run(
          passwordHash,
          user.id,
        )
        return { ...user, passwordHash }
      }),
    setWish: (id, wish) =>
      write(() => void sql('UPDATE user SET wish = ? WHERE id = ?').run(wish && JSON.stringify(wish), id)),
    removeUser: (id) => write(() => dropUser(connection, id)),

    openSession: ({ hash, userId, endsAt, origin }, now) =>
      write(() => {
        sql('DELETE FROM session WHERE ends_at <= ?').run(now)
        sql('INSERT INTO session (hash, user_id, created_at, ends_at, client, address) VALUES (?, ?, ?, ?, ?, ?)').run(
          hash,
          userId,
          now,
          endsAt,
          origin.client,
          origin.address,
        )
        sql('UPDATE user SET last_seen_at = ? WHERE id = ?').run(now, userId)
      }),
    sessionUser: (hash, now) =>
      read(() => {
        const row = sql(
          `SELECT ${USER_COLUMNS}, s.ends_at FROM session s JOIN user u ON u.id = s.user_id WHERE s.hash = ? AND s.ends_at > ?`,
        ).get(hash, now) as (UserRow & { ends_at: number }) | undefined
        return row === undefined ? null : { user: userOfRow(row), endsAt: row.ends_at }
      }),
    prolongSession: (hash, endsAt, now, { client, address }) =>
      write(() => {
        const userId = sql('SELECT user_id FROM session WHERE hash = ?').pluck().get(hash)
        if (userId === undefined) return
        const change = 'UPDATE session SET ends_at = ?, client = ?, address = ? WHERE hash = ?'
        sql(change).run(endsAt, client, address, hash)
        sql('UPDATE user SET last_seen_at = ? WHERE id = ?').run(now, userId)
      }),
    closeSession: (hash) => write(() => void sql('DELETE FROM session WHERE hash = ?').run(hash)),
    sessions: (userId, now) =>
      read(() => {
        const rows = sql<Omit<LogInSession, 'origin'> & ClientOrigin>(
          `SELECT hash, created_at AS createdAt, ends_at AS endsAt, client, address FROM session
           WHERE user_id = ? AND ends_at > ? ORDER BY created_at, hash`,
        ).all(userId, now)
        return rows.map(({ client, address, ...session }) => ({ ...session, origin: { client, address } }))
      }),
    closeOtherSessions: (userId, exceptHash) =>
      write(() => void sql('DELETE FROM session WHERE user_id = ? AND hash IS NOT ?').run(userId, exceptHash)),

    addApiToken: (token, now) =>
      write(() => {
        const { userId, label, scope, feed, hash } = token
        const { lastInsertRowid } = sql(
          'INSERT INTO api_token (user_id, label, scope, feed, hash, created_at) VALUES (?, ?, ?, ?, ?, ?)',
        ).run(userId, label, scope, feed, hash, now)
        return { ...token, id: Number(lastInsertRowid), createdAt: now, lastUsedAt: null, lastOrigin: NO_ORIGIN }
      }),
    apiTokens: (userId) =>
      read(() =>
        (
          sql(`SELECT ${TOKEN_COLUMNS} FROM api_token t WHERE t.user_id = ? ORDER BY t.id`).all(userId) as TokenRow[]
        ).map(tokenOfRow),
      ),
    apiTokenUser: (hash) =>
      read(() => {
        const row = sql(
          `SELECT ${USER_COLUMNS}, ${TOKEN_COLUMNS} FROM api_token t JOIN user u ON u.id = t.user_id WHERE t.hash = ?`,
        ).get(hash) as (UserRow & TokenRow) | undefined
        return row === undefined ? null : { user: userOfRow(row), token: tokenOfRow(row) }
      }),
    noteTokenUse: (id, now, { client, address }) =>
      write(() => {
        const change = 'UPDATE api_token SET last_used_at = ?, client = ?, address = ? WHERE id = ?'
        sql(change).run(now, client, address, id)
      }),
    removeApiToken: (userId, id) =>
      write(() => sql('DELETE FROM api_token WHERE id = ? AND user_id = ?').run(id, userId).changes > 0),

    removeOtherApiTokens: (userId, exceptHash) =>
      write(() => sql('DELETE FROM api_token WHERE user_id = ? AND hash IS NOT ?').run(userId, exceptHash).changes),

    queryFeedOwners: () =>
      read(() => {
        const rows = sql<[QueryFeedId, UserId]>(
          'SELECT o.feed_id, o.user_id FROM feed_owner o JOIN query_feed f ON f.id = o.feed_id',
        )
        return new Map(rows.raw().all())
      }),
    sourceAdders: () =>
      read(() => {
        const rows = sql<[SourceId, UserId]>('SELECT source_id, user_id FROM source_adder').raw()
        return new Map(rows.all())
      }),
    setQueryFeedOwner: (feedId, userId) =>
      write(() => {
        markQueriesChanged(connection)
        sql('DELETE FROM feed_owner WHERE feed_id NOT IN (SELECT id FROM query_feed)').run()
        sql('INSERT OR REPLACE INTO feed_owner (feed_id, user_id) SELECT id, ? FROM query_feed WHERE id = ?').run(
          userId,
          feedId,
        )
      }),
  }
}

/** null: the name is taken, or there is an owner already. */
function insertUser(
  { sql }: Connection,
  { name, role, passwordHash, invitation }: NewUser,
  now: number,
): number | null {
  const { changes, lastInsertRowid } = sql(
    `INSERT OR IGNORE INTO user (name, folded, role, password, invitation, invitation_ends_at, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  ).run(name, name.toLowerCase(), role, passwordHash, invitation?.hash ?? null, invitation?.endsAt ?? null, now)
  return changes === 0 ? null : Number(lastInsertRowid)
}

function dropUser(connection: Connection, id: UserId): boolean {
  const { sql } = connection
  if (sql("DELETE FROM user WHERE id = ? AND role <> 'owner'").run(id).changes === 0) return false
  for (const table of [
    'session',
    'api_token',
    'feed_owner',
    'trust',
    'follow',
    'item_mark',
    'read_up_to',
    'source_adder',
  ]) {
    sql(`DELETE FROM ${table} WHERE user_id = ?`).run(id)
  }
  markQueriesChanged(connection)
  return true
}
