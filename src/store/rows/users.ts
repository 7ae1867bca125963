import type { ApiToken, QualityWish, User } from '../../model/index.ts'

export interface UserRow {
  readonly id: number
  readonly name: string
  readonly role: User['role']
  readonly password: string | null
  readonly created_at: number
  readonly last_seen_at: number | null
  readonly wish: string | null
}

/** Of the table as `u`. */
export const USER_COLUMNS = 'u.id, u.name, u.role, u.password, u.created_at, u.last_seen_at, u.wish'

export function userOfRow(row: UserRow): User {
  return {
    id: row.id,
    name: row.name,
    role: row.role,
    passwordHash: row.password,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    wish: row.wish === null ? null : (JSON.parse(row.wish) as QualityWish),
  }
}

export interface TokenRow {
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

/** Of `api_token t`; names that the user has too are others. */
export const TOKEN_COLUMNS =
  't.id AS token_id, t.user_id, t.label, t.scope, t.feed, t.hash, t.created_at AS made_at, t.last_used_at, t.client, t.address'

export function tokenOfRow(row: TokenRow): ApiToken {
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
