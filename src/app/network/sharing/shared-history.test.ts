import { describe, expect, it } from 'vitest'
import { HOUR_MS, type Observation } from '../../../model/index.ts'
import { joinedHistory } from './shared-history.ts'

const BASE = { lostAtLeast: 0, notModified: false, bytes: 100, latencyMs: 10 }

/** An item an hour; looked at every five hours, each time with what is new. */
const theirs = (looks: number, everyHours = 1) =>
  Array.from({ length: looks }, (_, look) => {
    const at = 5 * (look + 1) * HOUR_MS
    const hours = Array.from({ length: 5 }, (_unused, k) => 5 * look + k + 1).filter((hour) => hour % everyHours === 0)
    const itemTimes = hours.map((hour) => hour * HOUR_MS)
    const previousAt = look === 0 ? null : 5 * look * HOUR_MS
    const overlap = look === 0 ? ('first' as const) : ('some' as const)
    return { ...BASE, previousAt, at, newItems: itemTimes.length, windowSize: 20, overlap, itemTimes }
  })

/** Looks once a day at nothing for so many hours, then at an item an hour. */
function afterSilence(hours: number) {
  const silent = Array.from({ length: hours / 24 }, (_, day) => {
    const [previousAt, at] = [24 * day * HOUR_MS, 24 * (day + 1) * HOUR_MS]
    return { ...BASE, previousAt, at, newItems: 0, windowSize: 20, overlap: 'some' as const, itemTimes: [] as number[] }
  })
  const shift = hours * HOUR_MS
  const later = theirs(10).map((one) => ({
    ...one,
    at: one.at + shift,
    previousAt: (one.previousAt ?? 0) + shift,
    itemTimes: one.itemTimes.map((time) => time + shift),
  }))
  return [...silent, ...later]
}

/** The first look of our own: the items of the last 20 hours. */
function own(atHour: number): Observation {
  const itemTimes = Array.from({ length: 20 }, (_, k) => (atHour - 19 + k) * HOUR_MS)
  return {
    ...BASE,
    sourceId: 7,
    previousAt: null,
    at: atHour * HOUR_MS,
    newItems: 20,
    windowSize: 20,
    overlap: 'first',
    itemTimes,
  }
}

describe('what a trusted node has seen of a source that is new here', () => {
  it('is learnt before what was seen here, as if one had seen it all', () => {
    const past = joinedHistory(theirs(10), [own(52)], 60 * HOUR_MS) ?? []
    expect(past.map(({ at }) => at / HOUR_MS)).toEqual([5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 52])
    expect(past.at(-1)).toMatchObject({ sourceId: 7, previousAt: 50 * HOUR_MS, newItems: 2, overlap: 'some' })
    expect(past.flatMap(({ itemTimes }) => itemTimes)).toHaveLength(52)
  })

  it('counts only up to the first look here', () => {
    const past = joinedHistory(theirs(20), [own(52)], 200 * HOUR_MS) ?? []
    expect(past.map(({ at }) => at / HOUR_MS).slice(-2)).toEqual([50, 52])
  })

  it.each([
    ['that says less than half of what the first document shows', theirs(10, 5)],
    ['that begins after it', theirs(30).slice(20)],
    ['that is empty', []],
    ['from the future', theirs(10).map((one) => ({ ...one, at: one.at + 1e15 }))],
    ['out of order', theirs(10).toReversed()],
    ['with items seen before they were there', theirs(10).map((one) => ({ ...one, itemTimes: [one.at + 1] }))],
  ])('is not believed %s', (_, past) => {
    expect(joinedHistory(past, [own(52)], 60 * HOUR_MS)).toBeNull()
  })

  it('is not believed where it makes up long silence before what the first document shows', () => {
    const shift = 180 * 24
    const before = [...afterSilence(shift)]
    const hour = (at: number) => (shift + at) * HOUR_MS
    expect(joinedHistory(before, [own(shift + 52)], hour(60))).toBeNull()
    expect(joinedHistory(before.slice(-10), [own(shift + 52)], hour(60))).not.toBeNull()
  })

  it('is not believed where the first document has no dates to judge by', () => {
    expect(joinedHistory(theirs(10), [{ ...own(52), itemTimes: [] }], 60 * HOUR_MS)).toBeNull()
  })
})
