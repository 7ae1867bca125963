import { describe, expect, it } from 'vitest'
import { entryAt } from '../model/entry-at.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../model/index.ts'
import { savingPrice } from './saving-price.ts'

/** Sources that are due by the root of the price, four times as often by day as by night, under a token bucket of one day. */
function days(count: number, firstPrice: number, growth: (day: number) => number, firstSaved = 1_000) {
  const burst = 1_000
  const sources = 300
  const periodMs = 5 * MINUTE_MS
  const target = (burst * periodMs) / DAY_MS
  let price = firstPrice
  let saved = 0
  let bucket = firstSaved
  let level = 0
  let waiting = 0
  const spentByDay: number[] = []
  const prices: number[][] = []
  for (let at = 0; at < count * DAY_MS; at += periodMs) {
    const day = Math.floor(at / DAY_MS)
    const busy = 1 + 0.6 * Math.cos((2 * Math.PI * (at / HOUR_MS - 14)) / 24)
    bucket = Math.min(burst, bucket + target)
    const waitingBefore = waiting
    // A source waits only once.
    waiting = Math.min(sources, waiting + (growth(day) * target * busy) / Math.sqrt(price))
    const spent = Math.min(waiting, bucket)
    bucket -= spent
    waiting -= spent
    spentByDay[day] = (spentByDay[day] ?? 0) + spent
    ;(prices[day] ??= []).push(price)
    const demand = spent + waiting - waitingBefore
    const seen = { saved, inBucket: bucket, waiting, burst, target, periodMs, level, demand, sources }
    ;({ price, saved, level } = savingPrice(price, seen))
  }
  const spent = spentByDay.slice(14).reduce((sum, each) => sum + each, 0) / ((count - 14) * burst)
  const swing = Math.max(...prices.slice(14).map((own) => Math.max(...own) / Math.min(...own)))
  return { spent, swing, last: price, prices: prices.map((own) => entryAt(own, own.length - 1)) }
}

describe('the price where a day’s budget may be saved up', () => {
  it.each([
    ['far too low', 0.01],
    ['right', 1],
    ['far too high', 100],
  ])('spends the budget from a first price %s, and hardly moves within a day', (_name, firstPrice) => {
    const { spent, swing, last } = days(60, firstPrice, () => 1)
    expect(spent).toBeGreaterThan(0.98)
    expect(spent).toBeLessThan(1.02)
    expect(swing).toBeLessThan(1.5)
    expect(last).toBeGreaterThan(0.7)
    expect(last).toBeLessThan(1.4)
  })

  it.each([
    ['an empty bucket and a price far too low', 0.02, 0],
    ['a full one and a price far too high', 50, 1_000],
  ])('is there within two days from %s', (_name, firstPrice, firstSaved) => {
    const { prices } = days(20, firstPrice, () => 1, firstSaved)
    expect(entryAt(prices, 1)).toBeGreaterThan(0.5)
    expect(entryAt(prices, 1)).toBeLessThan(2.5)
  })

  it('follows sources that publish more and more', () => {
    const { spent, last } = days(120, 1, (day) => 1 + day / 120)
    expect(spent).toBeGreaterThan(0.97)
    expect(spent).toBeLessThan(1.02)
    expect(last).toBeGreaterThan(2.5)
  })
})
