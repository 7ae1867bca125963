import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NaiveEngine } from '../../lab/measures/naive-engine.ts'
import { arrival } from '../../test/support/arrival-arbitrary.ts'
import { joinedQuery } from '../../test/support/query-arbitrary.ts'
import { MINUTE_MS } from '../model/index.ts'
import { type FeedArrival, type FeedMatch, QueryEngine } from './engine.ts'
import type { Arrival } from './item/arrival.ts'
import type { FeedQuery } from './language/ast.ts'

const FEEDS = 8
const START = Date.UTC(2024, 5, 1)
const detect = (text: string) => (text.includes('iceland') ? 'is' : text.length % 2 === 0 ? 'en' : '')

/** Feed number i may read, and join, the registered source `alpha` and the feeds before it. */
const queryOf = (i: number) => joinedQuery(['alpha', ...Array.from({ length: i }, (_, j) => `f${j}`)])

type Step =
  | { readonly kind: 'set'; readonly feed: number; readonly query: FeedQuery }
  | { readonly kind: 'drop'; readonly feed: number }
  | { readonly kind: 'item'; readonly arrival: Arrival; readonly afterMinutes: number }
  | { readonly kind: 'edit'; readonly arrival: Arrival; readonly back: number }
  | { readonly kind: 'restart' }

const set = fc.nat(FEEDS - 1).chain((feed) => queryOf(feed).map((query): Step => ({ kind: 'set', feed, query })))
const drop = fc.nat(FEEDS - 1).map((feed): Step => ({ kind: 'drop', feed }))
// Refreshes run side by side: an item may be stored a little after one that was seen later.
const item = fc
  .tuple(arrival, fc.integer({ min: -5, max: 50 }))
  .map(([one, afterMinutes]): Step => ({ kind: 'item', arrival: one, afterMinutes }))
const edit = fc.tuple(arrival, fc.nat(12)).map(([one, back]): Step => ({ kind: 'edit', arrival: one, back }))
const restart = fc.constant<Step>({ kind: 'restart' })

/** The engine and its specification side by side. */
class Both {
  private engine = new QueryEngine({ detectLanguage: detect })
  private readonly naive = new NaiveEngine(detect)
  private readonly queries = new Map<string, FeedQuery>()
  private readonly items: FeedArrival[] = []
  private now = START
  pairs = 0
  matches = 0
  joined = 0

  run(step: Step): void {
    switch (step.kind) {
      case 'set':
        this.set(`f${step.feed}`, step.query)
        return
      case 'drop':
        this.queries.delete(`f${step.feed}`)
        expect(this.engine.remove(`f${step.feed}`)).toBe(this.naive.remove(`f${step.feed}`))
        this.fill()
        return
      case 'item':
        this.now += step.afterMinutes * MINUTE_MS
        this.process(this.toArchive(step.arrival, this.items.length + 1, this.now))
        return
      case 'edit': {
        const before = this.items.at(-1 - step.back)
        if (before === undefined) return
        const { seq, firstSeenAt } = before.item
        // Identity stays, and so does the source.
        this.process({ ...this.toArchive(step.arrival, seq, firstSeenAt), source: before.source })
        return
      }
      case 'restart':
        this.engine = new QueryEngine({ detectLanguage: detect })
        for (const [name, query] of this.queries) this.engine.set(name, query)
        this.fill()
    }
  }

  set(name: string, query: FeedQuery): void {
    this.queries.set(name, query)
    this.engine.set(name, query)
    this.naive.set(name, query)
    this.fill()
  }

  private toArchive({ item: input, source }: Arrival, seq: number, firstSeenAt: number): FeedArrival {
    return { item: { ...input, seq, firstSeenAt, sortAt: firstSeenAt }, source }
  }

  private process(arrival: FeedArrival): void {
    this.items[arrival.item.seq - 1] = arrival
    const expected = byFeed(this.naive.process(arrival))
    expect(byFeed(this.engine.process(arrival))).toEqual(expected)
    this.pairs += this.queries.size
    this.matches += expected.length
    this.joined += expected.filter(({ joined }) => joined.length > 0).length
  }

  /** As the pipeline does from the archive and the feeds in the store. */
  private fill(): void {
    if (this.engine.unfilled().length === 0) return
    const archive = [...this.naive.archive()]
    // Best in order, but any will do.
    if (archive.length % 2 === 1) archive.reverse()
    for (const one of archive) this.engine.remember(one)
    this.engine.markFilled()
    expect(this.engine.unfilled()).toEqual([])
  }
}

function byFeed(matches: readonly FeedMatch[]): FeedMatch[] {
  return [...matches].sort((a, b) => (a.feed < b.feed ? -1 : 1))
}

describe('the engine and its specification agree', () => {
  it('on filters, joins and DISTINCT over cascaded feeds: 20,000 pairs and more', () => {
    const totals = { pairs: 0, matches: 0, joined: 0 }
    const queries = fc.tuple(...Array.from({ length: FEEDS }, (_, i) => queryOf(i)))
    const items = fc.array(fc.oneof({ weight: 9, arbitrary: item }, { weight: 1, arbitrary: edit }), {
      minLength: 20,
      maxLength: 40,
    })
    fc.assert(
      fc.property(queries, items, (feedQueries, steps) => {
        const both = new Both()
        for (const [i, query] of feedQueries.entries()) both.set(`f${i}`, query)
        for (const step of steps) both.run(step)
        totals.pairs += both.pairs
        totals.matches += both.matches
        totals.joined += both.joined
      }),
      { numRuns: 100 },
    )
    expect(totals.pairs).toBeGreaterThan(20_000)
    expect(totals.matches).toBeGreaterThan(totals.pairs / 20)
    expect(totals.joined).toBeGreaterThan(totals.matches / 10)
  })

  it('after random adding, altering, dropping and restarting while items flow', () => {
    const steps = fc.array(
      fc.oneof(
        { weight: 3, arbitrary: set },
        { weight: 1, arbitrary: drop },
        { weight: 6, arbitrary: item },
        { weight: 1, arbitrary: edit },
        { weight: 1, arbitrary: restart },
      ),
      { minLength: 20, maxLength: 80 },
    )
    fc.assert(
      fc.property(steps, (sequence) => {
        const both = new Both()
        for (const step of sequence) both.run(step)
      }),
      { numRuns: 100 },
    )
  })
})
