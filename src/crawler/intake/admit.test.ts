import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS, type DayIntake, dayOf, HOUR_MS, type ItemKey, type WindowEntry } from '../../model/index.ts'
import { deduplicate, prepare } from '../dedup/deduplicate.ts'
import { parseFeed } from '../parse/parse.ts'
import { admit, type IntakeDecision } from './admit.ts'
import { firstIntakeLimit, intakeLimitOf } from './allowance.ts'

const START = Date.UTC(2026, 2, 1)

/** Items by number, newest first, dated by it. */
function documentOf(numbers: readonly number[]) {
  const items = [...numbers]
    .sort((a, b) => b - a)
    .map((n) => `<item><guid>g${n}</guid><title>t${n}</title><pubDate>${dateOf(n)}</pubDate></item>`)
  const text = `<rss version="2.0"><channel><title>t</title>${items.join('')}</channel></rss>`
  return parseFeed(Buffer.from(text), { contentType: null, url: 'https://a.example/' }).items
}
const dateOf = (n: number) => new Date(START + n * 1_000).toUTCString()

/** What the pipeline does with a document, and what it remembers. */
class Reader {
  readonly archive = new Map<ItemKey, string>()
  readonly titles: string[] = []
  readonly days: DayIntake[] = []
  window: readonly WindowEntry[] = []
  dailyAllowance: number | 'off'
  #isFirst = true

  constructor(dailyAllowance: number | 'off') {
    this.dailyAllowance = dailyAllowance
  }

  read(numbers: readonly number[], at: number): IntakeDecision {
    const prepared = prepare(documentOf(numbers), this.window, this.#isFirst)
    const dedup = deduplicate(prepared, this.archive, { guidChanges: 0, sinceLastMs: HOUR_MS })
    const day = dayOf(at)
    const limit = this.#isFirst ? firstIntakeLimit(day) : intakeLimitOf(this, this.days, day)
    const admitted = admit(dedup, limit, { lastWindow: this.window, guidChanges: 0, at })
    const { dedup: admittedDedup, refusal } = admitted
    for (const { key, contentHash, item } of admittedDedup.added) {
      this.archive.set(key, contentHash)
      this.titles.push(item.title!)
    }
    if (!this.#isFirst)
      this.#count({ day, taken: admittedDedup.added.length, repaired: 0, refused: refusal?.items ?? 0 })
    this.window = admittedDedup.window
    this.#isFirst = false
    return admitted
  }

  #count(one: DayIntake): void {
    const at = this.days.findIndex(({ day }) => day === one.day)
    const { taken = 0, refused = 0 } = this.days[at] ?? {}
    const sum = { ...one, taken: taken + one.taken, refused: refused + one.refused }
    if (at < 0) this.days.push(sum)
    else this.days[at] = sum
  }
}

const stories = fc.record({
  allowance: fc.integer({ min: 0, max: 8 }),
  first: fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 12 }),
  polls: fc.array(
    fc.record({ hours: fc.integer({ min: 0, max: 40 }), numbers: fc.array(fc.nat(60), { maxLength: 12 }) }),
    { maxLength: 12 },
  ),
})

describe('items of a document', () => {
  it('are never taken beyond the allowance of a day after the first fetch, and never twice', () => {
    fc.assert(
      fc.property(stories, ({ allowance, first, polls }) => {
        const reader = new Reader(allowance)
        reader.read(first, START)
        expect(reader.titles).toHaveLength(new Set(first).size)
        let at = START
        for (const { hours, numbers } of polls) {
          at += hours * HOUR_MS
          reader.read(numbers, at)
        }
        for (const { taken } of reader.days) expect(taken).toBeLessThanOrEqual(allowance)
        expect(new Set(reader.titles).size).toBe(reader.titles.length)
      }),
    )
  })

  it('are all taken when the allowance is lifted, and whatever was refused before and is still shown', () => {
    fc.assert(
      fc.property(stories, ({ allowance, first, polls }) => {
        const reader = new Reader(allowance)
        reader.read(first, START)
        for (const { hours, numbers } of polls) reader.read(numbers, START + hours * HOUR_MS)
        reader.dailyAllowance = 'off'
        const last = polls.at(-1)?.numbers ?? []
        expect(reader.read(last, START + 2 * DAY_MS).refusal).toBeNull()
        for (const n of last) expect(reader.titles).toContain(`t${n}`)
      }),
    )
  })

  it('that are still shown come in on the days after, the newest first', () => {
    const reader = new Reader(3)
    reader.read([0], START)
    const all = [0, 1, 2, 3, 4, 5, 6, 7]
    for (let day = 0; day < 3; day++) reader.read(all, START + day * DAY_MS + 1)
    expect(reader.titles).toEqual(['t0', 't5', 't6', 't7', 't2', 't3', 't4', 't1'])
  })

  it('that are refused are no loss, and leave something known for the next look', () => {
    const reader = new Reader(2)
    reader.read([1, 2, 3], START)
    const some = reader.read([11, 12, 13], START + 1)
    expect(some.dedup).toMatchObject({ overlap: 'some', added: [{ item: { id: 'g12' } }, { item: { id: 'g13' } }] })
    expect(some.refusal).toEqual({ at: START + 1, items: 1, allowance: 2, until: START + DAY_MS })
    const none = reader.read([21, 22], START + 2)
    expect(none.dedup).toMatchObject({ overlap: 'some', added: [], window: some.dedup.window })
  })
})
