import { latestSchedule, pastObservations } from '../../crawler/model-store.ts'
import type { InstantMs, Source } from '../../model/index.ts'
import { ESTIMATORS } from '../../refresh/estimators/index.ts'
import type { LiveScheduler } from '../../refresh/scheduler/live-scheduler.ts'
import {
  type Explanation,
  type PastObservation,
  Scheduler,
  type StoredSchedule,
} from '../../refresh/scheduler/scheduler.ts'
import type { SharedModels } from '../../refresh/shared-models.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import type { StoredModel } from '../../store/scheduling.ts'
import type { Store } from '../../store/store.ts'
import type { Config } from '../settings/config.ts'
import { sourceRelevance } from './importance.ts'
import { learningPlan } from './learning.ts'
import { createShareReader } from './shares.ts'
import { cycleScheduler, type LiveStrategy, liveStrategyFor, readSharedModels } from './strategy.ts'

/**
 * What the node believes of a source, computed from what it has stored: models are at most one checkpoint old. null
 * before the first refresh.
 */
export async function explainSource(
  source: Source,
  config: Config,
  store: Store,
  now: InstantMs,
): Promise<Explanation | null> {
  if (source.state.lastSuccessAt === null) return null
  const stored = await latestSchedule(store)
  const model = await modelOf(source, store)
  const strategy = strategyOfNode(config, stored, model, await readSharedModels(store))
  const alone = schedulerOf(source, config, { strategy, schedule: stored, now, model })
  if (stored !== null && stored.strategy === strategy.strategy.id) alone.resume({ ...stored, sources: 1 }, now)
  const { of, others } = await sourceRelevance(store, config.archiveShare, createShareReader(store), config)(now)
  alone.setWeight(source.id, source.weight * (of.get(source.id) ?? others))
  if (model?.form !== alone.form) alone.relearn(source.id, await pastObservations(store, source.id, null))
  return alone.explain(source.id, now)
}

/** What the strategy in force counts by for this source, as it was stored last; null: nothing. */
export async function sourceCounts(
  source: Source,
  config: Config,
  store: Pick<Store, 'states' | 'models'>,
  now: InstantMs,
): Promise<Explanation['counts']> {
  const live = liveStrategyFor(config)
  if (live.form === 'price' || live.strategy.countdown === undefined) return null
  const model = await modelOf(source, store)
  const stored = await latestSchedule(store)
  const alone = schedulerOf(source, config, { strategy: live, schedule: stored, now, model })
  if (model?.form !== alone.form || stored?.strategy !== live.strategy.id) return null
  alone.resume({ ...stored, sources: 1 }, now)
  return alone.explain(source.id, now)?.counts ?? null
}

/** Rebuilds the model of a source from its stored observations; returns how many there were. A running node takes it over. */
export async function relearnSource(source: Source, config: Config, store: Store, now: InstantMs): Promise<number> {
  const observations = await pastObservations(store, source.id, null)
  const stored = await latestSchedule(store)
  const strategy = strategyOfNode(config, stored, await modelOf(source, store), await readSharedModels(store))
  await learnFrom(source, observations, { config, strategy, store, now })
  return observations.length
}

/** Stores a model of the source that was learnt from these observations alone, oldest first. */
export async function learnFrom(
  source: Source,
  observations: readonly PastObservation[],
  options: {
    readonly config: Config
    readonly strategy?: LiveStrategy
    readonly store: Store
    readonly now: InstantMs
  },
): Promise<void> {
  const { config, store, now } = options
  const strategy = options.strategy ?? liveStrategyFor(config, await readSharedModels(store))
  const stored = await latestSchedule(store)
  const alone = schedulerOf(source, config, { strategy, schedule: stored, now, model: null })
  alone.relearn(source.id, observations)
  const memory = alone.memory(source.id)
  if (memory === null) throw new Error(`the scheduler of source ${source.id} does not know it`)
  const { bytes, ...rest } = memory
  const learntAt = source.state.lastSuccessAt ?? rest.learntAt
  await store.saveModels([{ sourceId: source.id, ...rest, learntAt, state: bytes, relearntAt: now }])
}

async function modelOf({ id }: Source, store: Pick<Store, 'models'>): Promise<StoredModel | null> {
  return (await store.models([id])).get(id) ?? null
}

/** The running node may have been started with another strategy than this command knows: what it stored says which. */
function strategyOfNode(
  config: Config,
  schedule: StoredSchedule | null,
  model: StoredModel | null,
  shared: SharedModels,
): LiveStrategy {
  const estimator = model?.form.split('/')[0] ?? ''
  const known = Object.hasOwn(ESTIMATORS, estimator) ? estimator : config.estimator
  const threshold = schedule === null ? config.threshold : schedule.cycle === undefined ? 'price' : 'thesis'
  try {
    return liveStrategyFor({ strategy: schedule?.strategy ?? config.strategy, estimator: known, threshold }, shared)
  } catch (error) {
    if (error instanceof HeadwaterError) return liveStrategyFor(config, shared)
    throw error
  }
}

interface ModelFacts {
  readonly strategy: LiveStrategy
  readonly schedule: StoredSchedule | null
  readonly model: StoredModel | null
  readonly now: InstantMs
}

/** A scheduler that knows one source only, and learns as the node does. */
function schedulerOf(
  source: Source,
  config: Config,
  { strategy: live, schedule, model, now }: ModelFacts,
): LiveScheduler {
  const options = {
    learning: schedule?.learning?.plan ?? learningPlan(config),
    budget: config.budget,
    minIntervalMs: config.minInterval,
    maxIntervalMs: Math.max(config.maxInterval, config.minInterval),
    // Nothing is decided by chance for a source that is known already.
    random: () => 0.5,
    now,
  }
  const scheduler: LiveScheduler =
    live.form === 'thesis'
      ? cycleScheduler(live, { ...options, cycleMs: config.cycle, costs: config.costs })
      : new Scheduler<unknown>({ ...options, strategy: live.strategy, burst: 1 })
  if (schedule?.learning !== undefined) scheduler.resumeLearning(schedule.learning)
  const { id, weight, addedAt, intervalMs, minIntervalMs = null, maxIntervalMs = null, state } = source
  scheduler.upsert({
    facts: {
      id,
      weight,
      cost: model?.cost ?? 1,
      windowSize: state.window.length || model?.windowSize || 20,
      addedAt,
      lastRefreshAt: state.lastSuccessAt,
    },
    intervalMs,
    minIntervalMs,
    maxIntervalMs,
    dueAt: state.status === 'failing' ? state.nextCheckAt : null,
    paused: source.paused,
    retired: state.status === 'retired',
    memory: model === null ? null : { form: model.form, bytes: model.state },
  })
  return scheduler
}
