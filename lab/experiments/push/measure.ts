import { DAY_MS, type InstantMs, MINUTE_MS, type SourceId } from '../../../src/model/index.ts'
import { MAX_INTERVAL_MS } from '../../../src/refresh/default-limits.ts'
import { HubSignals } from '../../../src/refresh/strategies/foresight/hub-signals.ts'
import { foresight, learnTables } from '../../../src/refresh/strategies/foresight/index.ts'
import { seededRandom } from '../../../src/runtime/random.ts'
import { drawPushes } from '../../simulator/hub-pushes.ts'
import { runScheduled } from '../../simulator/scheduled-run.ts'
import { Tally } from '../../simulator/tally.ts'
import { watchParts } from '../../simulator/watch-parts.ts'
import { countPublishedBy, type SimSource, type SimWorld } from '../../simulator/world.ts'
import { CONFIG, HUBS, type HubKind } from './config.ts'

export interface HubFigures {
  readonly world: string
  readonly perDay: number
  readonly hub: HubKind | 'polling alone'
  readonly delayMinutes: number
  /** Of the sources behind hubs, and of the others. */
  readonly pushedMinutes: number
  readonly polledMinutes: number
  readonly lostShare: number
  readonly requests: number
  /** Of sources behind hubs, what is published in the second half of the measured time: there one of the hubs is dead. */
  readonly lateMinutes: number
  /** The longest of these delays. */
  readonly latestMinutes: number
}

interface PushCase {
  readonly name: string
  readonly world: SimWorld
  readonly perDay: number
  readonly hub: HubKind | 'polling alone'
}

/** One world with one budget, through the scheduler and the signals of the node. */
export function measurePush({ name, world, perDay, hub }: PushCase, seed: number): HubFigures {
  const fromMs = world.startMs + CONFIG.learningMs
  const middleMs = (fromMs + world.endMs) / 2
  const pushed = drawSources(world, CONFIG.pushedShare, seed)
  const isPushed = ({ id }: SimSource) => pushed.has(id)
  const tally = (from: InstantMs) => new Tally(from, world.endMs)
  const [all, behindHub, polled, late] = [tally(fromMs), tally(fromMs), tally(fromMs), tally(middleMs)]
  const watch = watchParts((source) => (isPushed(source) ? [all, behindHub, late] : [all, polled]))
  const hubs = new HubSignals()
  if (hub !== 'polling alone') for (const id of pushed) hubs.follow(id, HUB, world.startMs, false)
  const requests = perDay * world.sources.length
  const scheduler = {
    strategy: foresight({ tables: learnTables(pastOf(world, fromMs), seededRandom(seed)), hubs }),
    budget: { requests, perMs: DAY_MS },
    burst: requests,
    minIntervalMs: CONFIG.minIntervalMs,
    maxIntervalMs: MAX_INTERVAL_MS,
    random: seededRandom(seed),
  }
  const pushes = hub === 'polling alone' ? [] : pushesOf(world, hub, world.sources.filter(isPushed), middleMs, seed)
  runScheduled({ world, scheduler, pushes }, watch)
  return {
    world: name,
    perDay,
    hub,
    delayMinutes: all.meanDelayMs / MINUTE_MS,
    pushedMinutes: behindHub.meanDelayMs / MINUTE_MS,
    polledMinutes: polled.meanDelayMs / MINUTE_MS,
    lostShare: all.lost / all.items,
    requests: all.requests,
    lateMinutes: late.meanDelayMs / MINUTE_MS,
    latestMinutes: late.maxDelayMs / MINUTE_MS,
  }
}

const HUB = 'https://hub.example/'

function pushesOf(world: SimWorld, kind: HubKind, sources: readonly SimSource[], middleMs: InstantMs, seed: number) {
  const { recall, falsePerTrue, dies } = HUBS[kind]
  const hub = { recall, falsePerTrue, delayMs: CONFIG.hubDelayMs, diesAt: dies ? middleMs : null }
  return drawPushes(sources, hub, world, seed)
}

function pastOf({ sources }: SimWorld, untilMs: InstantMs): Float64Array[] {
  return sources.map(({ times }) => times.subarray(0, countPublishedBy(times, untilMs - 1)))
}

function drawSources({ sources }: SimWorld, share: number, seed: number): ReadonlySet<SourceId> {
  const random = seededRandom(seed)
  const order = sources.map(({ id }) => ({ id, by: random() })).sort((a, b) => a.by - b.by)
  return new Set(order.slice(0, Math.round(share * sources.length)).map(({ id }) => id))
}
