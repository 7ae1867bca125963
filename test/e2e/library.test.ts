import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

describe('headwater/query as a library', () => {
  it('the example runs against the built package, and prints what its page says', () => {
    const page = readFileSync(join(ROOT, 'docs/query-language.md'), 'utf8')
    const printed = /It prints:\n\n```text\n(.*?)```/s.exec(page)![1]
    const output = execFileSync(process.execPath, ['docs/examples/match.mjs'], { cwd: ROOT, encoding: 'utf8' })
    expect(output).toBe(printed)
  })
})
