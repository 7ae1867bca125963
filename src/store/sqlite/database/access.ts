import type { Notifier } from '../../../buffer/notifier.ts'
import type { InstantMs } from '../../../model/index.ts'
import type { Connection } from './connection.ts'

/** What the parts of the store work with: the connection, and how reading and writing are done. */
export interface DatabaseAccess {
  readonly connection: Connection
  readonly read: <T>(action: () => T) => Promise<T>
  readonly write: <T>(action: () => T) => Promise<T>
  readonly snapshot: <T>(action: () => T) => Promise<T>
  readonly bufferChanged: () => void
  readonly notifier: Notifier
  readonly now: () => InstantMs
}
