import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { GrantedAllowance } from '../../src/cluster/granted-allowance.ts'
import { type BudgetTerms, GRANT_WINDOW_MS, type GrantRequest, type GrantStore } from '../../src/cluster/grants.ts'
import { DAY_MS, type DurationMs, HOUR_MS, type InstantMs, MINUTE_MS, SECOND_MS } from '../../src/model/index.ts'
import { maxSaved } from '../../src/refresh/scheduler/local-allowance.ts'

/** A store without terms, whose clock the test moves. */
export interface OpenGrants {
  readonly grants: GrantStore
  now(): InstantMs
  pass(ms: DurationMs): Promise<void>
  end(): Promise<void>
}

export interface GrantsAdapter {
  readonly name: string
  /** Cases of a property: each step may be a round trip. */
  readonly cases: number
  open(): Promise<OpenGrants>
}

const PER_HOUR: BudgetTerms = { budget: { requests: 3_600, perMs: HOUR_MS }, factor: 1, burst: 100 }
const PER_MINUTE: BudgetTerms = { budget: { requests: 30, perMs: MINUTE_MS }, factor: 1, burst: 10 }
const TERMS: readonly BudgetTerms[] = [
  PER_HOUR,
  PER_MINUTE,
  { budget: { requests: 20, perMs: SECOND_MS }, factor: 1, burst: 5 },
  { budget: { requests: 24_000, perMs: DAY_MS }, factor: 1, burst: 250 },
  { budget: { requests: 100, perMs: HOUR_MS }, factor: 1.5, burst: 1 },
]

/** What a member does, so long after the step before. */
interface Step {
  readonly member: number
  readonly waitMs: DurationMs
  /** From the member to the store, and back. */
  readonly latencyMs: DurationMs
  readonly answerMs: DurationMs
  readonly isLost: boolean
  readonly wants: number
  /** Shares of what it has: while the answer is under way, and then. */
  readonly meanwhile: number
  readonly spends: number
}

const delayMs = fc.oneof(fc.constant(0), fc.nat(200), fc.nat(2 * GRANT_WINDOW_MS))
const step: fc.Arbitrary<Step> = fc.record({
  member: fc.nat(3),
  waitMs: fc.oneof(fc.nat(300), fc.nat(3_000), fc.nat(10 * MINUTE_MS)),
  latencyMs: delayMs,
  answerMs: delayMs,
  isLost: fc.boolean(),
  wants: fc.nat(60),
  meanwhile: fc.double({ min: 0, max: 0.5, noNaN: true }),
  spends: fc.double({ min: 0, max: 1, noNaN: true }),
})
const steps = fc.array(step, { minLength: 5, maxLength: 60 })

interface Spending {
  readonly at: InstantMs
  readonly cost: number
}

