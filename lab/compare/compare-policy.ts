import { DAY_MS, MINUTE_MS } from '../../src/model/index.ts'
import type { AnyPricedStrategy } from '../../src/refresh/strategy.ts'
import { clairvoyant } from '../simulator/clairvoyant.ts'
import { runPriced } from '../simulator/priced-run.ts'
import { SourceRun } from '../simulator/source-run.ts'
import { Tally } from '../simulator/tally.ts'
import { itemCount, publishedBy, type SimWorld } from '../simulator/world.ts'
import { calibrate, EQUAL_WITHIN } from './calibrate.ts'
import { cycleFor, runTopK, runTwoSteps } from './cycle-policies.ts'
import { type DailyPatterns, learnDailyPatterns } from './learnt.ts'
import { LEARNING_MS, onlineEstimator, pricedPolicy } from './policies.ts'
import type { PolicyRow } from './types.ts'

/** A trace made ready: what all policies at all budgets share. */
export interface Arena {
  readonly world: SimWorld
  readonly measureFromMs: number
  readonly patterns: DailyPatterns
  readonly seed: number
  readonly items: number
}

export function arenaOf(world: SimWorld, seed: number): Arena {
  const measureFromMs = world.startMs + LEARNING_MS
  return {
    world,
    measureFromMs,
    patterns: learnDailyPatterns(world, measureFromMs, seed),
    seed,
    items: itemCount(world),
  }
}

export function measuredDays({ world, measureFromMs }: Arena): number {
  return (world.endMs - measureFromMs) / DAY_MS
}

/** Requests that every policy may spend in the measured time. */
export function budgetOf(arena: Arena, perDay: number): number {
  return Math.round(perDay * arena.world.sources.length * measuredDays(arena))
}

/** One policy at several budgets; what one calibration finds starts the next. */
export function comparePolicy(arena: Arena, id: string, budgets: readonly number[]): PolicyRow[] {
  const guess = new Guess()
  return budgets.map((perDay) => {
    if (id === 'clairvoyant') return clairvoyantRow(arena, perDay)
    if (id === 'two-steps') return twoStepsRow(arena, perDay, guess)
    if (id === 'top-k-utility') return topKRow(arena, perDay)
    const strategy = pricedPolicy(id, arena.patterns)
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

/** Calibrates a run and keeps the tally of the best one, so that it need not be repeated. */
function calibratedRow(
  arena: Arena,
  id: string,
  perDay: number,
  usual: number,
  guess: Guess,
  run: (knob: number, tally: Tally) => void,
  aimWithin?: number,
): PolicyRow {
  const { world, measureFromMs } = arena
  const target = budgetOf(arena, perDay)
  const tallies = new Map<number, Tally>()
  const requestsAt = (knob: number) => {
    const tally = new Tally(measureFromMs, world.endMs, arena.items)
    run(knob, tally)
    tallies.set(knob, tally)
    return tally.requests
  }
  const { knob, met } = calibrate(requestsAt, guess.from(usual), target, aimWithin)
  guess.learnt(usual, knob)
  return rowOf(id, tallies.get(knob)!, knob, met ? undefined : `no factor makes it spend ${target} requests`)
}

function pricedRow(arena: Arena, strategy: AnyPricedStrategy, perDay: number, guess: Guess): PolicyRow {
  const { world, seed } = arena
  const count = world.sources.length
  const usual = strategy.firstPrice(count, { requests: perDay * count, perMs: DAY_MS })
  const mostRequests = 5 * budgetOf(arena, perDay)
  const run = (price: number, tally: Tally, among = world) =>
    runPriced({ world: among, strategy, price, seed, mostRequests }, tally)
  guess.learnt(usual, roughPrice(arena, perDay, guess.from(usual), run))
  return calibratedRow(arena, strategy.id, perDay, usual, guess, run)
}

/** At one price sources do not depend on each other: a part of them finds about the price that all of them need. */
function roughPrice(
  arena: Arena,
  perDay: number,
  first: number,
  run: (price: number, tally: Tally, among: SimWorld) => void,
): number {
  const { world, measureFromMs } = arena
  const sources = world.sources.filter((_, index) => index % ONE_IN === 0)
  if (sources.length < FEWEST_SAMPLED) return first
  const requestsAt = (price: number) => {
    const tally = new Tally(measureFromMs, world.endMs)
    run(price, tally, { ...world, sources })
    return tally.requests
  }
  const target = (budgetOf(arena, perDay) * sources.length) / world.sources.length
  return calibrate(requestsAt, first, target, ROUGHLY).knob
}

const ONE_IN = 6
const FEWEST_SAMPLED = 20
const ROUGHLY = 0.02

/** As published it may spend more or less than b, so b is calibrated outside it; the knob is 1/b. */
function twoStepsRow(arena: Arena, perDay: number, guess: Guess): PolicyRow {
  const { world } = arena
  const cycleMs = cycleFor(perDay)
  const usual = DAY_MS / cycleMs / (perDay * world.sources.length)
  const run = (knob: number, tally: Tally) =>
    runTwoSteps({ world, estimator: onlineEstimator(), cycleMs, budgetPerCycle: 1 / knob }, tally)
  // A little more or less b moves its requests up and down by half a per cent: there is nothing finer to find.
  return calibratedRow(arena, 'two-steps', perDay, usual, guess, run, EQUAL_WITHIN)
}

function topKRow(arena: Arena, perDay: number): PolicyRow {
  const { world, measureFromMs } = arena
  const cycleMs = cycleFor(perDay)
  const budgetPerCycle = (perDay * world.sources.length * cycleMs) / DAY_MS
  const tally = new Tally(measureFromMs, world.endMs, arena.items)
  runTopK({ world, estimator: onlineEstimator(), cycleMs, budgetPerCycle }, tally)
  return rowOf('top-k-utility', tally, null, undefined)
}

function clairvoyantRow(arena: Arena, perDay: number): PolicyRow {
  const { world, measureFromMs } = arena
  const requests = budgetOf(arena, perDay)
  const outcome = clairvoyant(world, { fromMs: measureFromMs, toMs: world.endMs, requests, keepWindow: false })
  const tally = new Tally(measureFromMs, world.endMs, arena.items)
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

export function rowOf(policy: string, tally: Tally, price: number | null, note: string | undefined): PolicyRow {
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
    ...(note === undefined ? {} : { note }),
  }
}
