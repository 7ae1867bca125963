import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkStatements } from './language/check.ts'
import { formatQueryError, QUERY_ERRORS } from './language/errors.ts'
import { FIELD_NAMES } from './language/fields.ts'
import { parseStatements } from './language/parse.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/query-language.md'), 'utf8')
const examples = [...page.matchAll(/^```query\n(.*?)^```$/gms)].map(([, text]) => text!)

describe('docs/query-language.md', () => {
  it.each(examples.map((text) => [text.trim().split('\n')[0]!, text]))('example %s', (_, text) => {
    const parsed = parseStatements(text)
    expect(parsed.ok ? [] : parsed.errors.map(formatQueryError)).toEqual([])
    const names = ['News', 'Science']
    if (parsed.ok)
      expect(
        checkStatements(text, parsed.value, { sources: ['world'], feeds: new Map(), categories: names }).filter(
          (error) => error.code !== 'QUERY_NAME_TAKEN',
        ),
      ).toEqual([])
  })

  it('has an example for each clause', () => {
    const all = examples.join('\n')
    for (const clause of [
      'REGISTER',
      'CREATE',
      'ALTER',
      'DROP',
      'SUBSCRIBE TO',
      'UNSUBSCRIBE',
      'JOIN',
      'NOT JOINED',
      'WHERE',
      'DISTINCT BY',
      'ORDER BY',
      'STEMMED',
      'MATCHES',
      'COUNT(',
      'IN (',
      'IN LAST',
      'SIMILAR',
      'WEBHOOK',
      'FILE',
      'MAIL',
      'CATEGORY',
      'LIMIT',
    ]) {
      expect(all, clause).toContain(clause)
    }
  })

  it('explains every field, and every error code as the program does', () => {
    for (const field of FIELD_NAMES) expect(page).toContain(`| \`${field}\` |`)
    const table = [...page.matchAll(/^\| `(QUERY_\w+)` \| (.+?) \| (.+?) \|$/gm)].map(([, code, summary, hint]) => [
      code,
      summary,
      hint,
    ])
    expect(table).toEqual(Object.entries(QUERY_ERRORS).map(([code, { summary, hint }]) => [code, summary, hint]))
  })
})
