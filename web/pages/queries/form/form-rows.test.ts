import { describe, expect, it } from 'vitest'
import type { QueryFormFields } from '../../../../src/api/operations/wire.ts'
import { type FormRow, rowsOf, withWords } from './form-rows.ts'

type Conditions = QueryFormFields['conditions']

const inTitle = (...words: string[]): Conditions[number] => ({ kind: 'words', field: 'TITLE', isNot: false, words })
const locked: Conditions[number] = { kind: 'text', text: 'LINK MATCHES /x/' }
const shown = (rows: readonly FormRow[]) => rows.map(({ key, words }) => [key, ...words])

describe('lines of the query form', () => {
  it('has the usual questions, answered or not, always in the same place', () => {
    const empty = [['TITLE 0'], ['ITEM 0'], ['not TITLE 0']]
    expect(shown(rowsOf([], []))).toEqual(empty)
    expect(shown(rowsOf([locked, inTitle('ferry')], []))).toEqual([['TITLE 0', 'ferry'], ...empty.slice(1)])
  })

  it('has a line for each condition, also two on one field, and for each question that was added', () =>
    expect(shown(rowsOf([inTitle('a'), inTitle('b')], [{ field: 'AUTHOR', isNot: false }]))).toEqual([
      ['TITLE 0', 'a'],
      ['TITLE 1', 'b'],
      ['ITEM 0'],
      ['not TITLE 0'],
      ['AUTHOR 0'],
    ]))

  it('changes one condition and leaves the others', () => {
    const conditions = [locked, inTitle('a'), inTitle('b')]
    const [first, second, third] = rowsOf(conditions, []) as [FormRow, FormRow, FormRow]
    expect(withWords(conditions, second, ['b', 'c'])).toEqual([locked, inTitle('a'), inTitle('b', 'c')])
    expect(withWords(conditions, first, [])).toEqual([locked, inTitle('b')])
    expect(withWords(conditions, third, ['x']).at(-1)).toEqual({ ...inTitle('x'), field: 'ITEM' })
  })
})
