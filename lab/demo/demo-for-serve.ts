import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DATABASE_FILE, openData, placeOf } from '../../src/app/data/data.ts'
import { openRecentQuality } from '../../src/app/quality/recent-quality.ts'
import type { Config } from '../../src/app/settings/config.ts'
import type { Demo } from '../../src/cli/commands/serve.ts'
import type { CliContext } from '../../src/cli/context.ts'
import { DAY_MS, type DurationMs, HOUR_MS } from '../../src/model/index.ts'
import { tallyOf } from '../../src/quality/live.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import { readCode } from '../../src/runtime/read-code.ts'
import type { Store } from '../../src/store/store.ts'
import { startDemoWorld } from '../worlds/demo.ts'
import { DEMO_QUERIES } from '../worlds/demo-queries.ts'
import type { World } from '../worlds/world.ts'
import { DEMO_PORT, demoSources } from './demo-sources.ts'
import { DEMO_SEED, live, MADE_UNTIL, PAST_MS, STAGE_MS, STAGES } from './past.ts'
import { DEMO_OWNER, invitePeople } from './people.ts'
import { hasSnapshot, putPast } from './snapshot.ts'

const RECENT_MS: DurationMs = 26 * HOUR_MS

type DemoContext = Pick<CliContext, 'clock' | 'out'>

/** The demo world as `headwater serve --demo` wants it; a new data folder gets three weeks of it. */
export async function startDemoForServe(context: DemoContext, config: Config): Promise<Demo> {
  const isNew = config.store === undefined && !(await placeOf(config).exists())
  const shiftMs = (isNew ? null : await shiftOf(config, context.clock)) ?? usualShift(context.clock)
  const world = await startWorldAt(context.clock, shiftMs)
  if (isNew && hasSnapshot()) await bringPast(config, context, world, shiftMs)
  return {
    opmlUrl: world.opmlUrl,
    sources: demoSources(world.port),
    queries: DEMO_QUERIES,
    visitor: DEMO_OWNER,
    close: () => world.close(),
  }
}

/** By whole days: what is done at nine in the morning stays there. */
function usualShift(clock: Pick<Clock, 'now'>): DurationMs {
  return Math.floor((clock.now() - MADE_UNTIL) / DAY_MS) * DAY_MS
}

/** By how much the past of this node was moved: its sources were added when the past began. null: it has none. */
async function shiftOf(config: Config, clock: Clock): Promise<DurationMs | null> {
  if (!(await placeOf(config).exists())) return null
  const { store } = await openData(config, clock)
  const [first] = await store.sources({ limit: 1 }).finally(() => store.close())
  const shiftMs = (first?.addedAt ?? 0) - (MADE_UNTIL - PAST_MS)
  return first !== undefined && shiftMs % DAY_MS === 0 ? shiftMs : null
}

function startWorldAt(clock: Clock, shiftMs: DurationMs): Promise<World> {
  const time = { startAt: MADE_UNTIL, realStartAt: MADE_UNTIL + shiftMs }
  return startDemoWorld(clock, DEMO_SEED, { ...time, port: DEMO_PORT }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    return startDemoWorld(clock, DEMO_SEED, time)
  })
}

/** Three weeks that the build has made, and today in stages, moved to this day; then what is left of today. */
async function bringPast(
  config: Config,
  { clock, out }: DemoContext,
  { port }: World,
  shiftMs: DurationMs,
): Promise<void> {
  const beganMs = clock.monotonicMs()
  const now = clock.now()
  const path = join(config.dataDir, DATABASE_FILE)
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  const midnight = MADE_UNTIL + shiftMs
  const stages = Math.min(STAGES - 1, Math.floor((now - midnight) / STAGE_MS))
  const past = putPast({ databasePath: path, stages, byMs: shiftMs, port: { from: DEMO_PORT, to: port } })
  // Meanwhile the modules of the node are read, which this thread needs next.
  await Promise.all([past, readCode(() => import('../../src/app/node.ts'))])
  const today = { from: midnight + stages * STAGE_MS, to: now, shiftMs, troubleUntil: midnight }
  await live((virtual) => openData(config, virtual), demoSources(port), today, port)
  const { store } = await openData(config, clock)
  await rememberLately(store, clock)
  await invitePeople(store, now)
  await store.close()
  const seconds = ((clock.monotonicMs() - beganMs) / 1_000).toFixed(1)
  out(`Demo: a new node with three weeks of history (${seconds} s)\n`)
}

/** The last day in steps finer than an hour, as a node notes them while it runs. */
async function rememberLately(store: Store, clock: Clock): Promise<void> {
  const recent = await openRecentQuality(store, clock)
  for (const { id, state } of await store.sources()) {
    const observations = await store.observations(id, { since: clock.now() - RECENT_MS, limit: 10_000 })
    for (const observation of observations) {
      const windowSize = observation.windowSize || state.window.length
      recent.note(observation.at, tallyOf(observation, { requests: 1, bytes: 0, repaired: 0, windowSize }))
    }
  }
  // At its end it saves.
  const ending = new AbortController()
  const saving = recent.run(ending.signal)
  ending.abort()
  await saving
}
