import { NO_CLUSTERS, type SharedClusters } from './estimators/posting-clusters.ts'
import { HubSignals } from './strategies/foresight/hub-signals.ts'
import { FLAT_TABLES, type SharedTables } from './strategies/foresight/tables.ts'

/** What is learnt of all sources together, each part replaced as a whole by its learner. */
export interface SharedModels extends SharedTables, SharedClusters {
  readonly hubs: HubSignals
}

export function noSharedModels(): SharedModels {
  return { tables: FLAT_TABLES, clusters: NO_CLUSTERS, hubs: new HubSignals() }
}
