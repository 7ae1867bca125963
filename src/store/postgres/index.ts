export { openPostgresStore, type PostgresStore, type PostgresStoreOptions } from './open.ts'
