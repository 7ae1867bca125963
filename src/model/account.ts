import type { QualityWish } from './quality.ts'
import type { InstantMs } from './time.ts'

export type UserId = number

/** The owner may do everything; members keep things of their own and add sources. */
export type UserRole = 'owner' | 'member'

export interface User {
  readonly id: UserId
  readonly name: string
  readonly role: UserRole
  /** As runtime/passwords.ts writes it; null: invited, but no password chosen yet. */
  readonly passwordHash: string | null
  readonly createdAt: InstantMs
  readonly lastSeenAt: InstantMs | null
  /** For all that the user reads, but for query feeds with wishes of their own; null: none. */
  readonly wish: QualityWish | null
}

/** Where a request came from, as far as it says. */
export interface ClientOrigin {
  /** The program, in short words: `Firefox on Linux`; null: it did not say. */
  readonly client: string | null
  readonly address: string | null
}

/**
 * What a token may do. `feed`: read private feeds, and nothing else. `app`: the password of a reader app, which opens the doors
 * of such apps and nothing else. `fever`: likewise the door of Fever alone, whose key is an MD5.
 */
export type TokenScope = 'read' | 'write' | 'admin' | 'feed' | 'app' | 'fever'

/** Stands for its user towards the API; only the hash of the secret is stored. */
export interface ApiToken {
  readonly id: number
  readonly userId: UserId
  readonly label: string | null
  readonly scope: TokenScope
  /** Of scope `feed`: the only query feed that it opens; null: all that its user may read. */
  readonly feed: string | null
  /** SHA-256, hex. */
  readonly hash: string
  readonly createdAt: InstantMs
  readonly lastUsedAt: InstantMs | null
  /** Of that use. */
  readonly lastOrigin: ClientOrigin
}

/** A user's marks of an item. */
export interface Mark {
  readonly isRead: boolean
  readonly isStarred: boolean
}
