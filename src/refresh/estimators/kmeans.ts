import type { Random } from '../../model/index.ts'

export interface Clusters {
  readonly centroids: readonly (readonly number[])[]
  /** Cluster of each vector. */
  readonly assignment: readonly number[]
  /** Sum of squared distances to the centroids. */
  readonly inertia: number
}

/**
 * K-means (SCC07 4.3.1) by Lloyd's iteration from k-means++ seeds: the first at random, each next one with a chance in
 * proportion to its squared distance from the seeds so far. The same numbers from `random` give the same clusters.
 */
export function kMeans(
  vectors: readonly (readonly number[])[],
  options: { readonly k: number; readonly random: Random; readonly maxIterations?: number },
): Clusters {
  let centroids = seeds(vectors, Math.min(options.k, vectors.length), options.random)
  let assignment = assign(vectors, centroids)
  for (let iteration = 0; iteration < (options.maxIterations ?? 100); iteration++) {
    centroids = means(vectors, assignment, centroids)
    const next = assign(vectors, centroids)
    const settled = next.every((cluster, index) => cluster === assignment[index])
    assignment = next
    if (settled) break
  }
  let inertia = 0
  vectors.forEach((vector, index) => {
    inertia += squaredDistance(vector, centroids[assignment[index]!]!)
  })
  return { centroids, assignment, inertia }
}

function nearest(vector: readonly number[], centroids: readonly (readonly number[])[]): number {
  let best = 0
  let bestDistance = Number.POSITIVE_INFINITY
  centroids.forEach((centroid, index) => {
    const distance = squaredDistance(vector, centroid)
    if (distance < bestDistance) {
      best = index
      bestDistance = distance
    }
  })
  return best
}

function squaredDistance(a: readonly number[], b: readonly number[]): number {
  let sum = 0
  for (let index = 0; index < a.length; index++) sum += (a[index]! - b[index]!) ** 2
  return sum
}

function assign(vectors: readonly (readonly number[])[], centroids: readonly (readonly number[])[]): number[] {
  return vectors.map((vector) => nearest(vector, centroids))
}

function seeds(vectors: readonly (readonly number[])[], k: number, random: Random): (readonly number[])[] {
  if (k <= 0) return []
  const chosen = [vectors[Math.floor(random() * vectors.length)]!]
  const distances = vectors.map((vector) => squaredDistance(vector, chosen[0]!))
  while (chosen.length < k) {
    const next = vectors[pickByWeight(distances, random)]!
    chosen.push(next)
    vectors.forEach((vector, index) => {
      distances[index] = Math.min(distances[index]!, squaredDistance(vector, next))
    })
  }
  return chosen
}

/** An index with a chance in proportion to its weight; any of them where all weights are zero. */
function pickByWeight(weights: readonly number[], random: Random): number {
  let total = 0
  for (const weight of weights) total += weight
  let remaining = random() * total
  if (total === 0) return Math.floor(random() * weights.length)
  for (let index = 0; index < weights.length; index++) {
    remaining -= weights[index]!
    if (remaining < 0) return index
  }
  return weights.length - 1
}

function means(
  vectors: readonly (readonly number[])[],
  assignment: readonly number[],
  before: readonly (readonly number[])[],
): (readonly number[])[] {
  const sums = before.map((centroid) => new Array<number>(centroid.length).fill(0))
  const sizes = new Array<number>(before.length).fill(0)
  vectors.forEach((vector, index) => {
    const cluster = assignment[index]!
    const sum = sums[cluster]!
    sizes[cluster] = sizes[cluster]! + 1
    for (let dimension = 0; dimension < vector.length; dimension++)
      sum[dimension] = sum[dimension]! + vector[dimension]!
  })
  // A cluster that lost all its members keeps its place; with k-means++ that is rare and harmless.
  return sums.map((sum, cluster) =>
    sizes[cluster]! > 0 ? sum.map((value) => value / sizes[cluster]!) : before[cluster]!,
  )
}
