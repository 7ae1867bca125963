import type { QualityWish, User } from '../../../model/index.ts'

export interface UserRow {
  readonly id: number
  readonly name: string
  readonly role: User['role']
  readonly password: string | null
  readonly created_at: number
  readonly last_seen_at: number | null
  readonly wish: string | null
}

export const USER = 'u.id, u.name, u.role, u.password, u.created_at, u.last_seen_at, u.wish'

export function accountOf(row: UserRow): User {
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
