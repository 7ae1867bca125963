import { DAY_MS, MINUTE_MS } from '../../src/model/index.ts'
import { learnTables } from '../../src/refresh/strategies/foresight/index.ts'
import type { AnyPricedStrategy } from '../../src/refresh/strategy.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { clairvoyant } from '../simulator/clairvoyant.ts'
import { runPriced } from '../simulator/priced-run.ts'
import { SourceRun } from '../simulator/source-run.ts'
import { Tally } from '../simulator/tally.ts'
import { itemCount, publishedBy, type SimWorld } from '../simulator/world.ts'
import { calibrate, EQUAL_WITHIN } from './calibrate.ts'
import { cycleFor, runTopK, runTwoSteps } from './cycle-policies.ts'
import { learnDailyPatterns } from './learnt.ts'
import { LEARNING_MS, type LearntTogether, onlineEstimator, pricedPolicy } from './policies.ts'
import { SourceTally } from './source-tally.ts'
import type { LearntPriceRow, MeasuredRow } from './types.ts'

/** A trace made ready: what all policies at all budgets share. */
export interface Arena {
  readonly learnt: LearntTogether
  readonly world: SimWorld
  readonly measureFromMs: number
  readonly seed: number
  readonly items: number
}

export function arenaOf(world: SimWorld, seed: number): Arena {
  const measureFromMs = world.startMs + LEARNING_MS
  return {
    world,
    measureFromMs,
    learnt: {
      patterns: learnDailyPatterns(world, measureFromMs, seed),
      tables: learnTables(learningTimes(world, measureFromMs), seededRandom(seed)),
    },
    seed,
    items: itemCount(world),
  }
}

function learningTimes(world: SimWorld, untilMs: number): Float64Array[] {
  return world.sources.map(({ times }) => times.subarray(0, publishedBy(times, untilMs - 1)))
}

export function measuredDays({ world, measureFromMs }: Arena): number {
  return (world.endMs - measureFromMs) / DAY_MS
}

/** Requests that every policy may spend in the measured time. */
export function budgetOf(arena: Arena, perDay: number): number {
  return Math.round(perDay * arena.world.sources.length * measuredDays(arena))
}

/** One policy at several budgets; what one calibration finds starts the next. */
export function comparePolicy(arena: Arena, id: string, budgets: readonly number[]): MeasuredRow[] {
  const guess = new Guess()
  return budgets.map((perDay) => {
    if (id === 'clairvoyant') return clairvoyantRow(arena, perDay)
    if (id === 'two-steps') return twoStepsRow(arena, perDay, guess)
    if (id === 'top-k-utility') return topKRow(arena, perDay)
    const strategy = pricedPolicy(id, arena.learnt)
    if (strategy === null) throw new Error(`no policy ${id}`)
    return pricedRow(arena, strategy, perDay, guess)
  })
}

/** The knob that met one budget tells about the next: requests fall as some power of it. */
class Guess {
  private known: { readonly knob: number; readonly first: number } | null = null

  /** `usual` is what the strategy itself would start from. */
  from(usual: number): number {
    return this.known === null ? usual : (usual * this.known.knob) / this.known.first
  }

  learnt(usual: number, knob: number): void {
    this.known = { knob, first: usual }
  }
}

/** One run of a policy at one setting of its knob, in the world given. */
type Run = (world: SimWorld, knob: number, mostRequests: number, tally: Tally) => void

interface Search {
  /** At one price sources do not depend on each other: a part of them finds about the price that all of them need. */
  readonly onPartFirst: boolean
  readonly aimWithin?: number
}

/**
 * Runs the policy at the knob that met the budget in the learning days, as it would have fared without hindsight; then
 * finds the one that spends as much as every other policy in the measured time. Tallies are kept: no run is repeated.
 */
function calibratedRow(
  arena: Arena,
  id: string,
  perDay: number,
  usual: number,
  guess: Guess,
  run: Run,
  search: Search,
): MeasuredRow {
  const target = budgetOf(arena, perDay)
  const learnt = learntKnob(arena, perDay, guess.from(usual), run)
  const tallies = new Map<number, SourceTally>()
  const requestsAt = (knob: number) => {
    const tally = tallies.get(knob) ?? tallyOf(arena)
    if (!tallies.has(knob)) run(arena.world, knob, 5 * target, tally)
    tallies.set(knob, tally)
    return tally.requests
  }
  const near = Math.abs(requestsAt(learnt) / target - 1) < ROUGHLY
  const first = near || !search.onPartFirst ? learnt : roughKnob(arena, perDay, learnt, run)
  const { knob, met } = calibrate(requestsAt, first, target, search.aimWithin)
  guess.learnt(usual, knob)
  const note = met ? undefined : `no factor makes it spend ${target} requests`
  return {
    ...rowOf(id, tallies.get(knob)!, knob, note),
    learntPrice: learntPriceRow(tallies.get(learnt)!, learnt, target),
  }
}

