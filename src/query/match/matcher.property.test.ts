import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arrival } from '../../../test/support/arrival-arbitrary.ts'
import { filterQuery } from '../../../test/support/query-arbitrary.ts'
import type { Arrival } from '../item/arrival.ts'
import type { FeedQuery } from '../language/ast.ts'
import { Matcher } from './matcher.ts'
import { matchesNaively } from './naive.ts'

const FEEDS = 10
const detect = (text: string) => (text.includes('iceland') ? 'is' : text.length % 2 === 0 ? 'en' : '')

/** Feed number i may read the registered source `alpha` and the feeds before it. */
const queryOf = (i: number) => filterQuery(['alpha', ...Array.from({ length: i }, (_, j) => `f${j}`)])

type Step =
  | { readonly kind: 'set'; readonly feed: number; readonly query: FeedQuery }
  | { readonly kind: 'drop'; readonly feed: number }
  | { readonly kind: 'item'; readonly arrival: Arrival }

const set = fc.nat(FEEDS - 1).chain((feed) => queryOf(feed).map((query): Step => ({ kind: 'set', feed, query })))
const drop = fc.nat(FEEDS - 1).map((feed): Step => ({ kind: 'drop', feed }))
const item = arrival.map((one): Step => ({ kind: 'item', arrival: one }))

/** What the specification says, feed by feed; `accepts` says what a join or DISTINCT would. */
function expected(
  queries: ReadonlyMap<string, FeedQuery>,
  arrived: Arrival,
  accepts: (id: string) => boolean,
): string[] {
  const known = new Map<string, boolean>()
  const inFeed = (name: string): boolean => {
    const query = queries.get(name)
    if (query === undefined) return false
    let answer = known.get(name)
    if (answer === undefined) {
      answer = matchesNaively(query, arrived, { inFeed, detect }) && accepts(name)
      known.set(name, answer)
    }
    return answer
  }
  return [...queries.keys()].filter(inFeed).sort()
}

describe('the matcher and the naive evaluator agree', () => {
  it('on ten queries and a hundred items, two hundred times over: 20,000 pairs and more', () => {
    let pairs = 0
    let matches = 0
    const queries = fc.tuple(...Array.from({ length: FEEDS }, (_, i) => queryOf(i)))
    fc.assert(
      fc.property(queries, fc.array(arrival, { minLength: 5, maxLength: 20 }), (feedQueries, items) => {
        const matcher = new Matcher({ detectLanguage: detect })
        const byId = new Map(feedQueries.map((query, i) => [`f${i}`, query]))
        for (const [id, query] of byId) matcher.add(id, query)
        for (const one of items) {
          const expectedIds = expected(byId, one, () => true)
          expect(matcher.match(one.item, one.source).sort()).toEqual(expectedIds)
          pairs += FEEDS
          matches += expectedIds.length
        }
      }),
      { numRuns: 250 },
    )
    expect(pairs).toBeGreaterThan(20_000)
    expect(matches).toBeGreaterThan(pairs / 10)
    expect(matches).toBeLessThan(pairs * 0.9)
  })

  it('after random adding, altering and dropping while items flow', () => {
    const steps = fc.array(
      fc.oneof({ weight: 3, arbitrary: set }, { weight: 1, arbitrary: drop }, { weight: 3, arbitrary: item }),
      {
        minLength: 20,
        maxLength: 80,
      },
    )
    fc.assert(
      fc.property(steps, fc.nat(FEEDS - 1), (sequence, refused) => {
        const matcher = new Matcher({ detectLanguage: detect })
        const queries = new Map<string, FeedQuery>()
        const accepts = (id: string) => id !== `f${refused}`
        for (const step of sequence) {
          if (step.kind === 'set') {
            queries.set(`f${step.feed}`, step.query)
            matcher.add(`f${step.feed}`, step.query)
          } else if (step.kind === 'drop') expect(matcher.remove(`f${step.feed}`)).toBe(queries.delete(`f${step.feed}`))
          else {
            const expectedIds = expected(queries, step.arrival, accepts)
            expect(matcher.match(step.arrival.item, step.arrival.source, accepts).sort()).toEqual(expectedIds)
          }
        }
        for (const id of queries.keys()) matcher.remove(id)
        expect(matcher.size).toEqual({ queries: 0, terms: 0, tests: 0, alwaysChecked: 0 })
      }),
      { numRuns: 150 },
    )
  })
})
