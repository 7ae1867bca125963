import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const text = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading!)
const parts = headings.map((heading) => /^(\d+)\.(\d+)\.(\d+) \((\d{4}-\d\d-\d\d|unreleased)\)$/.exec(heading))

describe('CHANGELOG.md', () => {
  it('has a part for each version, with its day; only the newest may be unreleased', () => {
    expect(headings.filter((_, index) => parts[index] === null)).toEqual([])
    expect(parts.slice(1).filter((part) => part![4] === 'unreleased')).toEqual([])
    expect(headings.some((heading) => heading.startsWith(`${version} (`))).toBe(true)
  })

  it('begins with the newest version', () => {
    const numbers = parts.map((part) => part!.slice(1, 4).reduce((sum, digits) => sum * 1_000 + Number(digits), 0))
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => b - a))
  })
})
