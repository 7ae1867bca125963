import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const HERE = import.meta.dirname

it('every line of the conformance tables names a test that is here', () => {
  const page = readFileSync(join(HERE, '../../docs/push.md'), 'utf8')
  const rows = [...page.matchAll(/^\| (\d[\d.]*) \| .* \| ([^|]+) \|$/gm)].map(([, clause = '', name = '']) => ({
    clause,
    name: name.trim(),
  }))
  expect(rows.length).toBeGreaterThan(15)
  const tests = readdirSync(HERE)
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(HERE, file), 'utf8'))
    .join('\n')
  const missing = rows.filter(
    ({ name }) => !tests.includes(`it('${name}'`) && !tests.includes(`['${name}'`) && !tests.includes(`'${name}',`),
  )
  expect(missing).toEqual([])
})
