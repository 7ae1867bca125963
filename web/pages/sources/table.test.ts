import { describe, expect, it } from 'vitest'
import { filtered, parseFilter } from './filter.ts'
import { type Column, sorted, tableData } from './table-data.ts'

const HOUR_MS = 3_600_000
const NOW = 100 * HOUR_MS

const columns: Column[] = [
  'id',
  'name',
  'url',
  'categories',
  'condition',
  'weight',
  'items',
  'ratePerHour',
  'windowSize',
  'lastCheckAt',
  'nextCheckAt',
  'lastNewItemAt',
  'errorCode',
]
const data = tableData({
  columns,
  rows: [
    [1, 'Zebra', 'http://z.example/', ['News'], 'active', 1, 10, 2, 20, NOW - HOUR_MS, NOW + HOUR_MS, NOW, null],
    [
      2,
      'Äpfel',
      'http://a.example/',
      ['News/World', 'Food'],
      'failing',
      2,
      0,
      null,
      null,
      null,
      NOW,
      null,
      'FETCH_TIMEOUT',
    ],
    [3, 'banana', 'http://b.example/', [], 'saturated', 1, 500, 60, 10, NOW - 5 * HOUR_MS, NOW, NOW - HOUR_MS, null],
  ],
})
const all = [0, 1, 2]

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
  ] as const)('%s leaves the sources %j', (text, ids) => {
    expect(filtered(data, parseFilter(text), NOW).map((i) => data.rows[i]?.id)).toEqual(ids)
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
  ] as const)('sorted by %s, descending %s: %j, the unknown last', (column, isDescending, ids) => {
    expect(sorted(data, all, { column, isDescending }).map((i) => data.rows[i]?.id)).toEqual(ids)
  })
})
