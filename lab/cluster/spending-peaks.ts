import type { DurationMs } from '../../src/model/index.ts'

/** The most requests in any time of this length; the times of all, ascending. */
export function mostWithin(requests: Float64Array, spanMs: DurationMs): number {
  let most = 0
  let from = 0
  for (let to = 0; to < requests.length; to++) {
    while ((requests[to] ?? 0) - (requests[from] ?? 0) >= spanMs) from++
    most = Math.max(most, to - from + 1)
  }
  return most
}
