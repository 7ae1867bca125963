import { describe, expect, it } from 'vitest'
import { loadPageWords } from '../../language/current.ts'
import { filterRows, parseFilter } from './filter.ts'
import { sortRows, tableData } from './table-data.ts'

await loadPageWords()

const HOUR_MS = 3_600_000
const NOW = 100 * HOUR_MS

const data = tableData({
  columns: {
    id: [1, 2, 3],
    name: ['Zebra', 'Äpfel', 'banana'],
    url: ['http://z.example/', 'http://a.example/', 'http://b.example/'],
    categories: [['News'], ['News/World', 'Food'], []],
    condition: ['active', 'failing', 'saturated'],
    weight: [1, 2, 1],
    items: [10, 0, 500],
    ratePerHour: [2, null, 60],
    windowSize: [20, null, 10],
    lastCheckAt: [NOW - HOUR_MS, null, NOW - 5 * HOUR_MS],
    nextCheckAt: [NOW + HOUR_MS, NOW, NOW],
    lastNewItemAt: [NOW, null, NOW - HOUR_MS],
    errorCode: [null, 'FETCH_TIMEOUT', null],
  },
})
const ids = (order: Uint32Array) => [...order].map((at) => data.columns.id[at])
const byId = { column: 'id', isDescending: false } as const

describe('the table of sources', () => {
  it.each([
    ['', [1, 2, 3]],
    ['apfel', [2]],
    ['EXAMPLE news', [1, 2]],
    ['is:failing', [2]],
    ['-is:failing', [1, 3]],
    ['category:"news/w"', [2]],
    ['error:timeout', [2]],
    ['rate>10', [3]],
    ['rate<10', [1]],
    ['items>5 items<100', [1]],
    ['checked>2h', [3]],
    ['next<30min', [2, 3]],
    ['rate>abc', []],
  ] as const)('%s leaves the sources %j', (text, remaining) => {
    expect(ids(sortRows(data, filterRows(data, parseFilter(text), NOW), byId))).toEqual(remaining)
  })

  it.each([
    ['name', false, [2, 3, 1]],
    ['name', true, [1, 3, 2]],
    ['ratePerHour', false, [1, 3, 2]],
    ['ratePerHour', true, [3, 1, 2]],
    ['condition', false, [3, 2, 1]],
    ['weight', false, [1, 3, 2]],
    ['categories', false, [1, 2, 3]],
    ['lastCheckAt', true, [1, 3, 2]],
  ] as const)('sorted by %s, descending %s: %j, the unknown last', (column, isDescending, order) => {
    expect(ids(sortRows(data, null, { column, isDescending }))).toEqual(order)
  })
})
