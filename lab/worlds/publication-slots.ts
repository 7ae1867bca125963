import { DAY_MS, type DurationMs, type InstantMs, type Random } from '../../src/model/index.ts'
import { hashWord, keyedRandom, poissonCount } from './keyed-random.ts'
import { ORIGIN_MS, type WeeklyIntensity, weeklyIntensity } from './weekly-intensity.ts'

/** One publication. The key names the item within its feed and never depends on when somebody looks. */
export interface WorldPublication {
  readonly at: InstantMs
  readonly key: string
}

/** Which stream of chance a slot draws from; `path` distinguishes the parts of a mixture. */
export interface RandomStreamKey {
  readonly seed: number
  readonly feedIndex: number
  readonly path: string
}

/**
 * A process cut into numbered slots, each made from its own seed. Slots follow the expected number of items, not the
 * clock: a Poisson process with cumulative rate Λ is a unit-rate process in the time Λ(t), so every slot holds the same
 * expected number of items however busy or quiet the feed is, and a window of W items is always a few slots away.
 */
export interface Slots {
  /** The last slot that can hold something at or before the moment. */
  slotAt(at: InstantMs): number
  /** Nothing of this or a later slot comes before it. */
  startOf(slot: number): InstantMs
  /** Ascending in slot order; at most `overhangMs` after the start of the next slot. */
  items(slot: number): readonly WorldPublication[]
  readonly overhangMs: DurationMs
}

const ITEMS_PER_SLOT = 8

export function poissonSlots(intensity: WeeklyIntensity, stream: RandomStreamKey): Slots {
  const part = hashWord(stream.path)
  return {
    overhangMs: 0,
    // Moments are cut to whole milliseconds, hence what belongs to `at` reaches up to at + 1.
    slotAt: (at) => Math.floor(intensity.massUntil(at + 1) / ITEMS_PER_SLOT),
    startOf: (slot) => Math.floor(intensity.momentOf(slot * ITEMS_PER_SLOT)),
    items(slot) {
      const random = keyedRandom(stream.seed, stream.feedIndex, part, slot)
      const masses = Array.from({ length: poissonCount(ITEMS_PER_SLOT, random) }, () => random()).sort((a, b) => a - b)
      return masses.map((mass, index) => ({
        at: Math.floor(intensity.momentOf((slot + mass) * ITEMS_PER_SLOT)),
        key: `${stream.path}${slot.toString(36)}-${index}`,
      }))
    },
  }
}

export interface BurstShape {
  readonly burstsPerDay: number
  readonly itemsPerBurst: number
  readonly burstMs: DurationMs
}

/** Bursts begin as a Poisson process; the items of one follow in ever longer gaps (exponential, cut at burstMs). */
export function burstSlots(shape: BurstShape, stream: RandomStreamKey): Slots {
  const part = hashWord(`${stream.path}bursts`)
  const starts = weeklyIntensity(shape.burstsPerDay, [1])
  return {
    overhangMs: shape.burstMs,
    slotAt: (at) => Math.floor(starts.massUntil(at + 1)),
    startOf: (slot) => Math.floor(starts.momentOf(slot)),
    items(slot) {
      const random = keyedRandom(stream.seed, stream.feedIndex, part, slot)
      const bursts = poissonCount(1, random)
      const times: number[] = []
      for (let burst = 0; burst < bursts; burst++) {
        times.push(...burstTimes(shape, starts.momentOf(slot + random()), random))
      }
      times.sort((a, b) => a - b)
      return times.map((at, index) => ({ at, key: `${stream.path}${slot.toString(36)}-${index}` }))
    },
  }
}

function burstTimes(shape: BurstShape, startAt: number, random: Random): number[] {
  // The number of items is geometric with at least one, so that bursts differ much in size.
  const endChance = 1 / Math.max(1, shape.itemsPerBurst)
  const size = endChance >= 1 ? 1 : 1 + Math.floor(Math.log(1 - random()) / Math.log(1 - endChance))
  const decayMs = shape.burstMs / 3
  const cut = 1 - Math.exp(-shape.burstMs / decayMs)
  return Array.from({ length: size }, () => Math.floor(startAt - decayMs * Math.log(1 - random() * cut)))
}

export interface ConstantShape {
  readonly intervalMs: DurationMs
  readonly phaseMs?: DurationMs
  readonly jitter?: number
}

export function constantSlots(shape: ConstantShape, stream: RandomStreamKey): Slots {
  const part = hashWord(stream.path)
  // Without a phase every feed of a world would publish at the same instant.
  const phaseMs =
    shape.phaseMs ?? keyedRandom(stream.seed, stream.feedIndex, part)() * Math.min(shape.intervalMs, DAY_MS)
  const startOf = (slot: number) => Math.floor(ORIGIN_MS + phaseMs + slot * shape.intervalMs)
  const jitterMs = (shape.jitter ?? 0) * shape.intervalMs
  return {
    overhangMs: 0,
    slotAt: (at) => Math.floor((at + 1 - ORIGIN_MS - phaseMs) / shape.intervalMs),
    startOf,
    items(slot) {
      const lateMs = jitterMs > 0 ? keyedRandom(stream.seed, stream.feedIndex, part, slot)() * jitterMs : 0
      return [
        {
          at: Math.floor(ORIGIN_MS + phaseMs + slot * shape.intervalMs + lateMs),
          key: `${stream.path}${slot.toString(36)}`,
        },
      ]
    },
  }
}
