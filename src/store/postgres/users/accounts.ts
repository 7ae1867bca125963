import type { ClientOrigin, QueryFeedId, SourceId, User, UserId } from '../../../model/index.ts'
import type { AccountStore, LogInSession, NewUser } from '../../accounts.ts'
import { USER_COLUMNS, type UserRow, userOfRow } from '../../rows/users.ts'
import { nextRevision } from '../database/counters.ts'
import type { Access, Sql } from '../database/sql.ts'
import { tokenVerbs } from './tokens.ts'

/** The part of the store that speaks of users. */
export function accountVerbs(access: Access): AccountStore {
  const oneUser = async (where: string, value: unknown): Promise<User | null> => {
    const row = await access.first<UserRow>(`SELECT ${USER_COLUMNS} FROM account u WHERE ${where}`, [value])
    return row === null ? null : userOfRow(row)
  }

  return {
    users: async () =>
      (await access.rows<UserRow>(`SELECT ${USER_COLUMNS} FROM account u ORDER BY u.id`)).map(userOfRow),
    user: (id) => oneUser('u.id = $1', id),
    userNamed: (name) => oneUser('u.folded = $1', name.toLowerCase()),
    // Under a lock, so that a name that is taken uses up no number.
    addUser: (user, now) => access.transaction(['settings'], (sql) => insertUser(sql, user, now)),
    setPassword: async (id, passwordHash) =>
      void (await access.run('UPDATE account SET password = $2 WHERE id = $1', [id, passwordHash])),
    async acceptInvitation(hash, passwordHash, now) {
      const row = await access.first<UserRow>(
        `UPDATE account u SET password = $2, invitation = NULL, invitation_ends_at = NULL
         WHERE invitation = $1 AND invitation_ends_at > $3 RETURNING ${USER_COLUMNS}`,
        [hash, passwordHash, now],
      )
      return row === null ? null : userOfRow(row)
    },
    setWish: async (id, wish) =>
      void (await access.run('UPDATE account SET wish = $2 WHERE id = $1', [id, wish && JSON.stringify(wish)])),
    removeUser: (id) => access.transaction(['settings'], (sql) => dropUser(sql, id)),

    ...sessionVerbs(access),
    ...tokenVerbs(access),

    async queryFeedOwners() {
      const rows = await access.rows<{ feed_id: QueryFeedId; user_id: UserId }>(
        'SELECT o.feed_id, o.user_id FROM feed_owner o JOIN query_feed f ON f.id = o.feed_id',
      )
      return new Map(rows.map(({ feed_id, user_id }) => [feed_id, user_id]))
    },
    async sourceAdders() {
      const rows = await access.rows<{ source_id: SourceId; user_id: UserId }>(
        'SELECT source_id, user_id FROM source_adder',
      )
      return new Map(rows.map(({ source_id, user_id }) => [source_id, user_id]))
    },
    setQueryFeedOwner: (feedId, userId) =>
      access.transaction(['settings'], async (sql) => {
        await nextRevision(sql, 'queries')
        await sql.run(
          `INSERT INTO feed_owner (feed_id, user_id) SELECT id, $2 FROM query_feed WHERE id = $1
           ON CONFLICT (feed_id) DO UPDATE SET user_id = excluded.user_id`,
          [feedId, userId],
        )
      }),
  }
}

type SessionVerbs = Pick<
  AccountStore,
  'openSession' | 'sessionUser' | 'prolongSession' | 'closeSession' | 'sessions' | 'closeOtherSessions'
>

function sessionVerbs(access: Access): SessionVerbs {
  const seen = 'UPDATE account SET last_seen_at = $2 WHERE id = $1'
  return {
    openSession: ({ hash, userId, endsAt, origin }, now) =>
      access.transaction([], async (sql) => {
        await sql.run('DELETE FROM login_session WHERE ends_at <= $1', [now])
        await sql.run(
          `INSERT INTO login_session (hash, user_id, created_at, ends_at, client, address) VALUES ($1, $2, $3, $4, $5, $6)`,
          [hash, userId, now, endsAt, origin.client, origin.address],
        )
        await sql.run(seen, [userId, now])
      }),
    async sessionUser(hash, now) {
      const row = await access.first<UserRow & { ends_at: number }>(
        `SELECT ${USER_COLUMNS}, s.ends_at FROM login_session s JOIN account u ON u.id = s.user_id
         WHERE s.hash = $1 AND s.ends_at > $2`,
        [hash, now],
      )
      return row === null ? null : { user: userOfRow(row), endsAt: row.ends_at }
    },
    prolongSession: (hash, endsAt, now, { client, address }) =>
      access.transaction([], async (sql) => {
        const session = await sql.first<{ user_id: UserId }>(
          'UPDATE login_session SET ends_at = $2, client = $3, address = $4 WHERE hash = $1 RETURNING user_id',
          [hash, endsAt, client, address],
        )
        if (session !== null) await sql.run(seen, [session.user_id, now])
      }),
    closeSession: async (hash) => void (await access.run('DELETE FROM login_session WHERE hash = $1', [hash])),
    async sessions(userId, now) {
      const rows = await access.rows<Omit<LogInSession, 'origin'> & ClientOrigin>(
        `SELECT hash, created_at AS "createdAt", ends_at AS "endsAt", client, address FROM login_session
         WHERE user_id = $1 AND ends_at > $2 ORDER BY created_at, hash`,
        [userId, now],
      )
      return rows.map(({ client, address, ...session }) => ({ ...session, origin: { client, address } }))
    },
    closeOtherSessions: async (userId, keptHash) => {
      const others = 'DELETE FROM login_session WHERE user_id = $1 AND hash IS DISTINCT FROM $2'
      await access.run(others, [userId, keptHash])
    },
  }
}

/** null: the name is taken, or there is an owner already. */
async function insertUser(
  sql: Sql,
  { name, role, passwordHash, invitation }: NewUser,
  now: number,
): Promise<User | null> {
  const folded = name.toLowerCase()
  const taken = await sql.first("SELECT 1 FROM account WHERE folded = $1 OR (role = 'owner' AND $2 = 'owner')", [
    folded,
    role,
  ])
  if (taken !== null) return null
  const row = await sql.first<UserRow>(
    `INSERT INTO account AS u (name, folded, role, password, invitation, invitation_ends_at, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ${USER_COLUMNS}`,
    [name, folded, role, passwordHash, invitation?.hash ?? null, invitation?.endsAt ?? null, now],
  )
  return row === null ? null : userOfRow(row)
}

const OF_A_USER = [
  'login_session',
  'api_token',
  'feed_owner',
  'trust',
  'follow',
  'item_mark',
  'read_up_to',
  'source_adder',
]

async function dropUser(sql: Sql, id: UserId): Promise<boolean> {
  if ((await sql.run("DELETE FROM account WHERE id = $1 AND role <> 'owner'", [id])) === 0) return false
  for (const table of OF_A_USER) await sql.run(`DELETE FROM ${table} WHERE user_id = $1`, [id])
  await nextRevision(sql, 'queries')
  return true
}
