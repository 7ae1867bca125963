import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MemberReport, PriceBoard } from '../../src/cluster/prices.ts'
import { type DurationMs, HOUR_MS, MINUTE_MS } from '../../src/model/index.ts'

/** An empty board, whose clock the test moves. */
export interface OpenPrices {
  readonly prices: PriceBoard
  pass(ms: DurationMs): Promise<void>
  end(): Promise<void>
}

export interface PricesAdapter {
  readonly name: string
  open(): Promise<OpenPrices>
}

const price = (value: number) => ({
  price: value,
  isLow: false,
  strategy: 'uniform',
  periodMs: MINUTE_MS,
  byHour: [value, 0, 2.5],
  payers: [{ id: 4, price: 1.5 * value, isLow: true, perMs: 0.25, demand: 7.5, sources: 12 }],
})
const report = (spent: number): MemberReport => ({
  spent,
  waiting: 3,
  leastWaiting: 1,
  sources: 100,
  exploring: false,
  payers: [{ id: 4, part: 1, spent, waiting: 3, leastWaiting: 1, saved: -0.5, sources: 100, exploring: false }],
})

/** Rules that hold for wherever a price is posted. */
export function describePrices({ name, open }: PricesAdapter): void {
  describe(`the board of ${name}`, () => {
    let opened: OpenPrices
    let prices: PriceBoard
    beforeEach(async () => {
      opened = await open()
      prices = opened.prices
    })
    afterEach(() => opened.end())

    it('is empty at first', async () => {
      expect(await prices.read()).toBeNull()
      expect(await prices.reports(HOUR_MS)).toEqual([])
      expect(await prices.report('a', report(0))).toBeNull()
    })

    it('shows the last price to whoever reads and whoever reports', async () => {
      await prices.setPrice(price(5), 1)
      await prices.setPrice({ ...price(6), isLow: true }, 1)
      const posted = { ...price(6), isLow: true, revision: 2, ageMs: 0 }
      expect(await prices.read()).toEqual(posted)
      expect(await prices.report('a', report(1))).toEqual(posted)
      await opened.pass(HOUR_MS)
      expect((await prices.read())?.ageMs).toBeCloseTo(HOUR_MS)
    })

    it('takes no price of one whose lease another has now', async () => {
      expect(await prices.setPrice(price(5), 7)).toBe(true)
      expect(await prices.setPrice(price(6), 8)).toBe(true)
      expect(await prices.setPrice(price(1), 7)).toBe(false)
      expect(await prices.setPrice(price(7), 8)).toBe(true)
      expect(await prices.read()).toMatchObject({ price: 7, revision: 3 })
    })

    it('keeps the last report of each member, with its age', async () => {
      await prices.report('a', report(1))
      await prices.report('b', report(2))
      await opened.pass(MINUTE_MS)
      await prices.report('b', report(5))
      const reports = await prices.reports(HOUR_MS)
      expect(reports.map(({ memberId, spent, ageMs }) => [memberId, spent, Math.round(ageMs)])).toEqual([
        ['a', 1, MINUTE_MS],
        ['b', 5, 0],
      ])
      expect(reports[1]).toMatchObject({ ...report(5) })
      expect((await prices.reports(MINUTE_MS / 2)).map(({ memberId }) => memberId)).toEqual(['b'])
    })
  })
}
