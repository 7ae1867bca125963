import { DAY_MS, type DurationMs, HOUR_MS, type InstantMs, MINUTE_MS } from '../../../src/model/index.ts'
import { MAX_INTERVAL_MS } from '../../../src/refresh/default-limits.ts'
import { foresight, learnTables } from '../../../src/refresh/strategies/foresight/index.ts'
import { seededRandom } from '../../../src/runtime/random.ts'
import { specWorld } from '../../simulator/named-worlds.ts'
import { runScheduled } from '../../simulator/scheduled-run.ts'
import { type MemberFault, runShared } from '../../simulator/shared-run.ts'
import { Tally } from '../../simulator/tally.ts'
import { watchParts } from '../../simulator/watch-parts.ts'
import { countPublishedBy, type SimSource, type SimWorld } from '../../simulator/world.ts'
import type { PublicationSpec } from '../../worlds/publication.ts'
import { CONFIG } from './config.ts'

export interface WorkRow {
  readonly name: string
  /** To origins. */
  readonly requests: number
  /** Over all items of all members. */
  readonly delayMinutes: number
  /** Of items of common sources, from the moment of the fault on. */
  readonly lateMinutes: number
  readonly longestLateHours: number
  readonly lost: number
  readonly checks: number
  /** From the fault until the others count on the member no more; null: there is none. */
  readonly noticedHours: number | null
  readonly longestNoticedHours: number | null
}

/** The sources of all members. */
export interface SourcesOfMembers {
  readonly world: SimWorld
  readonly own: readonly (readonly SimSource[])[]
  readonly common: readonly SimSource[]
}

const COMMON = Math.round(CONFIG.sourcesEach * CONFIG.commonShare)
const OWN = CONFIG.sourcesEach - COMMON

export function drawMembership(seed: number): SourcesOfMembers {
  const count = COMMON + CONFIG.members * OWN
  const random = seededRandom(seed)
  const specs = Array.from({ length: count }, (_, id): PublicationSpec => {
    const ratePerDay = CONFIG.leastPerDay * (CONFIG.mostPerDay / CONFIG.leastPerDay) ** random()
    return id % 2 === 0 ? { kind: 'poisson', ratePerDay } : { kind: 'waves', ratePerDay, peakHour: id % 24 }
  })
  const startMs = Date.UTC(2024, 0, 1)
  const span = { startMs, endMs: startMs + CONFIG.days * DAY_MS }
  const world = specWorld(specs, span, { windowSize: CONFIG.windowSize, seed })
  const own = Array.from({ length: CONFIG.members }, (_, member) =>
    world.sources.slice(COMMON + member * OWN, COMMON + (member + 1) * OWN),
  )
  return { world, own, common: world.sources.slice(0, COMMON) }
}

/** Each member polls all of its sources. */
export function measureApart(membership: SourcesOfMembers, seed: number): WorkRow {
  const { own, common, world } = membership
  const parts = tallies(world)
  for (const [member, sources] of own.entries()) {
    const isCommon = new Set(common)
    const all = [...common, ...sources]
    const budget = { requests: CONFIG.perDay * all.length, perMs: DAY_MS }
    const scheduler = { ...schedulerOf(membership, seed), budget, random: seededRandom(seed + member) }
    runScheduled({ world: { ...world, sources: all }, scheduler }, watchOf(parts, isCommon))
  }
  return rowOf('five alone', parts, 1, { checks: 0, excludedAt: null })
}

interface SharedTerms {
  /** What the faulty member does; absent: none is faulty. */
  readonly kind?: MemberFault['kind']
  readonly faultAfterMs?: DurationMs
  readonly perDay?: number
}

/** Common sources are polled by one of the members. */
export function measureShared(name: string, membership: SourcesOfMembers, seed: number, terms: SharedTerms): WorkRow {
  const { own, common, world } = membership
  const faultAfterMs = terms.faultAfterMs ?? CONFIG.faultAfterMs
  const faultAt = world.startMs + faultAfterMs
  const parts = tallies(world, faultAfterMs)
  const outcome = runShared(
    sharedSetup(membership, seed, faultAt, terms),
    // Who falls silent has no reader any more for what it had alone.
    watchOf(parts, new Set(common), terms.kind === 'silent' ? own[CONFIG.faulty] : []),
    watchOf(parts, new Set(common)),
  )
  return rowOf(name, parts, CONFIG.members, outcome, faultAt)
}

function sharedSetup(
  membership: SourcesOfMembers,
  seed: number,
  faultAt: InstantMs,
  { kind, perDay = CONFIG.perDay }: SharedTerms,
) {
  const { own, common, world } = membership
  return {
    ...world,
    own,
    common,
    scheduler: schedulerOf(membership, seed),
    perDay,
    checkShare: CONFIG.checkShare,
    silentAfterMs: CONFIG.silentAfterMs,
    ...(kind === undefined ? {} : { fault: { kind, member: CONFIG.faulty, fromMs: faultAt } }),
    seed,
  }
}

function schedulerOf({ world }: SourcesOfMembers, seed: number) {
  const fromMs = world.startMs + CONFIG.learningMs
  const past = world.sources.map(({ times }) => times.subarray(0, countPublishedBy(times, fromMs - 1)))
  return {
    strategy: foresight({ tables: learnTables(past, seededRandom(seed)) }),
    burst: CONFIG.perDay * CONFIG.sourcesEach,
    minIntervalMs: CONFIG.minIntervalMs,
    maxIntervalMs: MAX_INTERVAL_MS,
  }
}

interface Parts {
  readonly own: Tally
  readonly common: Tally
  readonly late: Tally
}

function tallies({ startMs, endMs }: SimWorld, faultAfterMs: DurationMs = CONFIG.faultAfterMs): Parts {
  const fromMs = startMs + CONFIG.learningMs
  const faultMs = startMs + faultAfterMs
  return { own: new Tally(fromMs, endMs), common: new Tally(fromMs, endMs), late: new Tally(faultMs, endMs) }
}

function watchOf({ own, common, late }: Parts, isCommon: ReadonlySet<SimSource>, ignored: readonly SimSource[] = []) {
  return watchParts((source) => (ignored.includes(source) ? [] : isCommon.has(source) ? [common, late] : [own]))
}

/** `readers`: so many members get an item of a common source that was counted once; all but the owner a little later. */
function rowOf(
  name: string,
  { own, common, late }: Parts,
  readers: number,
  { checks, excludedAt }: { readonly checks: number; readonly excludedAt: InstantMs | null },
  faultAt = 0,
): WorkRow {
  const passMs = readers > 1 ? ((readers - 1) / readers) * CONFIG.passMs : 0
  const noticedHours = excludedAt === null ? null : (excludedAt - faultAt) / HOUR_MS
  const delayMs = own.delaySumMs + readers * (common.delaySumMs + common.items * passMs)
  return {
    name,
    requests: own.requests + common.requests,
    delayMinutes: delayMs / (own.items + readers * common.items) / MINUTE_MS,
    lateMinutes: (late.meanDelayMs + passMs) / MINUTE_MS,
    longestLateHours: late.maxDelayMs / HOUR_MS,
    lost: own.lost + common.lost,
    checks,
    noticedHours,
    longestNoticedHours: noticedHours,
  }
}
