import { DAY_MS, MINUTE_MS } from '../../src/model/index.ts'
import { Tally } from '../simulator/tally.ts'
import type { SimWorld } from '../simulator/world.ts'
import { type Arena, budgetOf } from './arena.ts'
import { calibrate } from './calibrate.ts'
import { elasticity, type Spent } from './elasticity.ts'
import { rowOf, tallyOf } from './measured-row.ts'
import type { SourceTally } from './source-tally.ts'
import type { LearntPriceRow, MeasuredRow } from './types.ts'

/** One run of a policy at one setting of its knob, in the world given. */
export type Run = (world: SimWorld, knob: number, mostRequests: number, tally: Tally) => void

export interface Search {
  /** The knob that the policy itself would start from. */
  readonly usual: number
  /** At one price sources do not depend on each other: a part of them finds about the price that all of them need. */
  readonly onPartFirst: boolean
  readonly aimWithin?: number
}

/** One source in so many is the part; and how near it has to come. */
const ONE_IN = 6
const FEWEST_SAMPLED = 20
const ROUGHLY = 0.02
/** Learning days are few: a finer price than this would be chance. */
const LEARNT_WITHIN = 0.005
const AIM_WITHIN = 0.002

/** Requests are whole. */
function aimFor(target: number, within: number): number {
  return Math.max(within, 1 / target)
}

/**
 * Runs the policy at the knob that met the budget in the learning days, as it would have fared without hindsight; then
 * finds the one that spends as much as every other policy in the measured time. A run over everything is what costs: a
 * part of the sources is asked first, scaled by what it spent of the run that is already there. No run is repeated.
 */
export function calibratedRow(arena: Arena, id: string, perDay: number, run: Run, search: Search): MeasuredRow {
  const target = budgetOf(arena, perDay)
  const tallies = new Map<number, SourceTally>()
  const tallyAt = (knob: number): SourceTally => {
    let tally = tallies.get(knob)
    if (tally === undefined) {
      tally = tallyOf(arena)
      run(arena.world, knob, 5 * target, tally)
      tallies.set(knob, tally)
    }
    return tally
  }
  const requestsAt = (knob: number) => tallyAt(knob).requests
  const learnt = learntKnob(arena, perDay, run, search)
  const first = firstKnob(arena, learnt, tallyAt(learnt.knob), target, run, search)
  const { knob, met } = calibrate(requestsAt, first, target, aimFor(target, search.aimWithin ?? AIM_WITHIN))
  const note = met ? undefined : `no factor makes it spend ${target} requests`
  return {
    ...rowOf(id, tallyAt(knob), knob, note),
    learntPrice: learntPriceRow(tallyAt(learnt.knob), learnt.knob, target),
  }
}

interface LearntKnob {
  readonly knob: number
  /** By how many per cent requests fall when the knob rises by one. */
  readonly fall: number
}

/** The knob that meets the budget in the second of the learning weeks; the first is for learning. */
function learntKnob({ world, measureFromMs }: Arena, perDay: number, run: Run, search: Search): LearntKnob {
  const fromMs = (world.startMs + measureFromMs) / 2
  const seen: Spent[] = []
  const find = (sources: SimWorld['sources'], first: number, within: number) => {
    const target = (perDay * sources.length * (measureFromMs - fromMs)) / DAY_MS
    const requestsAt = (knob: number) => {
      const tally = new Tally(fromMs, measureFromMs)
      run({ ...world, sources, endMs: measureFromMs }, knob, 5 * target, tally)
      seen.push({ knob, share: tally.requests / target })
      return tally.requests
    }
    return calibrate(requestsAt, first, target, aimFor(target, within)).knob
  }
  const part = search.onPartFirst ? partOf(world) : null
  const rough = part === null ? search.usual : find(part, search.usual, ROUGHLY)
  const knob = find(world.sources, rough, LEARNT_WITHIN)
  return { knob, fall: elasticity(seen) }
}

function partOf(world: SimWorld): SimWorld['sources'] | null {
  const part = world.sources.filter((_, index) => index % ONE_IN === 0)
  return part.length < FEWEST_SAMPLED ? null : part
}

/** Where to look first for the knob of the measured time, from what a run at the learnt one spent. */
function firstKnob(
  arena: Arena,
  learnt: LearntKnob,
  atLearnt: SourceTally,
  target: number,
  run: Run,
  search: Search,
): number {
  const share = atLearnt.requests / target
  if (Math.abs(share - 1) <= aimFor(target, AIM_WITHIN)) return learnt.knob
  const guess = learnt.knob * share ** (1 / learnt.fall)
  const part = search.onPartFirst ? partOf(arena.world) : null
  if (part === null || Math.abs(share - 1) < ROUGHLY || !(atLearnt.requests > 0)) return guess
  const spent = part.reduce((sum, { id }) => sum + atLearnt.perSource.requests[id]!, 0)
  const partTarget = spent / share
  if (!(partTarget > 0)) return guess
  const requestsAt = (knob: number) => {
    const tally = new Tally(arena.measureFromMs, arena.world.endMs)
    run({ ...arena.world, sources: part }, knob, 5 * partTarget, tally)
    return tally.requests
  }
  return calibrate(requestsAt, guess, partTarget, aimFor(partTarget, AIM_WITHIN)).knob
}

function learntPriceRow(tally: SourceTally, price: number, target: number): LearntPriceRow {
  return {
    price,
    requests: tally.requests,
    drift: tally.requests / target - 1,
    meanDelayMinutes: tally.meanDelayMs / MINUTE_MS,
    lostShare: tally.items > 0 ? tally.lost / tally.items : 0,
  }
}
