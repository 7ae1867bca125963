import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { QueryFormFields } from '../../src/api/operations/wire.ts'
import type { CreateFeed } from '../../src/query/language/ast.ts'
import { withoutPositions } from '../../src/query/language/build.ts'
import { formOf } from '../../src/query/language/form.ts'
import { parseStatements } from '../../src/query/language/parse.ts'
import { feedNameFrom, queryText } from '../../web/pages/queries/form/query-text.ts'
import { extent } from '../support/extent.ts'
import { statement } from '../support/query-arbitrary.ts'

function created(text: string): CreateFeed {
  const parsed = parseStatements(text)
  const [only] = parsed.ok ? parsed.value : []
  if (only?.kind !== 'create') throw new Error(`no feed is made by ${text}`)
  return only
}

const formIn = (text: string) => formOf(created(text)) as QueryFormFields

describe('a query as a form', () => {
  it('says the same as the text, whatever the query', () => {
    fc.assert(
      fc.property(
        statement.filter((one): one is CreateFeed => one.kind === 'create'),
        (before) => {
          const after = created(queryText(formOf(before) as QueryFormFields))
          expect(withoutPositions(after)).toEqual(withoutPositions(before))
        },
      ),
      { numRuns: extent(250, 5_000) },
    )
  })

  it('has words as words, and keeps as text what only the language can say', () => {
    const form = formIn(`CREATE FEED ferries TITLE "Ferries" LIMIT 50 AS
      RETURN CATEGORY "News" | harbour
      WHERE TITLE CONTAINS "ferry" OR "sailing" AND ITEM CONTAINS "late"`)
    // AND binds closer than OR: this is no list of words.
    expect(form.conditions).toEqual([
      { kind: 'text', text: '(TITLE CONTAINS "ferry" OR TITLE CONTAINS "sailing" AND ITEM CONTAINS "late")' },
    ])
    expect(
      formIn(`CREATE FEED ferries AS RETURN CATEGORY "News" | harbour
        WHERE (TITLE CONTAINS "ferry" OR "sailing") AND NOT TITLE CONTAINS "football" AND LINK MATCHES /x/
        DISTINCT BY SIMILAR LAST 24 HOURS ORDER BY PUBLISHED`),
    ).toMatchObject({
      from: [
        { kind: 'category', category: 'News' },
        { kind: 'name', name: 'harbour' },
      ],
      conditions: [
        { kind: 'words', field: 'TITLE', isNot: false, words: ['ferry', 'sailing'] },
        { kind: 'words', field: 'TITLE', isNot: true, words: ['football'] },
        { kind: 'text', text: 'LINK MATCHES /x/' },
      ],
      distinct: { by: 'SIMILAR', threshold: 0.8, window: 'LAST 1 DAY' },
      ending: ['ORDER BY PUBLISHED'],
    })
  })

  it('leaves origins with variables to the text', () =>
    expect(formIn('CREATE FEED a AS RETURN CATEGORY "News" AS $v WHERE $v[TITLE CONTAINS "x"]')).toMatchObject({
      from: null,
      fromText: 'CATEGORY "News" AS $v',
    }))

  it('keeps quotes, backslashes and lines in words', () => {
    const words = ['a "b"', 'c\\d', 'e\nf']
    const form = {
      ...formIn('CREATE FEED a AS RETURN ALL'),
      conditions: [{ kind: 'words', field: 'TITLE', isNot: false, words }],
    }
    expect(formIn(queryText(form as QueryFormFields)).conditions).toEqual(form.conditions)
  })

  it.each(['Ferries', 'A b c', '2 fast', 'Über alles', '…', 'feed'])('makes a name that can be used of %j', (title) =>
    expect(created(`CREATE FEED ${feedNameFrom(title)} AS RETURN ALL`).feed.name).toBe(feedNameFrom(title)),
  )
})
