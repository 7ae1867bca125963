import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ACCESS_TABLE } from '../../src/access/index.ts'

it('docs/access.md says what the table says', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/access.md'), 'utf8')
  const rows = page.split('\n').filter((line) => line.startsWith('| '))
  const cells = rows.map((line) => line.slice(2, -2).split(' | '))
  const rules = ACCESS_TABLE.rules.map(({ action, thing, who, right }) => [action, thing, who, right])
  expect(cells.filter((row) => row.length === 4 && row[0] !== 'action')).toEqual(rules)
  const rights = [
    ...Object.entries(ACCESS_TABLE.roles).map(([name, of]) => [`role \`${name}\``, of.join(', ')]),
    ...Object.entries(ACCESS_TABLE.scopes).map(([name, of]) => [`scope \`${name}\``, of.join(', ')]),
  ]
  expect(cells.filter((row) => row.length === 2 && row[0] !== 'who')).toEqual(rights)
})
