import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { CORPORA_FOLDER, passes } from './corpus.ts'
import { listparser, opmlLists } from './opml.ts'
import { evaluateClause } from './python-clause.ts'

describe('clauses of listparser', () => {
  const result = {
    bozo: false,
    meta: {},
    feeds: [{ url: 'u', tags: ['a'], categories: [['a'], ['b', 'c']] }],
    lists: [],
  }
  it.each([
    ["result['bozo'] == 0", true],
    ["result['bozo'] is False", true],
    ["result['bozo'] == 1", false],
    ["len(result['feeds']) == 1", true],
    ['result[\'feeds\'][0]["url"] == "u"', true],
    ["result['feeds'][0]['url'] == 'v'", false],
    ["result['feeds'][1]['url'] == 'u'", false],
    ["'a' in result['feeds'][0]['tags']", true],
    ["result['feeds'][0]['tags'] == ['a']", true],
    ["['b', 'c'] in result['feeds'][0]['categories']", true],
    ["['c'] in result['feeds'][0]['categories']", false],
    ["\"u\" in (result['feeds'][0]['url'], result['feeds'][0]['url'])", true],
    ["'title' not in result['meta']", true],
    ["not result['lists']", true],
    ["not result['feeds']", false],
    ["result['meta'].get('x', False)", undefined],
    ["result['bozo'] == datetime.datetime(1, 2)", undefined],
  ])('%s', (clause, expected) => expect(evaluateClause(clause, result)).toBe(expected))
})

describe.skipIf(!existsSync(CORPORA_FOLDER))(
  'lists that others wrote (skipped where ../shared/corpora is absent)',
  () => {
    it.each([listparser, ...opmlLists])('$name', (corpus) => {
      const result = corpus.run()
      expect(result.documents).toBeGreaterThan(0)
      expect(result.tallies.flatMap(({ failures }) => failures).length).toBeLessThanOrEqual(1)
      expect(passes(result)).toBe(true)
    })
  },
)