/** The knob that meets the budget in the second of the learning weeks; the first is for learning. */
function learntKnob({ world, measureFromMs }: Arena, perDay: number, first: number, run: Run): number {
  const fromMs = (world.startMs + measureFromMs) / 2
  const target = (perDay * world.sources.length * (measureFromMs - fromMs)) / DAY_MS
  const requestsAt = (knob: number) => {
    const tally = new Tally(fromMs, measureFromMs)
    run({ ...world, endMs: measureFromMs }, knob, 5 * target, tally)
    return tally.requests
  }
  return calibrate(requestsAt, first, target).knob
}

function roughKnob(arena: Arena, perDay: number, first: number, run: Run): number {
  const { world, measureFromMs } = arena
  const sources = world.sources.filter((_, index) => index % ONE_IN === 0)
  if (sources.length < FEWEST_SAMPLED) return first
  const target = (budgetOf(arena, perDay) * sources.length) / world.sources.length
  const requestsAt = (knob: number) => {
    const tally = new Tally(measureFromMs, world.endMs)
    run({ ...world, sources }, knob, 5 * target, tally)
    return tally.requests
  }
  return calibrate(requestsAt, first, target, ROUGHLY).knob
}

const ONE_IN = 6
const FEWEST_SAMPLED = 20
const ROUGHLY = 0.02

function learntPriceRow(tally: SourceTally, price: number, target: number): LearntPriceRow {
  return {
    price,
    requests: tally.requests,
    drift: tally.requests / target - 1,
    meanDelayMinutes: tally.meanDelayMs / MINUTE_MS,
    lostShare: tally.items > 0 ? tally.lost / tally.items : 0,
  }
}

function tallyOf({ world, measureFromMs, items }: Arena): SourceTally {
  return new SourceTally(measureFromMs, world.endMs, items, world.sources.length)
}

function pricedRow(arena: Arena, strategy: AnyPricedStrategy, perDay: number, guess: Guess): MeasuredRow {
  const count = arena.world.sources.length
  const usual = strategy.firstPrice(count, { requests: perDay * count, perMs: DAY_MS })
  const run: Run = (world, price, mostRequests, tally) =>
    runPriced({ world, strategy, price, seed: arena.seed, mostRequests }, tally)
  return calibratedRow(arena, strategy.id, perDay, usual, guess, run, { onPartFirst: true })
}

/** As published it may spend more or less than b, so b is calibrated outside it; the knob is 1/b. */
function twoStepsRow(arena: Arena, perDay: number, guess: Guess): MeasuredRow {
  const cycleMs = cycleFor(perDay)
  const usual = DAY_MS / cycleMs / (perDay * arena.world.sources.length)
  const run: Run = (world, knob, _mostRequests, tally) =>
    runTwoSteps({ world, estimator: onlineEstimator(), cycleMs, budgetPerCycle: 1 / knob }, tally)
  // A little more or less b moves its requests up and down by half a per cent: there is nothing finer to find.
  const search = { onPartFirst: false, aimWithin: EQUAL_WITHIN }
  return calibratedRow(arena, 'two-steps', perDay, usual, guess, run, search)
}

function topKRow(arena: Arena, perDay: number): MeasuredRow {
  const { world } = arena
  const cycleMs = cycleFor(perDay)
  const budgetPerCycle = (perDay * world.sources.length * cycleMs) / DAY_MS
  const tally = tallyOf(arena)
  runTopK({ world, estimator: onlineEstimator(), cycleMs, budgetPerCycle }, tally)
  return rowOf('top-k-utility', tally, null, undefined)
}

function clairvoyantRow(arena: Arena, perDay: number): MeasuredRow {
  const { world, measureFromMs } = arena
  const requests = budgetOf(arena, perDay)
  const outcome = clairvoyant(world, { fromMs: measureFromMs, toMs: world.endMs, requests, keepWindow: false })
  const tally = tallyOf(arena)
  for (const [index, source] of world.sources.entries()) {
    const run = new SourceRun(source)
    // What was published while learning is fetched before the measure begins.
    run.refresh(measureFromMs - 1)
    for (const at of outcome.polls[index]!) {
      run.refresh(at)
      tally.refreshed(source, at, run.met)
    }
    tally.ended(source, run.met.to, publishedBy(source.times, world.endMs, run.met.to))
  }
  const spare = outcome.requests < 0.995 * requests
  return rowOf(
    'clairvoyant',
    tally,
    outcome.price,
    spare ? 'needs no more: every item is met when published' : undefined,
  )
}

export function rowOf(policy: string, tally: SourceTally, price: number | null, note: string | undefined): MeasuredRow {
  const deviationMinutes = tally.deviationMs() / MINUTE_MS
  const [median, p95] = tally.quantilesMs([0.5, 0.95])
  return {
    policy,
    requests: tally.requests,
    meanDelayMinutes: tally.meanDelayMs / MINUTE_MS,
    medianDelayMinutes: median! / MINUTE_MS,
    p95DelayMinutes: p95! / MINUTE_MS,
    maxDelayMinutes: tally.maxDelayMs / MINUTE_MS,
    deviationMinutes,
    lostShare: tally.items > 0 ? tally.lost / tally.items : 0,
    price,
    perSource: tally.perSource,
    ...(note === undefined ? {} : { note }),
  }
}
