import { describe, expect, it } from 'vitest'
import { wordPrefix } from './complete.ts'

describe('what is completed', () => {
  it.each([
    ['WHERE TIT', 'TIT', false],
    ['RETURN CATEGORY "News/W', 'News/W', true],
    ['TITLE CONTAINS "a" OR DESC', 'DESC', false],
    ['TITLE CONTAINS "a \\" b" OR "c', 'c', true],
    ['RETURN "', '', true],
    ['RETURN ', '', false],
    ['RETURN my-fe', 'my-fe', false],
  ])('%j: %j, in quotes: %s', (before, text, isQuoted) => expect(wordPrefix(before)).toEqual({ text, isQuoted }))
})
