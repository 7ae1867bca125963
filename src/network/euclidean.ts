import type { Random } from '../model/index.ts'
import { growTree, type SourceTree } from './topology.ts'

/** Points of the unit square: x and y of each. */
export interface Points {
  readonly x: Float64Array
  readonly y: Float64Array
}

export function randomPoints(count: number, random: Random): Points {
  const x = new Float64Array(count)
  const y = new Float64Array(count)
  for (let k = 0; k < count; k++) {
    x[k] = random()
    y[k] = random()
  }
  return { x, y }
}

/**
 * The variant of Figure 1.6: nodes are points and distance is Euclidean. Point 0 is the root, the others arrive in their
 * order; there is no radius, since the figure shows one tree of all nodes.
 */
export function euclideanTree(points: Points, alpha: number): SourceTree {
  const { x, y } = points
  const arrivals = Array.from({ length: Math.max(0, x.length - 1) }, (_, k) => k + 1)
  const distance = (a: number, b: number) => {
    const from = Math.max(a, 0)
    const dx = (x[from] ?? 0) - (x[b] ?? 0)
    const dy = (y[from] ?? 0) - (y[b] ?? 0)
    return Math.sqrt(dx * dx + dy * dy)
  }
  return growTree(arrivals, distance, { alpha, radius: Number.POSITIVE_INFINITY })
}
