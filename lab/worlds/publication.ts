import { entryAt } from '../../src/model/entry-at.ts'
import type { DurationMs, InstantMs } from '../../src/model/index.ts'
import { burstSlots, constantSlots, poissonSlots, type Slots, type WorldPublication } from './publication-slots.ts'
import { ORIGIN_MS, peakWeights, waveWeights, weeklyIntensity } from './weekly-intensity.ts'

/** When a feed publishes. Hours are UTC; rates are means over a whole week. */
export type PublicationSpec =
  | { readonly kind: 'silent' }
  /** Homogeneous Poisson: the *uniform* shape of thesis 6.3. */
  | { readonly kind: 'poisson'; readonly ratePerDay: number }
  /** Periodic Poisson with the daily wave of people at work. */
  | {
      readonly kind: 'waves'
      readonly ratePerDay: number
      readonly peakHour?: number
      /** 1: silent at the opposite hour; 0: flat. */
      readonly depth?: number
      /** Rate of Saturday and Sunday against that of a weekday. */
      readonly weekendShare?: number
    }
  /** Nearly everything in one or two hours of the day, as robots publish. */
  | { readonly kind: 'peaks'; readonly ratePerDay: number; readonly hours: readonly number[]; readonly leak?: number }
  /** Any periodic rate: 24 or 168 weights (Monday 00:00 first). */
  | { readonly kind: 'profile'; readonly ratePerDay: number; readonly weights: readonly number[] }
  /** A cluster process: bursts start at random, each brings many items that get rarer. Mix it with a cyclic part. */
  | {
      readonly kind: 'bursts'
      readonly burstsPerDay: number
      readonly itemsPerBurst: number
      readonly burstMs: DurationMs
    }
  /** Like a clock; `jitter` is the share of the interval by which an item may be late. */
  | {
      readonly kind: 'constant'
      readonly intervalMs: DurationMs
      readonly phaseMs?: DurationMs
      readonly jitter?: number
    }
  | { readonly kind: 'mixture'; readonly parts: readonly PublicationSpec[] }
  /** One behaviour until a moment, then another: the artificial source of thesis 7.3.2. The last has no end. */
  | {
      readonly kind: 'sequence'
      readonly phases: readonly { readonly spec: PublicationSpec; readonly untilMs: InstantMs }[]
    }
  /** Given moments, ascending: a trace. */
  | { readonly kind: 'times'; readonly times: Float64Array; readonly shiftMs?: DurationMs }

export type { WorldPublication } from './publication-slots.ts'

/**
 * All publications of one feed from ORIGIN_MS to the end of time, made on demand: every answer costs time in proportion
 * to the items taken from it, not to the time that has passed.
 */
export interface Publications {
  /** At or before `until`, newest first. */
  newestFirst(until: InstantMs): Iterable<WorldPublication>
  /** In (from, to], oldest first. */
  between(from: InstantMs, to: InstantMs): Iterable<WorldPublication>
}

export function publications(spec: PublicationSpec, seed: number, feedIndex: number): Publications {
  return build(spec, seed, feedIndex, '')
}

/** The moments alone, in (fromMs, toMs]. */
export function* publicationTimes(
  spec: PublicationSpec,
  fromMs: InstantMs,
  toMs: InstantMs,
  seed: number,
  feedIndex: number,
): Generator<InstantMs> {
  for (const publication of publications(spec, seed, feedIndex).between(fromMs, toMs)) yield publication.at
}

/** First publication after a moment; Infinity if there is none before `horizon`. */
export function nextPublicationAt(source: Publications, after: InstantMs, horizon: InstantMs): InstantMs {
  for (const publication of source.between(after, horizon)) return publication.at
  return Number.POSITIVE_INFINITY
}

function build(spec: PublicationSpec, seed: number, feedIndex: number, path: string): Publications {
  const stream = { seed, feedIndex, path }
  switch (spec.kind) {
    case 'silent':
      return { newestFirst: () => [], between: () => [] }
    case 'poisson':
      return fromSlots(poissonSlots(weeklyIntensity(spec.ratePerDay, [1]), stream), spec.ratePerDay > 0)
    case 'waves': {
      const weights = waveWeights(spec.peakHour ?? 13, spec.depth ?? 0.9, spec.weekendShare ?? 1)
      return fromSlots(poissonSlots(weeklyIntensity(spec.ratePerDay, weights), stream), spec.ratePerDay > 0)
    }
    case 'peaks': {
      const weights = peakWeights(spec.hours, spec.leak ?? 0.02)
      return fromSlots(poissonSlots(weeklyIntensity(spec.ratePerDay, weights), stream), spec.ratePerDay > 0)
    }
    case 'profile':
      return fromSlots(poissonSlots(weeklyIntensity(spec.ratePerDay, spec.weights), stream), spec.ratePerDay > 0)
    case 'bursts':
      return fromSlots(burstSlots(spec, stream), spec.burstsPerDay > 0 && spec.itemsPerBurst > 0)
    case 'constant':
      return fromSlots(constantSlots(spec, stream), true)
    case 'mixture':
      return mixture(spec.parts.map((part, index) => build(part, seed, feedIndex, `${path}${index}.`)))
    case 'sequence':
      return sequence(
        spec.phases.map((phase, index) => ({
          source: build(phase.spec, seed, feedIndex, `${path}${index}.`),
          untilMs: index === spec.phases.length - 1 ? Number.POSITIVE_INFINITY : phase.untilMs,
        })),
      )
    case 'times':
      return givenTimes(spec.times, spec.shiftMs ?? 0, path)
  }
}

