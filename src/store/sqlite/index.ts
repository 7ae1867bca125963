export type { Durability } from './connection.ts'
export { isLocked, lockDataFolder } from './lock.ts'
export { openSqliteStore, type SqliteStoreOptions } from './open.ts'
