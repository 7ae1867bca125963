import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { reach } from './reach.ts'
import { type FeedKind, inputsOfAggregator, levels, reachingSources, subscriptionGraph } from './subscription-graph.ts'

const S: FeedKind = 'source'
const Q: FeedKind = 'query'

/** Two sources; 2 reads both, 3 reads 1, 4 reads 2 and 3. */
function example() {
  const outcome = subscriptionGraph(
    [S, S, Q, Q, Q],
    [
      { from: 2, to: 4 },
      { from: 0, to: 2 },
      { from: 1, to: 2 },
      { from: 1, to: 3 },
      { from: 3, to: 4 },
      { from: 3, to: 4 },
    ],
  )
  if (!outcome.ok) throw new Error(outcome.problem.kind)
  return outcome.graph
}

describe('subscription graph (Definition 1.6.1)', () => {
  it('knows what each feed reads, who reads it, how far it is and where its items come from', () => {
    const graph = example()
    expect(graph.inputs).toEqual([[], [], [0, 1], [1], [2, 3]])
    expect(graph.readers).toEqual([[2], [2, 3], [4], [4], []])
    expect(graph.subscriptions).toHaveLength(5)
    expect(levels(graph)).toEqual([0, 0, 1, 1, 2])
    expect(reachingSources(graph)).toEqual([[0], [1], [0, 1], [1], [0, 1]])
  })

  it('gives the feeds that an aggregator of several queries refreshes', () => {
    expect(inputsOfAggregator(example(), [2, 3])).toEqual([0, 1])
    expect(inputsOfAggregator(example(), [3, 4])).toEqual([1, 2])
  })

  it.each([
    { name: 'a feed that is not there', to: 9, problem: { kind: 'unknown-feed', feed: 9 } },
    { name: 'a source that reads', to: 0, problem: { kind: 'source-with-input', feed: 0 } },
    { name: 'a feed that reads itself', to: 1, problem: { kind: 'cycle', feeds: [1, 2] } },
  ])('refuses $name', ({ to, problem }) => {
    const outcome = subscriptionGraph(
      [S, Q, Q],
      [
        { from: 1, to },
        { from: 1, to: 2 },
      ],
    )
    expect(outcome).toEqual({ ok: false, problem })
  })

  it('puts every feed after its inputs, or reports a cycle', () => {
    const edge = fc.record({ from: fc.nat({ max: 7 }), to: fc.integer({ min: 2, max: 7 }) })
    fc.assert(
      fc.property(fc.array(edge, { maxLength: 14 }), (edges) => {
        const outcome = subscriptionGraph([S, S, Q, Q, Q, Q, Q, Q], edges)
        if (!outcome.ok) {
          expect(outcome.problem.kind).toBe('cycle')
          if (outcome.problem.kind !== 'cycle') return
          // Each of them waits for another of them.
          const { feeds } = outcome.problem
          for (const feed of feeds) expect(edges.some(({ from, to }) => to === feed && feeds.includes(from))).toBe(true)
          return
        }
        const { order } = outcome.graph
        expect([...order].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
        for (const { from, to } of edges) expect(order.indexOf(from)).toBeLessThan(order.indexOf(to))
      }),
    )
  })
})

describe('reach of keywords', () => {
  it('ends where a feed on the way does not want them, unless another way is open', () => {
    const bits = (...values: number[]) => Uint8Array.from(values)
    const profiles = [bits(1, 1, 0), bits(1, 1, 1), bits(1, 0, 0), bits(0, 1, 1), bits(1, 1, 1)]
    const graph = example()
    // From 0 only keyword 0 gets through feed 2.
    expect(reach(graph, profiles, [{ source: 0, query: 4 }])).toEqual({ interested: 2, delivered: 1 })
    // From 1 keyword 0 comes through feed 2, the others through feed 3.
    expect(reach(graph, profiles, [{ source: 1, query: 4 }])).toEqual({ interested: 3, delivered: 3 })
    expect(reach(graph, profiles, [{ source: 0, query: 2 }])).toEqual({ interested: 1, delivered: 1 })
  })
})
