import type { Random } from '../../src/model/index.ts'
import type { PerSource } from './source-tally.ts'

/** How much less one policy keeps items waiting than another, with a 95 % interval. 0.2: a fifth less. */
export interface Gain {
  readonly gain: number
  readonly low: number
  readonly high: number
}

const DRAWS = 1_000

/**
 * 1 − (mean delay of `ours`)/(mean delay of `other`) over all items; the interval by drawing sources with replacement
 * (paired: both policies saw the same sources), since items of one source are not independent of each other.
 */
export function gainOver(ours: PerSource, other: PerSource, random: Random, among?: readonly number[]): Gain {
  const sources = among ?? Array.from(ours.items.keys())
  const gainOf = (pick: (k: number) => number) => {
    let mine = 0
    let theirs = 0
    for (let k = 0; k < sources.length; k++) {
      const source = pick(k)
      mine += ours.delayMs[source]!
      theirs += other.delayMs[source]!
    }
    return theirs > 0 ? 1 - mine / theirs : 0
  }
  const draws = new Float64Array(DRAWS)
  for (let draw = 0; draw < DRAWS; draw++) {
    draws[draw] = gainOf(() => sources[Math.floor(random() * sources.length)]!)
  }
  draws.sort()
  return {
    gain: gainOf((k) => sources[k]!),
    low: draws[Math.floor(0.025 * DRAWS)]!,
    high: draws[Math.floor(0.975 * DRAWS)]!,
  }
}
