import { linearRegression, linearRegressionLine, rSquared } from 'simple-statistics'
import { entryAt } from '../../../src/model/entry-at.ts'
import { euclideanTree, outdegrees, type Points, randomPoints, type SourceTree } from '../../../src/network/index.ts'
import { seededRandom } from '../../../src/runtime/random.ts'

export interface SpaceShape {
  readonly alpha: number
  readonly rootReaders: number
  readonly mostReaders: number
  readonly hubs: number
  readonly leafShare: number
  readonly meanHops: number
  readonly meanEdge: number
  /** Nodes with at least k readers, k = 1, 2, … */
  readonly atLeast: readonly number[]
  /** How straight the tail is on two logarithmic axes (power law), and on one (exponential): R². */
  readonly powerLawFit: number
  readonly exponentialFit: number
}

export interface Drawing {
  readonly x: readonly number[]
  readonly y: readonly number[]
}

export function pointsOf(nodes: number, seed: number): Points {
  return randomPoints(nodes, seededRandom(seed))
}

export function shapeOf(points: Points, alpha: number, hubReaders: number): { shape: SpaceShape; tree: SourceTree } {
  const tree = euclideanTree(points, alpha)
  const degrees = outdegrees(tree)
  const nodes = degrees.length
  const mostReaders = degrees.reduce((most, degree) => Math.max(most, degree), 0)
  const atLeast = countsAtLeast(degrees, mostReaders)
  const share = (count: number) => count / nodes
  return {
    tree,
    shape: {
      alpha,
      rootReaders: entryAt(degrees, 0),
      mostReaders,
      hubs: degrees.reduce((count, degree) => count + (degree >= hubReaders ? 1 : 0), 0),
      leafShare: share(nodes - (atLeast[0] ?? 0)),
      meanHops: tree.hops.reduce((sum, hops) => sum + hops, 0) / Math.max(1, nodes - 1),
      meanEdge: meanEdge(points, tree),
      atLeast,
      powerLawFit: straightness(atLeast, Math.log),
      exponentialFit: straightness(atLeast, (readers) => readers),
    },
  }
}

function countsAtLeast(degrees: Int32Array, most: number): number[] {
  const counts = new Array<number>(most).fill(0)
  for (const degree of degrees) if (degree > 0) counts[degree - 1] = (counts[degree - 1] ?? 0) + 1
  for (let k = most - 2; k >= 0; k--) counts[k] = (counts[k] ?? 0) + entryAt(counts, k + 1)
  return counts
}

function meanEdge(points: Points, tree: SourceTree): number {
  let sum = 0
  for (let node = 1; node < tree.parents.length; node++) {
    const parent = entryAt(tree.parents, node)
    sum += Math.hypot(
      entryAt(points.x, node) - entryAt(points.x, parent),
      entryAt(points.y, node) - entryAt(points.y, parent),
    )
  }
  return sum / Math.max(1, tree.parents.length - 1)
}

/**
 * R² of the logarithm of the counts. Points are taken at distinct counts only, the largest k of each, so that the long
 * flat steps of a few great hubs do not outweigh all others.
 */
function straightness(atLeast: readonly number[], scale: (readers: number) => number): number {
  const points = atLeast.flatMap((count, index) =>
    count !== atLeast[index + 1] ? [[scale(index + 1), Math.log(count)]] : [],
  )
  if (points.length < 3) return 0
  return rSquared(points, linearRegressionLine(linearRegression(points)))
}

/** The edges among the first nodes: what the tree was when it had so many. */
export function drawing(points: Points, tree: SourceTree, nodes: number): Drawing {
  const x: number[] = []
  const y: number[] = []
  for (let node = 1; node < Math.min(nodes, tree.parents.length); node++) {
    for (const end of [entryAt(tree.parents, node), node]) {
      x.push(Math.round(entryAt(points.x, end) * 1e3) / 1e3)
      y.push(Math.round(entryAt(points.y, end) * 1e3) / 1e3)
    }
  }
  return { x, y }
}
