import { describe, expect, it } from 'vitest'
import { tokenSpans } from './tokens.ts'

const vocabulary = {
  keywords: new Set(['CREATE', 'FEED', 'AS', 'RETURN', 'ALL', 'WHERE', 'CONTAINS', 'MATCHES', 'CATEGORY']),
  fields: new Set(['TITLE', 'CATEGORY']),
}
const looks = (text: string) =>
  tokenSpans(text, vocabulary).map(({ from, to, look }) => `${look} ${text.slice(from, to)}`)

describe('colours of a query', () => {
  it('recognises keywords, fields, texts, variables, numbers, patterns and comments', () => {
    expect(looks('create FEED ice AS -- all\nRETURN ALL AS $a WHERE TITLE CONTAINS "x \\" y" 3.5 2024-05-01')).toEqual([
      'keyword create',
      'keyword FEED',
      'keyword AS',
      'comment -- all',
      'keyword RETURN',
      'keyword ALL',
      'keyword AS',
      'variable $a',
      'keyword WHERE',
      'field TITLE',
      'keyword CONTAINS',
      'string "x \\" y"',
      'number 3.5',
      'number 2024-05-01',
    ])
    expect(looks('TITLE MATCHES /a\\/b/i')).toEqual(['field TITLE', 'keyword MATCHES', 'pattern /a\\/b/i'])
  })

  it('takes what is not closed yet', () => {
    expect(looks('TITLE CONTAINS "vol')).toEqual(['field TITLE', 'keyword CONTAINS', 'string "vol'])
    expect(looks('/* never')).toEqual(['comment /* never'])
  })
})
