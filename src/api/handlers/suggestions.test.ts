import { expect, it } from 'vitest'
import type { SourceRow } from './source-directory.ts'
import { type Readership, suggestionsFor } from './suggestions.ts'

function row(id: number, name: string, categories: string[] = [], more: Partial<SourceRow> = {}): SourceRow {
  return {
    ...{ id, name, url: `http://${name}/`, categories, condition: 'active', weight: 1, items: 10 },
    ...{ ratePerHour: 1, windowSize: 20, lastCheckAt: 0, nextCheckAt: 0, lastNewItemAt: 0, errorCode: null },
    ...more,
  }
}

const ferry = row(1, 'ferry', ['Ships/Baltic'])
const rows = [
  ferry,
  row(2, 'lighthouse', ['Ships/Baltic']),
  row(3, 'harbour cafés'),
  row(4, 'storm warnings'),
  row(5, 'chess'),
  row(6, 'sunk', ['Ships/Baltic'], { condition: 'retired' }),
]
const nobody: Readership = { readers: new Map(), matches: new Map() }
const demand = [{ source: ferry, importance: 1 }]

const names = (readership: Readership, known: number[] = []) =>
  suggestionsFor(rows, demand, new Set(known), readership).map(({ source, reasons }) => [source.name, ...reasons])

it('is what others who get the same also get, what the same queries keep, and what stands beside it', () => {
  const readership: Readership = {
    readers: new Map([
      [1, new Set(['ann', 'bob'])],
      [3, new Set(['bob'])],
      [5, new Set(['cy'])],
    ]),
    matches: new Map([
      [1, new Map([[7, 0.5]])],
      [4, new Map([[7, 0.1]])],
      [5, new Map([[8, 0.9]])],
    ]),
  }
  expect(names(readership)).toEqual([
    ['storm warnings', 'queries'],
    ['harbour cafés', 'readers'],
    ['lighthouse', 'categories'],
  ])
  expect(names(readership, [4])).toEqual([
    ['harbour cafés', 'readers'],
    ['lighthouse', 'categories'],
  ])
})

it('names those it is like', () => {
  const [first] = suggestionsFor(rows, demand, new Set(), nobody)
  expect(first).toMatchObject({ source: { name: 'lighthouse' }, becauseOf: ['ferry'], reasons: ['categories'] })
  expect(suggestionsFor(rows, [], new Set(), nobody)).toEqual([])
})