/** Rules that hold for whatever grants parts of one budget. */
export function describeGrants({ name, cases, open }: GrantsAdapter): void {
  describe(`grants of ${name}`, () => {
    let opened: OpenGrants
    let number = 0
    beforeEach(async () => {
      opened = await open()
    })
    afterEach(() => opened.end())
    const draw = (memberId: string, request: Partial<GrantRequest>) =>
      opened.grants.draw(memberId, { number: ++number, left: 0, back: 0, want: 0, least: 0, waitedMs: 0, ...request })

    it('gives nothing before somebody has said what may be spent', async () => {
      expect(await draw('a', { want: 1, least: 1 })).toBeNull()
      expect(await opened.grants.standing()).toBeNull()
    })

    it('gives what is there, and says when there will be more', async () => {
      await opened.grants.setTerms(PER_HOUR)
      expect(await draw('a', { want: 60, least: 1 })).toMatchObject({ amount: 60, retryAfterMs: 0, terms: PER_HOUR })
      const rest = await draw('b', { want: 60, least: 1 })
      expect(rest?.amount).toBeCloseTo(40)
      // One a second.
      expect(rest?.retryAfterMs).toBeCloseTo(1_000, -1)
      expect(await draw('c', { want: 5, least: 2 })).toMatchObject({ amount: 0 })
    })

    it('gives nothing rather than less than is of use', async () => {
      await opened.grants.setTerms(PER_HOUR)
      await draw('a', { want: 99.5, least: 0.5 })
      expect(await draw('b', { want: 3, least: 1 })).toMatchObject({ amount: 0, retryAfterMs: 500 })
      expect((await draw('b', { want: 3, least: 0.25 }))?.amount).toBeCloseTo(0.5)
    })

    it('gives what was given back to others, and what was spent to nobody', async () => {
      await opened.grants.setTerms(PER_HOUR)
      await draw('a', { want: 100, least: 1 })
      expect(await draw('a', { left: 10, back: 30 })).toMatchObject({ left: 10 })
      expect((await draw('b', { want: 100, least: 1 }))?.amount).toBeCloseTo(30)
      const standing = await opened.grants.standing()
      expect(standing?.spent).toBeCloseTo(60)
      expect(standing?.balance).toBeCloseTo(0)
      expect([...(standing?.outstanding ?? [])].map(([id, amount]) => [id, Math.round(amount)])).toEqual([
        ['a', 10],
        ['b', 30],
      ])
    })

    it('serves those first whose sources have waited longest', async () => {
      await opened.grants.setTerms(PER_HOUR)
      await draw('a', { want: 100, least: 1 })
      await draw('a', {})
      expect(await draw('late', { want: 5, least: 1, waitedMs: 10 })).toMatchObject({ amount: 0 })
      expect(await draw('early', { want: 1, least: 1, waitedMs: 900 })).toMatchObject({ amount: 0 })
      await opened.pass(SECOND_MS)
      expect(await draw('late', { want: 5, least: 1, waitedMs: 1_010 })).toMatchObject({ amount: 0 })
      expect(await draw('early', { want: 1, least: 1, waitedMs: 1_900 })).toMatchObject({ amount: 1 })
      await opened.pass(SECOND_MS)
      expect(await draw('late', { want: 5, least: 1, waitedMs: 2_010 })).toMatchObject({ amount: 1 })
    })

    it('does not wait for one that has asked and is not there any more', async () => {
      await opened.grants.setTerms(PER_HOUR)
      await draw('a', { want: 100, least: 1 })
      await draw('a', {})
      await draw('gone', { want: 5, least: 5, waitedMs: 900 })
      await opened.pass(5 * SECOND_MS)
      expect(await draw('late', { want: 5, least: 1, waitedMs: 10 })).toMatchObject({ amount: 0 })
      await opened.pass(2 * SECOND_MS)
      expect(await draw('late', { want: 5, least: 1, waitedMs: 2_010 })).toMatchObject({ amount: 5 })
    })

    it('counts what nobody accounts for as spent, and does not take it back later', async () => {
      await opened.grants.setTerms(PER_HOUR)
      await draw('a', { want: 100, least: 1 })
      await opened.pass(GRANT_WINDOW_MS)
      expect((await draw('b', { want: 1, least: 0 }))?.amount).toBeLessThanOrEqual(1)
      expect((await opened.grants.standing())?.spent).toBeCloseTo(100)
      expect(await draw('a', { left: 60, back: 40 })).toMatchObject({ left: 0 })
      expect((await opened.grants.standing())?.spent).toBeCloseTo(100)
    })

    it('knows a request that was overtaken, and does nothing for it', async () => {
      await opened.grants.setTerms(PER_HOUR)
      const late = ++number
      await draw('a', { want: 10, least: 1 })
      expect(await draw('a', { number: late, want: 10, least: 1 })).toMatchObject({ amount: 0, left: 0 })
      expect((await opened.grants.standing())?.outstanding.get('a')).toBeCloseTo(10)
    })

    it('counts a grant as spent whose answer was lost', async () => {
      await opened.grants.setTerms(PER_HOUR)
      await draw('a', { want: 10, least: 1 })
      await draw('a', { left: 10, want: 20, least: 1 })
      // It has heard of the first 10 only.
      await draw('a', { left: 10 })
      const standing = await opened.grants.standing()
      expect(standing?.outstanding.get('a')).toBeCloseTo(10)
      expect(standing?.spent).toBeCloseTo(20)
    })

    it('pays for what is dearer than all that may be saved up from a full bucket', async () => {
      await opened.grants.setTerms(PER_MINUTE)
      expect(await draw('a', { want: 15, least: 15 })).toMatchObject({ amount: 15 })
      await draw('a', {})
      await opened.pass(20 * SECOND_MS)
      expect((await draw('b', { want: 10, least: 0.1 }))?.amount).toBeCloseTo(5, 1)
    })

    it('follows another budget: what was saved stays within the new burst, and what was spent counts', async () => {
      await opened.grants.setTerms(PER_HOUR)
      await draw('a', { want: 20, least: 1 })
      await draw('a', {})
      const terms = { ...PER_HOUR, budget: { requests: 120, perMs: HOUR_MS }, burst: 40 }
      await opened.grants.setTerms(terms)
      const standing = await opened.grants.standing()
      expect(standing).toMatchObject({ terms, limit: { amount: 120, spanMs: HOUR_MS } })
      expect(standing?.balance).toBeCloseTo(40)
      expect(standing?.spent).toBeCloseTo(20)
      await opened.grants.setTerms({ ...terms, factor: 2 })
      expect(await opened.grants.standing()).toMatchObject({ limit: { amount: 240 } })
      expect((await draw('a', { want: 500, least: 1 }))?.amount).toBeCloseTo(40)
    })

    it('gives no more to many who draw at once than to one', async () => {
      await opened.grants.setTerms(PER_HOUR)
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, index) => draw(`member ${index}`, { want: 7, least: 1 })),
      )
      const sum = answers.reduce((total, answer) => total + (answer?.amount ?? 0), 0)
      expect(sum).toBeCloseTo(100)
    })

    it('never has more spent than the budget, whatever members draw, return, stall and lose', async () => {
      await fc.assert(
        fc.asyncProperty(steps, fc.constantFrom(...TERMS), async (given, terms) => {
          const one = await open()
          try {
            const spendings = await live(one, terms, given)
            expectWithin(spendings, terms)
          } finally {
            await one.end()
          }
        }),
        { numRuns: cases },
      )
    })

    it('would have more spent if members went on after the end of a grant', async () => {
      await opened.grants.setTerms(PER_HOUR)
      const first = await draw('a', { want: 100, least: 1 })
      // Cut off, it holds on to what it has, and another gets what the bucket earns meanwhile.
      await opened.pass(10 * MINUTE_MS)
      const second = await draw('b', { want: 100, least: 1 })
      const inOneSecond = (first?.amount ?? 0) + (second?.amount ?? 0)
      expect(inOneSecond).toBeGreaterThan(PER_HOUR.burst + 1)
    })
  })
}

