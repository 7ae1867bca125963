import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Source } from '../src/model/index.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { type BenchChild, startChild } from './child-process.ts'
import { startController, type TerminalsController } from './terminals-controller.ts'
import { createRecorder, type LookUp, type Recorder } from './terminals-record.ts'
import { addFeedSources, type BenchStore, openBenchStore } from './terminals-store.ts'
import { type Form, PRINTED_FEEDS } from './terminals-verdict.ts'
import type { TerminalsWorld } from './terminals-world.ts'

export interface TerminalsOptions {
  readonly feeds?: number
  readonly terminals?: number
  readonly atOnce?: number
  readonly changed?: number
  readonly touched?: number
  readonly sameTitles?: number
  readonly latency?: number
  readonly lookUp?: LookUp
  readonly roundTrip?: number
  /** An empty PostgreSQL database; absent: SQLite in a scratch folder. */
  readonly store?: string
}

/** The paper does not say how many of either it had. */
const TERMINALS = 8
const AT_ONCE = 4
/** Of a feed one or two new articles: 12 a round. The paper has 2,500 a day in 144 to 240 rounds: 10 to 17. */
const CHANGED = 0.01
const TOUCHED = 0.1
const LATENCY_MS = 100
const WINDOW_ITEMS = 20
const SEED = 1

/** Everything that runs, before the first round. */
export interface TerminalsStage {
  readonly world: TerminalsWorld
  readonly sites: BenchChild<{ readonly port: number }, { readonly cpuMs: number }>
  readonly controller: TerminalsController
  readonly data: BenchStore
  readonly recorder: Recorder
  readonly sources: Readonly<Record<Form, readonly Source[]>>
  readonly atOnce: number
}

/** `closing`: gets what has to be closed, last first, also where opening fails halfway. */
export async function openStage(
  options: TerminalsOptions,
  folder: string,
  closing: (() => Promise<void>)[],
): Promise<TerminalsStage> {
  const world = worldOf(options)
  const { atOnce = AT_ONCE, lookUp = 'article', roundTrip: roundTripMs = 0 } = options
  const data = await openBenchStore(options.store, folder)
  closing.push(() => data.close())
  const sites: TerminalsStage['sites'] = await startChild('terminals-world.child', [JSON.stringify(world)])
  closing.push(() => sites.close())
  const files = join(folder, 'files')
  mkdirSync(files)
  const controller = await startController(options.terminals ?? TERMINALS, files)
  closing.push(() => controller.close())
  const recorder = createRecorder({ store: data.store, clock: systemClock, lookUp, roundTripMs })
  const sourcesOf = (form: Form) => {
    const addressOf = (feed: number) => `http://feed-${feed}.localhost:${sites.hello.port}/${form}`
    return addFeedSources(
      data.store,
      Array.from({ length: world.feeds }, (_, feed) => addressOf(feed)),
    )
  }
  const sources = {
    serial: await sourcesOf('serial'),
    distributed: await sourcesOf('distributed'),
    checked: await sourcesOf('checked'),
  }
  return { world, sites, controller, data, recorder, sources, atOnce }
}

function worldOf(options: TerminalsOptions): TerminalsWorld {
  return {
    seed: SEED,
    feeds: options.feeds ?? PRINTED_FEEDS,
    windowItems: WINDOW_ITEMS,
    changedShare: options.changed ?? CHANGED,
    touchedShare: options.touched ?? TOUCHED,
    sameTitleShare: options.sameTitles ?? 0,
    latencyMedianMs: options.latency ?? LATENCY_MS,
  }
}
