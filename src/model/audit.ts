import type { UserId } from './account.ts'
import type { InstantMs } from './time.ts'

/** What the audit log records. */
export const AUDIT_ACTIONS = [
  'log-in',
  'log-in-failed',
  'log-out',
  'password-changed',
  'sessions-ended',
  'user-added',
  'user-removed',
  'token-made',
  'token-revoked',
  'settings-changed',
  'feed-access-changed',
  'source-removed',
  'feed-dropped',
  'subscription-removed',
  'backup',
  'restore',
] as const

export type AuditAction = (typeof AUDIT_ACTIONS)[number]

export interface NewAuditEntry {
  readonly at: InstantMs
  /** Who did it, or whose account was tried; null: nobody who is known. */
  readonly userId: UserId | null
  /** As it was then: users go, the log stays. */
  readonly userName: string
  /** Of the client; null: at the machine itself, on the command line. */
  readonly address: string | null
  readonly action: AuditAction
  /** What it was done to, in short; never a secret. */
  readonly subject: string
}

export interface AuditEntry extends NewAuditEntry {
  /** Later entries have greater ones, perhaps with gaps. */
  readonly id: number
  /** Attempts to log in that failed within the same minute are one entry; all else is 1. */
  readonly count: number
}
