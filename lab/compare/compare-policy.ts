import { entryAt } from '../../src/model/entry-at.ts'
import { DAY_MS } from '../../src/model/index.ts'
import type { AnyPricedStrategy } from '../../src/refresh/strategy.ts'
import { clairvoyant } from '../simulator/clairvoyant.ts'
import { PricedSourceRun, runPriced } from '../simulator/priced-run.ts'
import { SourceRun } from '../simulator/source-run.ts'
import { countPublishedBy } from '../simulator/world.ts'
import { type Arena, budgetOf } from './arena.ts'
import { EQUAL_WITHIN } from './calibrate.ts'
import { calibratedRow } from './calibrated-row.ts'
import { cycleFor, topKCourse, twoStepsRun } from './cycle-policies.ts'
import { measuredRow, newTally } from './measured-row.ts'
import { maxIntervalOf, onlineEstimator, pricedPolicy, shippedPeer } from './policies.ts'
import type { MeasuredRow } from './types.ts'

/** One policy at one budget. It depends on nothing else, so that it can be stored and found again. */
export function comparePolicy(arena: Arena, id: string, perDay: number): MeasuredRow {
  if (id === 'clairvoyant') return clairvoyantRow(arena, perDay)
  if (id === 'two-steps') return twoStepsRow(arena, perDay)
  if (id === 'top-k-utility') return topKRow(arena, perDay)
  const peer = shippedPeer(id)
  if (peer !== null) return shippedRow(arena, id, peer)
  const strategy = pricedPolicy(id, arena.learnt)
  if (strategy === null) throw new Error(`no policy ${id}`)
  return pricedRow(arena, strategy, perDay)
}

function pricedRow(arena: Arena, strategy: AnyPricedStrategy, perDay: number): MeasuredRow {
  const count = arena.world.sources.length
  const usual = strategy.firstPrice(count, { requests: perDay * count, perMs: DAY_MS })
  const { world, seed } = arena
  const limits = maxIntervalOf(strategy.id)
  const begin = (price: number) => new PricedSourceRun({ world, strategy, price, seed, ...limits })
  return calibratedRow(arena, strategy.id, perDay, begin, { usual, onPartFirst: true })
}

/** Its intervals as they are (a factor of 1): what it spends is its own. */
function shippedRow(arena: Arena, id: string, peer: string): MeasuredRow {
  const strategy = pricedPolicy(peer, arena.learnt)
  if (strategy === null) throw new Error(`no peer ${peer}`)
  const tally = newTally(arena)
  runPriced({ world: arena.world, strategy, price: 1, seed: arena.seed }, tally)
  return measuredRow(id, tally, 1, 'its own number of requests')
}

/** As published it may spend more or less than b, so b is calibrated outside it; the knob is 1/b. */
function twoStepsRow(arena: Arena, perDay: number): MeasuredRow {
  const cycleMs = cycleFor(perDay)
  const usual = DAY_MS / cycleMs / (perDay * arena.world.sources.length)
  const { world } = arena
  const begin = (knob: number) =>
    twoStepsRun({ world, estimator: onlineEstimator(), cycleMs, budgetPerCycle: 1 / knob })
  // A little more or less b moves its requests up and down by half a per cent: there is nothing finer to find.
  return calibratedRow(arena, 'two-steps', perDay, begin, { usual, onPartFirst: false, aimWithin: EQUAL_WITHIN })
}

function topKRow(arena: Arena, perDay: number): MeasuredRow {
  const { world } = arena
  const cycleMs = cycleFor(perDay)
  const budgetPerCycle = (perDay * world.sources.length * cycleMs) / DAY_MS
  const tally = newTally(arena)
  const run = topKCourse({ world, estimator: onlineEstimator(), cycleMs, budgetPerCycle })
  run.goOn(world.sources, world.endMs, Number.POSITIVE_INFINITY, tally)
  return measuredRow('top-k-utility', tally, null, undefined)
}

function clairvoyantRow(arena: Arena, perDay: number): MeasuredRow {
  const { world, measureFromMs } = arena
  const requests = budgetOf(arena, perDay)
  const outcome = clairvoyant(world, { fromMs: measureFromMs, toMs: world.endMs, requests, keepWindow: false })
  const tally = newTally(arena)
  for (const [index, source] of world.sources.entries()) {
    const run = new SourceRun(source)
    // What was published while learning is fetched before the measure begins.
    run.refresh(measureFromMs - 1)
    for (const at of entryAt(outcome.polls, index)) {
      run.refresh(at)
      tally.refreshed(source, at, run.sight)
    }
    tally.ended(source, run.sight.to, countPublishedBy(source.times, world.endMs, run.sight.to))
  }
  const spare = outcome.requests < 0.995 * requests
  return measuredRow(
    'clairvoyant',
    tally,
    outcome.price,
    spare ? 'needs no more: every item is met when published' : undefined,
  )
}
