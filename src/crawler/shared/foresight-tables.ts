import { DAY_MS, HOUR_MS, type InstantMs, MINUTE_MS } from '../../model/index.ts'
import type { SharedModels } from '../../refresh/shared-models.ts'
import { alignTables } from '../../refresh/strategies/foresight/align-tables.ts'
import type { ForesightTables, SiblingPair } from '../../refresh/strategies/foresight/index.ts'
import type { History } from './history.ts'
import { parsed, type SharedLearning } from './keeper.ts'

/** Where the store keeps the tables and who publishes with whom. */
export const TABLES_STATE = 'foresight-tables'
export const SIBLINGS_STATE = 'siblings'

export interface LearntTables {
  readonly tables: ForesightTables
  readonly siblings: readonly Pick<SiblingPair, 'source' | 'by'>[]
}

export interface TablesLearningDeps {
  /** Where the strategy finds them. */
  readonly shared: Pick<SharedModels, 'tables' | 'siblings'>
  /** Works them out, in another thread where there is one. */
  readonly learn: (histories: readonly History[]) => Promise<LearntTables>
}

/** Shapes are few: so many observations of each source show them. */
const MOST_OBSERVATIONS = 1_000

interface Kept {
  readonly builtAt: InstantMs
  readonly tables: ForesightTables
}

/** Foresight's tables of shapes, and siblings. */
export function tablesLearning({ shared, learn }: TablesLearningDeps): SharedLearning {
  // What the store refused, until it takes it.
  let unsaved: Kept | null = null
  return {
    asked: () => ({ limit: MOST_OBSERVATIONS }),
    async learn(histories, now) {
      const learnt = await learn(histories)
      shared.tables = alignTables(shared.tables, learnt.tables)
      shared.siblings.set(learnt.siblings)
      unsaved = { builtAt: now, tables: shared.tables }
    },
    async resume(store) {
      const kept = readTables(await store.nodeState(TABLES_STATE))
      if (kept !== null) shared.tables = kept.tables
      const pairs = readSiblings(await store.nodeState(SIBLINGS_STATE))
      shared.siblings.set(pairs, pairs)
      return kept?.builtAt ?? null
    },
    async save(store) {
      if (unsaved !== null) await store.saveNodeState(TABLES_STATE, JSON.stringify(unsaved))
      unsaved = null
      await store.saveNodeState(SIBLINGS_STATE, JSON.stringify(shared.siblings.pairs()))
    },
    // After a start without tables; then once a day, for habits change slowly.
    firstMs: [15 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS],
    nextAt: (learntAt) => learntAt + DAY_MS,
  }
}

/** As the store kept them; null: none, or of another form. */
export function readTables(text: string | null): Kept | null {
  const kept = parsed<Kept>(text)
  const { tables, builtAt } = kept ?? {}
  return tables?.v === 1 && tables.weeks.length > 0 && tables.minutes.length > 0 && Number.isFinite(builtAt)
    ? kept
    : null
}

function readSiblings(text: string | null): readonly SiblingPair[] {
  const pairs = parsed<readonly SiblingPair[]>(text)
  return Array.isArray(pairs) ? pairs.filter(({ record }) => record?.v === 1) : []
}