function compareByTime(a: WorldPublication, b: WorldPublication): number {
  return a.at - b.at || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)
}

function fromSlots(slots: Slots, productive: boolean): Publications {
  if (!productive) return { newestFirst: () => [], between: () => [] }
  return {
    *newestFirst(until) {
      let waiting: WorldPublication[] = []
      for (let slot = slots.slotAt(until); slot >= 0; slot--) {
        for (const publication of slots.items(slot)) if (publication.at <= until) waiting.push(publication)
        waiting.sort(compareByTime)
        // What earlier slots hold is not later than this; so everything above it is final.
        const settledAbove = slots.startOf(slot) + slots.overhangMs
        while (waiting.length > 0 && waiting.at(-1)!.at > settledAbove) yield waiting.pop()!
      }
      waiting = waiting.reverse()
      yield* waiting
    },
    *between(from, to) {
      if (to <= from) return
      let waiting: WorldPublication[] = []
      const last = slots.slotAt(to)
      for (let slot = Math.max(0, slots.slotAt(from - slots.overhangMs)); slot <= last; slot++) {
        for (const publication of slots.items(slot)) {
          if (publication.at > from && publication.at <= to) waiting.push(publication)
        }
        waiting.sort(compareByTime)
        const settledBelow = slots.startOf(slot + 1)
        const open = waiting.findIndex((publication) => publication.at >= settledBelow)
        const settled = open < 0 ? waiting : waiting.slice(0, open)
        waiting = open < 0 ? [] : waiting.slice(open)
        yield* settled
      }
      yield* waiting
    },
  }
}

function mixture(parts: readonly Publications[]): Publications {
  return {
    newestFirst: (until) =>
      merge(
        parts.map((part) => part.newestFirst(until)),
        (a, b) => compareByTime(b, a),
      ),
    between: (from, to) =>
      merge(
        parts.map((part) => part.between(from, to)),
        compareByTime,
      ),
  }
}

function* merge(
  inputs: readonly Iterable<WorldPublication>[],
  order: (a: WorldPublication, b: WorldPublication) => number,
): Generator<WorldPublication> {
  const heads = inputs
    .map((input) => {
      const iterator = input[Symbol.iterator]()
      return { iterator, next: iterator.next() }
    })
    .filter((head) => !head.next.done)
  while (heads.length > 0) {
    const first = heads.reduce((best, head) => (order(head.next.value, best.next.value) < 0 ? head : best))
    yield first.next.value
    first.next = first.iterator.next()
    if (first.next.done) heads.splice(heads.indexOf(first), 1)
  }
}

function sequence(phases: readonly { readonly source: Publications; readonly untilMs: InstantMs }[]): Publications {
  const startOf = (index: number) => (index === 0 ? ORIGIN_MS : entryAt(phases, index - 1).untilMs)
  return {
    *newestFirst(until) {
      for (let index = phases.length - 1; index >= 0; index--) {
        for (const publication of entryAt(phases, index).source.newestFirst(
          Math.min(until, entryAt(phases, index).untilMs),
        )) {
          if (publication.at <= startOf(index)) break
          yield publication
        }
      }
    },
    *between(from, to) {
      for (let index = 0; index < phases.length; index++) {
        const { source, untilMs } = entryAt(phases, index)
        yield* source.between(Math.max(from, startOf(index)), Math.min(to, untilMs))
      }
    },
  }
}

function givenTimes(times: Float64Array, shiftMs: DurationMs, path: string): Publications {
  const at = (index: number): WorldPublication => ({ at: (times[index] ?? 0) + shiftMs, key: `${path}t${index}` })
  return {
    *newestFirst(until) {
      for (let index = countUntil(times, until - shiftMs) - 1; index >= 0; index--) yield at(index)
    },
    *between(from, to) {
      for (let index = countUntil(times, from - shiftMs); index < times.length && at(index).at <= to; index++) {
        yield at(index)
      }
    },
  }
}

/** How many of the ascending times are at or before the moment. */
function countUntil(times: Float64Array, moment: InstantMs): number {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((times[middle] ?? 0) <= moment) low = middle + 1
    else high = middle
  }
  return low
}
