import { HOUR_MS } from '../model/index.ts'
import { periodic } from '../runtime/periodic.ts'
import type { Layer } from '../runtime/supervisor.ts'
import type { RetentionPolicy } from '../store/store.ts'
import type { Config } from './config.ts'
import type { Environment } from './crawling.ts'
import type { Data } from './data.ts'

const PRUNE_EVERY_MS = HOUR_MS

/** Removes every hour what the settings of the moment no longer keep. */
export function pruneLayer(config: () => Config, { store }: Data, { clock, logger }: Environment): Layer {
  const action = async () => {
    const removed = await store.prune(retentionOf(config()), clock.now())
    if (removed.items + removed.observations > 0) logger.info(removed, 'removed what is no longer kept')
  }
  const run = periodic({ clock, everyMs: PRUNE_EVERY_MS, action, alsoAtEnd: false })
  return { name: 'prune', run, healthyAfterMs: null }
}

function retentionOf({ keepFor, keepItems, keepObservationsFor, feedItems }: Config): RetentionPolicy {
  return {
    maxAgeMs: keepFor ?? null,
    maxItemsPerSource: keepItems ?? null,
    maxObservationAgeMs: keepObservationsFor,
    feedWindow: feedItems,
  }
}
