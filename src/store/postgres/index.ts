export { glanceAt } from './glance.ts'
export { openPostgresStore, type PostgresStore } from './open.ts'
