import { describe, expect, it } from 'vitest'
import { loadPageWords } from '../../language/current.ts'
import { hrefOf, queryOf, type Scope, scopeFrom } from './scope.ts'

await loadPageWords()

const scopes: Scope[] = [
  {},
  { feed: 'ice & fire' },
  { category: 'News/World', unread: true },
  { sourceId: 3, text: 'sea "level"' },
  { starred: true },
]

describe('what is read', () => {
  it.each(scopes)('%j survives its address', (scope) => {
    expect(scopeFrom(new URL(hrefOf(scope), 'http://localhost').searchParams)).toEqual(scope)
  })

  it('asks the API in its words', () => {
    expect(queryOf({ feed: 'ice', unread: true })).toEqual({ feed: 'ice', unread: 'true' })
  })
})
