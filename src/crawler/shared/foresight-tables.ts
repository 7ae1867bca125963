import { DAY_MS, HOUR_MS, type InstantMs, MINUTE_MS } from '../../model/index.ts'
import type { SharedModels } from '../../refresh/shared-models.ts'
import { alignTables } from '../../refresh/strategies/foresight/align-tables.ts'
import type { ForesightTables } from '../../refresh/strategies/foresight/index.ts'
import { jsonState, type NamedState } from '../../store/node-state.ts'
import type { History } from './history.ts'
import type { SharedLearning } from './shared-model-store.ts'

export interface LearntTables {
  readonly tables: ForesightTables
}

export interface TablesLearningDeps {
  /** Where the strategy finds them. */
  readonly shared: Pick<SharedModels, 'tables'>
  /** Works them out, in another thread where there is one. */
  readonly learn: (histories: readonly History[]) => Promise<LearntTables>
}

/** Shapes are few: so many observations of each source show them. */
const MOST_OBSERVATIONS = 1_000

interface SavedTables {
  readonly builtAt: InstantMs
  readonly tables: ForesightTables
}

/** null: none yet, or of another form. */
export const FORESIGHT_TABLES: NamedState<SavedTables | null> = jsonState('foresight-tables', null, readTables)

/** Foresight's tables of shapes. */
export function tablesLearning({ shared, learn }: TablesLearningDeps): SharedLearning {
  // What the store refused, until it takes it.
  let unsaved: SavedTables | null = null
  return {
    historyRange: () => ({ limit: MOST_OBSERVATIONS }),
    async learn(histories, now) {
      const learnt = await learn(histories)
      shared.tables = alignTables(shared.tables, learnt.tables)
      unsaved = { builtAt: now, tables: shared.tables }
    },
    async resume(store) {
      const saved = await store.state(FORESIGHT_TABLES)
      if (saved !== null) shared.tables = saved.tables
      return saved?.builtAt ?? null
    },
    async save(store) {
      if (unsaved !== null) await store.saveState(FORESIGHT_TABLES, unsaved)
      unsaved = null
    },
    // After a start without tables; then once a day, for habits change slowly.
    firstMs: [15 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS],
    nextAt: (learntAt) => learntAt + DAY_MS,
  }
}

function readTables(stored: unknown): SavedTables | undefined {
  const { tables, builtAt } = (stored ?? {}) as Partial<SavedTables>
  const isWhole = tables?.v === 1 && tables.weeks.length > 0 && tables.minutes.length > 0 && Number.isFinite(builtAt)
  return isWhole ? (stored as SavedTables) : undefined
}
