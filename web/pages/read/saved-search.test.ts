import { describe, expect, it } from 'vitest'
import { parseStatements } from '../../../src/query/language/parse.ts'
import { newQueryHref } from './saved-search.ts'

describe('a search as a query', () => {
  it.each([
    [{ text: 'storm' }, 'RETURN ALL\nWHERE ITEM CONTAINS "storm"'],
    [{ text: 'night "ferry fares" -football', category: 'News/World' }, 'AND NOT ITEM CONTAINS "football"'],
    [{ text: '"Über alles" -"a b"', feed: 'harbour' }, 'RETURN harbour'],
    [{ text: '日本' }, 'CREATE FEED my-search'],
  ])('%j is in the language, and says so', (scope, part) => {
    const text = new URL(newQueryHref(scope), 'http://localhost').searchParams.get('text') ?? ''
    expect(text).toContain(part)
    expect(parseStatements(text)).toMatchObject({ ok: true })
  })
})
