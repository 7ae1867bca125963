import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { expectEqualRows } from './equal-rows.ts'
import { rowsOf, smallArena } from './rows.ts'

// What was committed stems from the code before it was made cheaper (docs/decisions/0067).
const expected = JSON.parse(readFileSync(new URL('small-world.json', import.meta.url), 'utf8'))

it.each([2, 24])('every policy has the figures it had, at %i requests a day', (perDay) => {
  expectEqualRows(rowsOf(smallArena(), perDay), expected[perDay])
})

it('a figure that is off by a hundredth of a per cent is seen', () => {
  expect(() => expectEqualRows({ a: [1.0001] }, { a: [1] })).toThrow('/a/0')
  expect(() => expectEqualRows({ a: 1, b: 2 }, { a: 1 })).toThrow()
  expectEqualRows({ a: [1 + 1e-9, null, 'x'] }, { a: [1, null, 'x'] })
})
