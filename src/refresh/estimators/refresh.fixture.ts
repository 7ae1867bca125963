import type { InstantMs, Observation, Random } from '../../model/index.ts'

/** Items in the window of an invented source. */
export const WINDOW = 20

/** One refresh as the crawler would report it; unlisted fields are those of an ordinary answer. */
export function refresh(
  previousAt: InstantMs | null,
  at: InstantMs,
  newItems: number,
  more: Partial<Observation> = {},
): Observation {
  return {
    sourceId: 1,
    previousAt,
    at,
    newItems,
    windowSize: WINDOW,
    overlap: previousAt === null ? 'first' : 'some',
    lostAtLeast: 0,
    itemTimes: [],
    notModified: false,
    bytes: 1000,
    latencyMs: 50,
    ...more,
  }
}

/** A Poisson number (Knuth's product of uniforms; means up to a few hundred). */
export function poisson(mean: number, random: Random): number {
  const limit = Math.exp(-mean)
  let product = random()
  let count = 0
  while (product > limit) {
    product *= random()
    count++
  }
  return count
}
