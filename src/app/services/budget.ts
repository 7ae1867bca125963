import type { BudgetService, SettingsService } from '../../api/services.ts'
import { latestSchedule } from '../../crawler/model-store.ts'
import { HOUR_MS, type InstantMs, MINUTE_MS } from '../../model/index.ts'
import { ESTIMATORS } from '../../refresh/estimators/index.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Store } from '../../store/store.ts'
import { liveStrategies, liveStrategyFor, USUAL_ESTIMATOR } from '../crawling/strategy.ts'
import type { Config } from '../settings/config.ts'

export interface BudgetDeps {
  readonly store: Pick<Store, 'states' | 'quality'>
  readonly config: () => Config
  readonly settings: Pick<SettingsService, 'set'>
  /** Requests a minute, as the running node remembers them; null: it has just begun. */
  readonly spent: (now: InstantMs) => number | null
  readonly clock: Pick<Clock, 'now'>
}

export function createBudgetService({ store, config, settings, spent, clock }: BudgetDeps): BudgetService {
  return {
    async show() {
      const { budget, quality, strategy, estimator, minInterval, maxInterval } = config()
      const now = clock.now()
      const saved = await latestSchedule(store)
      return {
        requests: budget.requests,
        perMs: budget.perMs,
        requestsPerMinute: (budget.requests * MINUTE_MS) / budget.perMs,
        wish: wishOf(quality),
        strategy,
        estimator,
        strategies: [...liveStrategies(config())],
        estimators: [USUAL_ESTIMATOR, ...Object.keys(ESTIMATORS)],
        minIntervalMs: minInterval,
        maxIntervalMs: maxInterval,
        // As of the crawler's last checkpoint, in whichever process it runs.
        price: saved?.price ?? null,
        spentPerMinute: spent(now) ?? (await countedPerMinute(store, now)),
      }
    },
    async set({ minIntervalMs, maxIntervalMs, ...rest }) {
      // Names are checked here: the file must not have an unknown strategy.
      const { strategy, estimator, threshold } = config()
      liveStrategyFor({ strategy: rest.strategy ?? strategy, estimator: rest.estimator ?? estimator, threshold })
      await settings.set({
        ...rest,
        ...(minIntervalMs === undefined ? {} : { minInterval: minIntervalMs }),
        ...(maxIntervalMs === undefined ? {} : { maxInterval: maxIntervalMs }),
      })
    },
  }
}

function wishOf(quality: Config['quality']) {
  return quality === undefined
    ? null
    : { meanDelayMs: quality.meanDelayMs ?? null, completeness: quality.completeness ?? null }
}

/** As stored, over this hour so far and the one before. */
async function countedPerMinute(store: BudgetDeps['store'], now: InstantMs): Promise<number> {
  const hour = Math.floor(now / HOUR_MS) * HOUR_MS
  const [before, current] = await Promise.all([
    store.quality({ kind: 'node' }, hour - HOUR_MS, hour),
    store.quality({ kind: 'node' }, hour, hour + HOUR_MS),
  ])
  return (before.requests + current.requests) / ((now - hour + HOUR_MS) / MINUTE_MS)
}
