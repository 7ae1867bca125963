import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const HERE = import.meta.dirname

it('every line of the conformance tables names a test that is there', () => {
  const page = readFileSync(join(HERE, '../../docs/push.md'), 'utf8')
  const rows = [...page.matchAll(/^\| (\d[\d.]*) \| .* \| ([\w-]+) \| ([^|]+) \|$/gm)].map(
    ([, clause = '', file = '', name = '']) => ({ clause, file: join(HERE, `${file}.test.ts`), name: name.trim() }),
  )
  const lines = page.match(/^\| \d[\d.]* \|.*$/gm) ?? []
  expect(rows).toHaveLength(lines.length)
  expect(rows.length).toBeGreaterThan(40)
  const has = (file: string, name: string) => {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
    // In a table of `it.each` the name is the first of a row.
    return text.includes(`it('${name}'`) || new RegExp(`\\[\\s*'${escaped(name)}',`).test(text)
  }
  expect(rows.filter(({ file, name }) => !has(file, name))).toEqual([])
})

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
