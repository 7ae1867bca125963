import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../runtime/random.ts'
import { euclideanTree, randomPoints } from './euclidean.ts'
import { coverage, jaccardDistance, type KeywordProfile, randomProfile } from './keyword-profile.ts'
import { growTopology, growTree, outdegrees } from './topology.ts'

const nodesFrom = (seed: number, sources: number, queries: number) => {
  const random = seededRandom(seed)
  const draw = (count: number, share: number) => Array.from({ length: count }, () => randomProfile(10, share, random))
  return {
    sources: draw(sources, 0.5),
    queries: draw(queries, 0.4),
    distance: jaccardDistance,
    breadth: (profile: KeywordProfile) => coverage(profile),
  }
}

const size = fc.record({
  seed: fc.nat({ max: 1_000 }),
  sources: fc.integer({ min: 1, max: 4 }),
  queries: fc.integer({ min: 0, max: 40 }),
  alpha: fc.double({ min: 0, max: 60, noNaN: true }),
  radius: fc.double({ min: 0, max: 1, noNaN: true }),
})

describe('the tree of a source (1.6.2)', () => {
  // The root at the origin; three feeds far from it, one step apart from each other.
  const POINTS = [
    [4, 0],
    [4, 1],
    [4, 2],
  ] as const
  const at = (node: number) => (node < 0 ? ([0, 0] as const) : POINTS[node]!)
  const distance = (a: number, b: number) => Math.hypot(at(a)[0] - at(b)[0], at(a)[1] - at(b)[1])

  it.each([
    { alpha: 0.2, parents: [-1, 0, 0, 0], shape: 'a star: no gain in likeness is worth a hop' },
    { alpha: 0.5, parents: [-1, 0, 1, 1], shape: 'a hub: 1 + 0.5 × 2 at the first feed, 2 + 0.5 × 1 at the second' },
    { alpha: 3, parents: [-1, 0, 1, 2], shape: 'a chain of neighbours: 1 + 3 × 2 against 2 + 3 × 1' },
  ])('at α = $alpha is $shape', ({ alpha, parents }) => {
    const tree = growTree([0, 1, 2], distance, { alpha, radius: 100 })
    expect([...tree.parents]).toEqual(parents)
  })

  it('takes only feeds within the radius of the root, the border included', () => {
    const tree = growTree([0, 1, 2], distance, { alpha: 3, radius: Math.hypot(4, 1) })
    expect([...tree.members]).toEqual([-1, 0, 1])
    expect([...tree.hops]).toEqual([0, 1, 2])
    expect([...outdegrees(tree)]).toEqual([1, 1, 0])
  })

  it('gives every arrival the member that the formula names, the first of equal ones', () => {
    fc.assert(
      fc.property(fc.nat({ max: 500 }), fc.double({ min: 0, max: 40, noNaN: true }), (seed, alpha) => {
        const points = randomPoints(30, seededRandom(seed))
        const tree = euclideanTree(points, alpha)
        for (let node = 1; node < 30; node++) {
          const costs = Array.from({ length: node }, (_, other) => {
            const length = Math.hypot(points.x[other]! - points.x[node]!, points.y[other]! - points.y[node]!)
            return tree.hops[other]! + alpha * length
          })
          const chosen = tree.parents[node]!
          expect(costs[chosen]).toBeLessThanOrEqual(Math.min(...costs) + 1e-12)
          expect(tree.hops[node]).toBe(tree.hops[chosen]! + 1)
        }
      }),
      { numRuns: 40 },
    )
  })
})

describe('the topology over several sources', () => {
  it('is acyclic, and each feed within the radius of a source is in its tree with one parent', () => {
    fc.assert(
      fc.property(size, ({ seed, sources, queries, alpha, radius }) => {
        const nodes = nodesFrom(seed, sources, queries)
        const { trees, graph } = growTopology(nodes, { alpha, radius })
        for (const [index, tree] of trees.entries()) {
          const within = nodes.queries.filter((query) => jaccardDistance(nodes.sources[index]!, query) <= radius)
          expect(tree.members.length).toBe(1 + within.length)
          expect(new Set(tree.members).size).toBe(tree.members.length)
          for (let node = 1; node < tree.parents.length; node++) {
            expect(tree.parents[node]).toBeGreaterThanOrEqual(0)
            expect(tree.parents[node]).toBeLessThan(node)
          }
        }
        expect(graph.order).toHaveLength(sources + queries)
      }),
      { numRuns: 60 },
    )
  })

  it('lets broad queries join before narrow ones, equal ones in the given order', () => {
    const nodes = nodesFrom(4, 1, 60)
    const [tree] = growTopology(nodes, { alpha: 5, radius: 1 }).trees
    const joined = [...tree!.members].slice(1)
    const expected = [...nodes.queries.keys()].sort(
      (a, b) => coverage(nodes.queries[b]!) - coverage(nodes.queries[a]!) || a - b,
    )
    expect(joined).toEqual(expected)
  })

  it('is the same from the same seed', () => {
    const grow = () => growTopology(nodesFrom(9, 3, 50), { alpha: 6, radius: 0.8 })
    expect(grow()).toEqual(grow())
  })
})
