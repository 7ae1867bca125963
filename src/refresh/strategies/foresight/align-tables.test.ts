import fc from 'fast-check'
import { expect, it } from 'vitest'
import { alignTables } from './align-tables.ts'
import { FLAT_TABLES } from './tables.ts'

const shape = (length: number, peak: number) =>
  Array.from({ length }, (_, k) => (k === peak ? 0.5 : 0.5 / (length - 1)))
const tablesOf = (peaks: readonly number[]) => ({
  v: 1 as const,
  weeks: peaks.map((peak) => shape(48, peak)),
  minutes: peaks.map((peak) => shape(60, peak)),
})

it('shapes keep their numbers over a rebuild, whatever the order in which they are found', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray([5, 11, 17, 29, 40], { minLength: 5 }), (peaks) => {
      const before = tablesOf([0, 5, 11, 17, 29, 40])
      expect(alignTables(before, tablesOf([0, ...peaks]))).toEqual(before)
    }),
  )
})

it('more shapes than before, or fewer, all stay', () => {
  const before = tablesOf([0, 5, 11])
  expect(alignTables(before, tablesOf([0, 20, 11, 5]))).toEqual(tablesOf([0, 5, 11, 20]))
  expect(alignTables(tablesOf([0, 3, 5, 11]), tablesOf([0, 11]))).toEqual(tablesOf([0, 11]))
  expect(alignTables(FLAT_TABLES, tablesOf([1, 2, 3])).weeks).toHaveLength(3)
})

it('the first, the mean of all sources, stays the first', () => {
  const before = tablesOf([0, 5, 11])
  expect(alignTables(before, tablesOf([5, 0, 11])).weeks[0]).toEqual(shape(48, 5))
})
