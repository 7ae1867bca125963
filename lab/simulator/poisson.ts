import type { Random } from '../../src/model/index.ts'

/** Times of a homogeneous Poisson process in [from, to), `rate` items per unit of the same time. */
export function poissonTimes(rate: number, from: number, to: number, random: Random): Float64Array {
  const times: number[] = []
  if (rate > 0) {
    const gap = () => -Math.log(1 - random()) / rate
    for (let at = from + gap(); at < to; at += gap()) times.push(at)
  }
  return Float64Array.from(times)
}
