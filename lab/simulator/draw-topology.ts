import {
  coverage,
  growTopology,
  jaccardDistance,
  randomProfile,
  type SubscriptionGraph,
} from '../../src/network/index.ts'
import { seededRandom } from '../../src/runtime/random.ts'

const DICTIONARY = 20

/** Query feeds of nodes that read sources or each other, by the topology of thesis 1.6.2 over random profiles. */
export function drawTopology({
  nodes,
  sources,
  alpha,
  seed,
}: {
  readonly nodes: number
  readonly sources: number
  readonly alpha: number
  readonly seed: number
}): SubscriptionGraph {
  const random = seededRandom(seed)
  const draw = (count: number, share: number) =>
    Array.from({ length: count }, () => randomProfile(DICTIONARY, share, random))
  const profiles = { sources: draw(sources, 0.5), queries: draw(nodes, 0.4) }
  return growTopology({ ...profiles, distance: jaccardDistance, breadth: coverage }, { alpha, radius: 1 }).graph
}
