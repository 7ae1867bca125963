import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { strategyFor } from '../src/app/crawling/strategy.ts'
import { loadConfig } from '../src/app/settings/config.ts'
import { withSourceDefaults } from '../src/app/sources/import-sources.ts'
import { ModelStore } from '../src/crawler/model-store.ts'
import { entryAt } from '../src/model/entry-at.ts'
import { HOUR_MS, type InstantMs, type Observation, SECOND_MS } from '../src/model/index.ts'
import { Scheduler } from '../src/refresh/scheduler/scheduler.ts'
import type { Clock } from '../src/runtime/clock.ts'
import { seededRandom } from '../src/runtime/random.ts'
import { SCHEDULE_ENTRIES } from '../src/store/rows/schedule.ts'
import { openSqliteStore } from '../src/store/sqlite/index.ts'
import type { ScheduleEntry, Store } from '../src/store/store.ts'
import { median, roundToPrecision } from './rounds.ts'
import { cpuMsOf } from './schedule-contenders.ts'
import { ScheduleWorld, START } from './schedule-world.ts'

const PER_SECOND = 1_000
const CHECKPOINT_EVERY_S = 5
const MOST_CPU_SHARE = 0.05
const MOST_RESTART = 3
/** As a node is started without a word. */
const LIVE = loadConfig('none', {}, {})

/**
 * The scheduler of the live node with its store: so many sources at 1,000 decisions a second, every decision learnt from
 * and checkpointed as live; and how long a restart takes beside reading the same rows with nothing else done.
 */
