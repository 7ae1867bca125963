export { openPostgresStore, type PostgresStore } from './open.ts'
