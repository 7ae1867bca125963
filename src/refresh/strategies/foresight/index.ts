export { type ForesightParts, foresight } from './foresight.ts'
export { learnTables } from './learn-tables.ts'
export type { ForesightMemory } from './memory.ts'
export { FLAT_TABLES, type ForesightTables, type SharedTables } from './tables.ts'