/** Members that draw through the allowance of a scheduler, over a network that delays and loses. */
async function live(one: OpenGrants, terms: BudgetTerms, given: readonly Step[]): Promise<readonly Spending[]> {
  await one.grants.setTerms(terms)
  const spendings: Spending[] = []
  const members = Array.from({ length: 4 }, () => new GrantedAllowance({ terms, monotonicMs: one.now }))
  const spend = (allowance: GrantedAllowance, share: number) => {
    const cost = share * allowance.saved(one.now())
    if (!(cost > 0)) return
    allowance.spend(cost, one.now())
    spendings.push({ at: one.now(), cost })
  }
  for (const { member, waitMs, latencyMs, answerMs, isLost, wants, spends, meanwhile } of given) {
    const allowance = members[member]
    if (allowance === undefined) continue
    await one.pass(waitMs)
    // Never dearer than what may be saved up: that alone may be owed.
    if (wants > 0) allowance.affordableAt(Math.min(1, wants / 10), one.now())
    const sentAt = one.now()
    const request = allowance.request(sentAt)
    await one.pass(latencyMs)
    const answer = await one.grants.draw(`member ${member}`, { ...request, want: wants })
    spend(allowance, meanwhile)
    await one.pass(answerMs)
    if (answer !== null && !isLost) allowance.accept(answer, sentAt, one.now())
    spend(allowance, spends)
    for (const other of members) spend(other, spends / 2)
  }
  return spendings
}

function expectWithin(spendings: readonly Spending[], { budget, factor, burst }: BudgetTerms): void {
  const whole = { requests: budget.requests * factor, perMs: budget.perMs }
  const perMs = whole.requests / whole.perMs
  const most = Math.max(1, maxSaved(whole, burst))
  const within = (spanMs: number) =>
    Math.max(
      0,
      ...spendings.map(({ at: from }) =>
        spendings.reduce((sum, { at, cost }) => sum + (at >= from && at < from + spanMs ? cost : 0), 0),
      ),
    )
  expect(within(whole.perMs)).toBeLessThanOrEqual(whole.requests + 1e-5)
  expect(within(HOUR_MS)).toBeLessThanOrEqual(Math.ceil(HOUR_MS * perMs) + 1e-5)
  for (const spanMs of [1, SECOND_MS, 10 * SECOND_MS, MINUTE_MS]) {
    expect(within(spanMs)).toBeLessThanOrEqual(most + spanMs * perMs + 1e-5)
  }
}
