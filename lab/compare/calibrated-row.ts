import { DAY_MS, MINUTE_MS } from '../../src/model/index.ts'
import { Tally } from '../simulator/tally.ts'
import type { SimWorld } from '../simulator/world.ts'
import { type Arena, budgetOf } from './arena.ts'
import { calibrate } from './calibrate.ts'
import { elasticity, type KnobSpending } from './elasticity.ts'
import { measuredRow, newTally } from './measured-row.ts'
import { type ResumableRun, Stretch } from './stretch.ts'
import type { LearntPriceRow, MeasuredRow } from './types.ts'

/** The policy at one setting of its knob, from the beginning of the world. */
export type Begin = (knob: number) => ResumableRun

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

/** A run that spends so many times its budget is stopped. */
const FAR_ABOVE = 5

/**
 * Runs the policy at the knob that met the budget in the learning days, as it would have fared without hindsight; then
 * finds the one that spends as much as every other policy in the measured time. A run over everything is what costs: a
 * part of the sources is run first, scaled by what it spent of the run that is already there. Nothing is run twice: runs
 * go on where the learning days or the part of the sources ended.
 */
export function calibratedRow(arena: Arena, id: string, perDay: number, begin: Begin, search: Search): MeasuredRow {
  const { world } = arena
  const target = budgetOf(arena, perDay)
  const learnt = learntKnob(arena, perDay, begin, search)
  const { sources, endMs } = world
  const measured = new Stretch([arena.measureFromMs, endMs], sources, target, (knob) =>
    knob === learnt.knob ? learnt.course : begin(knob),
  )
  const requestsAt = (knob: number) => measured.requestsAt(knob, sources, FAR_ABOVE * target)
  const first = firstKnob(arena, learnt, requestsAt(learnt.knob), target, measured, search)
  const { knob, isMet } = calibrate(requestsAt, first, target, aimFor(target, search.aimWithin ?? AIM_WITHIN))
  const note = isMet ? undefined : `no factor makes it spend ${target} requests`
  const figures = measured.show(knob, newTally(arena))
  const { measureFromMs } = arena
  const atLearnt = knob === learnt.knob ? figures : measured.show(learnt.knob, new Tally(measureFromMs, endMs))
  return { ...measuredRow(id, figures, knob, note), learntPrice: learntPriceRow(atLearnt, learnt.knob, target) }
}

interface LearntKnob {
  readonly knob: number
  /** By how many per cent requests fall when the knob rises by one. */
  readonly fall: number
  /** At the end of the learning days. */
  readonly course: ResumableRun
}

/** The knob that meets the budget in the second of the learning weeks; the first is for learning. */
function learntKnob({ world, measureFromMs }: Arena, perDay: number, begin: Begin, search: Search): LearntKnob {
  const fromMs = (world.startMs + measureFromMs) / 2
  const targetOf = (sources: SimWorld['sources']) => (perDay * sources.length * (measureFromMs - fromMs)) / DAY_MS
  const learning = new Stretch([fromMs, measureFromMs], world.sources, targetOf(world.sources), begin)
  const spending: KnobSpending[] = []
  const find = (sources: SimWorld['sources'], first: number, within: number) => {
    const target = targetOf(sources)
    const requestsAt = (knob: number) => {
      const requests = learning.requestsAt(knob, sources, FAR_ABOVE * target)
      spending.push({ knob, share: requests / target })
      return requests
    }
    return calibrate(requestsAt, first, target, aimFor(target, within)).knob
  }
  const part = search.onPartFirst ? partOf(world) : null
  const rough = part === null ? search.usual : find(part, search.usual, ROUGHLY)
  const knob = find(world.sources, rough, LEARNT_WITHIN)
  return { knob, fall: elasticity(spending), course: learning.openRunAt(knob) }
}

function partOf(world: SimWorld): SimWorld['sources'] | null {
  const part = world.sources.filter((_, index) => index % ONE_IN === 0)
  return part.length < FEWEST_SAMPLED ? null : part
}

/** Where to look first for the knob of the measured time, from what a run at the learnt one spent. */
function firstKnob(
  arena: Arena,
  learnt: LearntKnob,
  atLearnt: number,
  target: number,
  measured: Stretch,
  search: Search,
): number {
  const share = atLearnt / target
  if (Math.abs(share - 1) <= aimFor(target, AIM_WITHIN)) return learnt.knob
  const guess = learnt.knob * share ** (1 / learnt.fall)
  const part = search.onPartFirst ? partOf(arena.world) : null
  if (part === null || Math.abs(share - 1) < ROUGHLY || !(atLearnt > 0)) return guess
  const spent = measured.requestsAt(learnt.knob, part, FAR_ABOVE * target)
  const partTarget = spent / share
  if (!(partTarget > 0)) return guess
  const requestsAt = (knob: number) => measured.requestsAt(knob, part, FAR_ABOVE * partTarget)
  return calibrate(requestsAt, guess, partTarget, aimFor(partTarget, AIM_WITHIN)).knob
}

function learntPriceRow(tally: Tally, price: number, target: number): LearntPriceRow {
  return {
    price,
    requests: tally.requests,
    drift: tally.requests / target - 1,
    meanDelayMinutes: tally.meanDelayMs / MINUTE_MS,
    lostShare: tally.items > 0 ? tally.lost / tally.items : 0,
  }
}