export async function benchLiveSchedule(options: { readonly sources?: number; readonly rounds?: number } = {}) {
  const { sources = 100_000, rounds = 5 } = options
  const folder = mkdtempSync(join(tmpdir(), 'headwater-bench-schedule-'))
  try {
    const world = new ScheduleWorld(sources, 1)
    const clock = standingClock(START)
    const path = join(folder, 'headwater.db')
    const { store } = await openSqliteStore({ path, clock })
    await addAll(store, sources)
    const node = await startScheduler(store, clock, sources)
    await explore(node, world, clock)
    const decisions = await decideSeconds(node, world, clock, 30)
    await node.modelStore.save()
    const restart = await timeRestarts(store, clock, path, sources, Math.max(5, rounds))
    await store.close()
    return {
      sources,
      strategy: LIVE.strategy,
      ...decisions,
      bytesPerSource: roundToPrecision(node.scheduler.bytes / sources),
      restart,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Node {
  readonly scheduler: Scheduler<unknown>
  readonly modelStore: ModelStore
  /** When each was refreshed last: the world's to know. */
  readonly refreshedAt: Float64Array
}

function standingClock(at: InstantMs): Clock & { at: InstantMs } {
  const clock = { at, now: () => clock.at, monotonicMs: () => clock.at, sleep: async () => {} }
  return clock
}

async function addAll(store: Store, sources: number): Promise<void> {
  for (let from = 0; from < sources; from += 5_000) {
    const part = Array.from(
      { length: Math.min(5_000, sources - from) },
      (_, k) => `http://site-${from + k}.test/feed.xml`,
    )
    await store.addSources(
      part.map((url) => withSourceDefaults({ url })),
      START - 24 * HOUR_MS,
    )
  }
}

async function startScheduler(store: Store, clock: Clock, sources: number): Promise<Node> {
  const scheduler = new Scheduler<unknown>({
    strategy: strategyFor(LIVE),
    budget: { requests: PER_SECOND, perMs: SECOND_MS },
    burst: PER_SECOND,
    minIntervalMs: 5 * SECOND_MS,
    maxIntervalMs: 7 * 24 * HOUR_MS,
    random: seededRandom(1),
    now: clock.now(),
  })
  const modelStore = new ModelStore({ store, scheduler, clock, everyMs: CHECKPOINT_EVERY_S * SECOND_MS })
  await load(store, scheduler, modelStore)
  return { scheduler, modelStore, refreshedAt: new Float64Array(sources + 1).fill(START - HOUR_MS) }
}

/** As the crawler does at a start. */
async function load(store: Store, scheduler: Scheduler<unknown>, modelStore: ModelStore): Promise<void> {
  await modelStore.resume()
  const { changed } = await store.scheduleChanges(0)
  for (const entry of changed) takeOver(entry, scheduler, modelStore)
}

function takeOver(entry: ScheduleEntry, scheduler: Scheduler<unknown>, modelStore: ModelStore): void {
  const { id, weight, addedAt, lastSuccessAt, model, nextCheckAt } = entry
  scheduler.upsert({
    facts: {
      id,
      weight,
      cost: model?.cost ?? 1,
      windowSize: model?.windowSize ?? 20,
      addedAt,
      lastRefreshAt: lastSuccessAt,
    },
    dueAt: null,
    plannedAt: nextCheckAt,
    paused: entry.paused,
    retired: false,
    ...modelStore.memoryOf(entry),
  })
}

/** Every source once, and some rounds more, until the price has found its place. */
async function explore(node: Node, world: ScheduleWorld, clock: { at: InstantMs; now(): InstantMs }): Promise<void> {
  await decideSeconds(node, world, clock, Math.ceil((5 * world.sources) / PER_SECOND))
}

async function decideSeconds(
  node: Node,
  world: ScheduleWorld,
  clock: { at: InstantMs; now(): InstantMs },
  seconds: number,
) {
  let decisions = 0
  let decidingMs = 0
  let savingMs = 0
  for (let second = 0; second < seconds; second++) {
    clock.at += SECOND_MS
    for (;;) {
      const { result: ids, cpuMs } = cpuMsOf(() => takeSome(node, clock.now()))
      decidingMs += cpuMs
      if (ids.length === 0) break
      decisions += ids.length
      // Making up the answers is not counted.
      const answers = ids.map((id) => answer(node, world, id, clock.now()))
      decidingMs += cpuMsOf(() => {
        for (const observation of answers) {
          node.scheduler.plan(observation)
          node.scheduler.finish(observation.sourceId, null)
        }
      }).cpuMs
    }
    if (second % CHECKPOINT_EVERY_S === 0) savingMs += await cpuMsOfAsync(() => node.modelStore.save())
  }
  const share = (decidingMs + savingMs) / (seconds * 1_000)
  return {
    decisionsPerSecond: roundToPrecision(decisions / seconds),
    cpuShare: {
      deciding: roundToPrecision(decidingMs / (seconds * 1_000)),
      checkpoints: roundToPrecision(savingMs / (seconds * 1_000)),
    },
    cpuShareOfOneCore: { share: roundToPrecision(share), atMost: MOST_CPU_SHARE, ok: share <= MOST_CPU_SHARE },
  }
}

function takeSome({ scheduler }: Node, now: InstantMs): number[] {
  const ids: number[] = []
  while (ids.length < 100) {
    const next = scheduler.take(now)
    if (next.kind === 'wait') break
    ids.push(next.id)
  }
  return ids
}

function answer(node: Node, world: ScheduleWorld, id: number, now: InstantMs): Observation {
  const observation = world.refresh(id - 1, entryAt(node.refreshedAt, id), now)
  node.refreshedAt[id] = now
  return { ...observation, sourceId: id }
}

async function cpuMsOfAsync(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

/** Interleaved: a restart, then the bare reading of the same rows, several times. */
async function timeRestarts(store: Store, clock: Clock, path: string, sources: number, rounds: number) {
  await recordAll(store, sources, clock.now())
  const bare = new Database(path, { readonly: true })
  const restarts: number[] = []
  const selects: number[] = []
  for (let round = 0; round < rounds; round++) {
    restarts.push(await cpuMsOfAsync(async () => void (await startScheduler(store, clock, sources))))
    selects.push(cpuMsOf(() => readAll(bare)).cpuMs)
  }
  bare.close()
  const ratio = median(restarts.map((ms, round) => ms / entryAt(selects, round)))
  return {
    cpuMs: roundToPrecision(median(restarts)),
    bareSelectCpuMs: roundToPrecision(median(selects)),
    ratio: roundToPrecision(ratio),
    atMost: MOST_RESTART,
    ok: ratio <= MOST_RESTART,
  }
}

function readAll(database: Database.Database): number {
  let rows = 0
  for (const _row of database.prepare(`${SCHEDULE_ENTRIES} ORDER BY s.id`).iterate()) rows++
  return rows
}

/** Sources as they are after their refreshes: the rows that a restart reads. */
async function recordAll(store: Store, sources: number, now: InstantMs): Promise<void> {
  for (let id = 1; id <= sources; ) {
    const part: Promise<unknown>[] = []
    for (; id <= sources && part.length < 1_000; id++) part.push(recordOne(store, id, now))
    await Promise.all(part)
  }
}

async function recordOne(store: Store, id: number, now: InstantMs): Promise<void> {
  const source = (await store.source(id))!
  const times = { lastCheckAt: now, lastSuccessAt: now, nextCheckAt: now + (id % 3_600) * SECOND_MS }
  await store.recordRefresh({
    sourceId: id,
    state: { ...source.state, status: 'active', ...times, nextCheckReason: 'after 42 min: about 3.1 items a day' },
    movedTo: null,
    observation: null,
    renamedItems: [],
    intake: null,
    newItems: [],
    changedItems: [],
  })
}
