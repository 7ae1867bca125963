import { describe, expect, it } from 'vitest'
import { parseQuery } from '../../../src/query/index.ts'
import { firstQuery } from './first-query.ts'

describe('a first query feed', () => {
  it('asks for any of the words', () => {
    expect(firstQuery('Ice and fire', 'iceland, volcano ,')).toBe(
      'CREATE FEED ice-and-fire TITLE "Ice and fire" AS\nRETURN ALL\nWHERE ITEM CONTAINS "iceland" OR "volcano";\n',
    )
  })

  it.each([
    ['', ''],
    ['Where', 'x'],
    ['  99 Äpfel!', 'a "b" c\\'],
    ['日本', '火山'],
    ['---', 'x'],
  ])('title %j and words %j make a query without a mistake', (title, words) => {
    const query = parseQuery(firstQuery(title, words))
    expect(query.ok ? [] : query.errors).toEqual([])
  })
})
