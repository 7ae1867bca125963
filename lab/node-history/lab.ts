import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Lab, LabRequest, LabResult } from '../../src/api/services.ts'
import { readSharedModels, strategyFor } from '../../src/app/crawling/strategy.ts'
import { DATABASE_FILE } from '../../src/app/data/data.ts'
import type { Config } from '../../src/app/settings/config.ts'
import { DAY_MS, HOUR_MS, type InstantMs, MINUTE_MS, WEEK_MS } from '../../src/model/index.ts'
import { measureQuality } from '../../src/quality/live.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import { HeadwaterError } from '../../src/runtime/errors.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import type { Store } from '../../src/store/store.ts'
import { historyWorld } from './history.ts'
import { strategiesAndRates, type TryOptions, tryOne } from './try-strategies.ts'

const LENGTH_MS = { day: DAY_MS, week: WEEK_MS, month: 30 * DAY_MS } as const

/** What a thread is started with. */
export interface LabTask {
  readonly databasePath: string
  readonly request: LabRequest
  readonly options: TryOptions
  readonly now: InstantMs
}

export type LabMessage =
  | { readonly kind: 'progress'; readonly done: number; readonly total: number }
  | { readonly kind: 'result'; readonly result: LabResult }
  | { readonly kind: 'failed'; readonly code: string }

/** "What would have happened?" for a node: beside it, in a thread of its own, on its own database. */
export function labFor(config: Config, clock: Pick<Clock, 'now'>): Lab {
  return {
    async run(request, onProgress) {
      for (const strategy of request.strategies) strategyFor({ strategy, estimator: config.estimator })
      const task: LabTask = {
        databasePath: join(config.dataDir, DATABASE_FILE),
        request,
        options: {
          estimator: config.estimator,
          minIntervalMs: config.minInterval,
          maxIntervalMs: config.maxInterval,
        },
        now: clock.now(),
      }
      // Threads load compiled files; from sources everything runs in one thread.
      return import.meta.url.endsWith('.js') ? inThread(task, onProgress) : runTask(task, onProgress)
    },
  }
}

export async function runTask(task: LabTask, onProgress: (done: number, total: number) => void): Promise<LabResult> {
  const { request, options, now } = task
  const clock: Clock = { now: () => now, monotonicMs: () => 0, sleep: async () => {} }
  const { store } = await openSqliteStore({ path: task.databasePath, clock })
  try {
    const until = now
    const world = await historyWorld(store, until - LENGTH_MS[request.over], until)
    const from = world.startMs
    if (world.sources.every(({ times }) => times.length === 0)) throw new HeadwaterError('LAB_NO_HISTORY')
    const pairs = strategiesAndRates(request)
    const shared = await readSharedModels(store)
    const points: LabResult['points'] = []
    for (const [strategy, rate] of pairs) {
      points.push(tryOne(world, strategy, rate, options, shared))
      onProgress(points.length, pairs.length)
      await new Promise((resolve) => setImmediate(resolve))
    }
    return { sources: world.sources.length, from, to: until, points, node: await asItWas(store, from, until) }
  } finally {
    await store.close()
  }
}

async function asItWas(store: Store, from: InstantMs, until: InstantMs): Promise<LabResult['node']> {
  // Sums are stored by the hour: the first one is taken whole.
  const since = Math.floor(from / HOUR_MS) * HOUR_MS
  const { requests, delay, completeness } = measureQuality(await store.quality({ kind: 'node' }, since, until))
  return {
    requestsPerMinute: requests / ((until - from) / MINUTE_MS),
    meanDelayMs: delay?.meanMs ?? null,
    completeness: completeness?.value ?? null,
  }
}

function inThread(task: LabTask, onProgress: (done: number, total: number) => void): Promise<LabResult> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData: task })
    worker.on('message', (message: LabMessage) => {
      if (message.kind === 'progress') onProgress(message.done, message.total)
      else if (message.kind === 'result') resolve(message.result)
      else reject(new HeadwaterError(message.code === 'LAB_NO_HISTORY' ? message.code : 'INTERNAL'))
    })
    worker.on('error', reject)
    worker.on('exit', () => reject(new HeadwaterError('INTERRUPTED')))
  })
}
