import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HOUR_MS, type LossEstimate } from '../model/index.ts'
import { seededRandom } from '../runtime/random.ts'
import { estimateLoss } from './loss.ts'

const DAY = 24 * HOUR_MS

/** A day without a look: of all that was published in it, the window still shows the last few. */
function afterADay(times: readonly number[], windowSize: number): LossEstimate {
  const visible = times.slice(-windowSize)
  return estimateLoss({ previousAt: 0, at: DAY, newItems: visible.length, times: visible, usualPerHour: null })!
}

function uniformTimes(count: number, seed: number): number[] {
  const random = seededRandom(seed)
  // The first numbers of neighbouring seeds are alike.
  for (let skip = 0; skip < 20; skip++) random()
  return Array.from({ length: count }, () => random() * DAY).sort((a, b) => a - b)
}

function poissonTimes(perDay: number, seed: number): number[] {
  const random = seededRandom(seed)
  for (let skip = 0; skip < 20; skip++) random()
  const times: number[] = []
  for (let at = 0; ; ) {
    at += (-Math.log(1 - random()) * DAY) / perDay
    if (at > DAY) return times
    times.push(at)
  }
}

const seeds = Array.from({ length: 200 }, (_, index) => index + 1)

describe('items lost between two refreshes', () => {
  it('of an even publisher are right within one, wherever in its rhythm the refresh falls', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.001, max: 0.999, noNaN: true }),
        fc.integer({ min: 12, max: 300 }),
        fc.integer({ min: 4, max: 11 }),
        (phase, published, windowSize) => {
          const times = Array.from({ length: published }, (_, index) => ((index + phase) * DAY) / published)
          const { items, atLeast, atMost } = afterADay(times, windowSize)
          expect(Math.abs(items - (published - windowSize))).toBeLessThanOrEqual(1)
          expect(atLeast).toBeLessThanOrEqual(published - windowSize)
          expect(atMost).toBeGreaterThanOrEqual(published - windowSize)
        },
      ),
    )
  })

  it('25 published, window of 10, at random moments: the mean of 200 is within 2 of 15, and the range is honest', () => {
    const estimates = seeds.map((seed) => afterADay(uniformTimes(25, seed), 10))
    const mean = estimates.reduce((sum, { items }) => sum + items, 0) / estimates.length
    expect(Math.abs(mean - 15)).toBeLessThan(2)
    const covered = estimates.filter(({ atLeast, atMost }) => atLeast <= 15 && 15 <= atMost).length
    expect(covered / estimates.length).toBeGreaterThan(0.84)
    expect(covered / estimates.length).toBeLessThan(1)
  })

  it.each([
    [25, 10],
    [100, 20],
    [60, 20],
    [18, 5],
  ])('Poisson, %i a day, window of %i: no bias, and nine ranges of ten hold the truth', (perDay, windowSize) => {
    const runs = seeds.map((seed) => poissonTimes(perDay, seed)).filter((times) => times.length > windowSize)
    const results = runs.map((times) => ({ lost: times.length - windowSize, ...afterADay(times, windowSize) }))
    const bias = results.reduce((sum, { items, lost }) => sum + items - lost, 0) / results.length
    expect(Math.abs(bias)).toBeLessThan(2 + perDay / 50)
    const covered = results.filter(({ lost, atLeast, atMost }) => atLeast <= lost && lost <= atMost).length
    expect(covered / results.length).toBeGreaterThan(0.83)
  })

  it('is nothing where the oldest item seen came right after the last look', () => {
    const times = Array.from({ length: 10 }, (_, index) => 1 + index * HOUR_MS)
    expect(estimateLoss({ previousAt: 0, at: DAY, newItems: 10, times, usualPerHour: null })).toMatchObject({
      items: 0,
      atLeast: 0,
    })
  })

  it('is estimated from the usual rate where dates say nothing, with a wide range', () => {
    const loss = estimateLoss({ previousAt: 0, at: DAY, newItems: 10, times: [], usualPerHour: 2 })
    expect(loss).toMatchObject({ items: 38, basis: 'rate' })
    expect(loss!.atLeast).toBeLessThan(25)
    expect(loss!.atMost).toBeGreaterThan(60)
  })

  it.each([
    ['no dates and no past', { times: [], usualPerHour: null }],
    ['all dated the same, and no past', { times: Array(10).fill(5), usualPerHour: null }],
    ['dates for some only, and no past', { times: [1, 2, 3], usualPerHour: null }],
  ])('is not claimed with %s', (_, facts) => {
    expect(estimateLoss({ previousAt: 0, at: DAY, newItems: 10, ...facts })).toBeNull()
  })

  it('is in its range also where next to nothing was expected and thousands came', () => {
    const loss = estimateLoss({ previousAt: 0, at: HOUR_MS, newItems: 9_000, times: [], usualPerHour: 1 })!
    expect(loss).toMatchObject({ items: 0, atLeast: 0, atMost: 0 })
  })

  it('is a number in its range whatever the dates', () => {
    const instants = fc.array(fc.integer({ min: 0, max: DAY }), { minLength: 3, maxLength: 40 })
    fc.assert(
      fc.property(instants, (unsorted) => {
        const times = [...unsorted].sort((a, b) => a - b)
        const loss = estimateLoss({ previousAt: 0, at: DAY, newItems: times.length, times, usualPerHour: 1 })!
        expect(loss.atLeast).toBeGreaterThanOrEqual(0)
        expect(loss.atLeast).toBeLessThanOrEqual(loss.atMost)
        expect(loss.items).toBeGreaterThanOrEqual(0)
        expect(Number.isFinite(loss.items + loss.atMost)).toBe(true)
      }),
    )
  })
})
