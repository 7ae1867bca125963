import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasMoreValues } from './json-values.ts'
import { parseFeed } from './parse.ts'

function valuesIn(value: unknown): number {
  if (value === null || typeof value !== 'object') return 1
  return 1 + Object.values(value).reduce<number>((sum, inner) => sum + valuesIn(inner), 0)
}

describe('how many values a JSON document has', () => {
  it('is never estimated below what it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 50 }), (value, most) => {
        const text = JSON.stringify(value)
        if (valuesIn(value) > most) expect(hasMoreValues(text, most)).toBe(true)
      }),
    )
  })

  it.each([
    ['signs in strings do not count', JSON.stringify(['{[,:"\\'.repeat(100)]), 20, false],
    ['nor after quotes that are escaped', '["\\\\","\\"{{{{{{{{{{{{{{{{{{{{{{{"]', 5, false],
    ['objects do', `[${'{},'.repeat(100)}{}]`, 100, true],
    ['and a string without end hides the rest', `["${'{},'.repeat(100)}`, 5, false],
  ])('%s', (_name, text, most, expected) => expect(hasMoreValues(text, most)).toBe(expected))

  it('beyond the limit the rest is not read, and a problem says so', () => {
    const items = Array.from({ length: 50 }, (_, i) => ({ id: `${i}`, content_text: 'x' }))
    const text = JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', title: 'x', items })
    const read = parseFeed(Buffer.from(text), { limits: { maxJsonValues: 60 } })
    expect(read.problems.map(({ code }) => code)).toContain('too-large')
    expect(read.items.length).toBeGreaterThan(5)
    expect(read.items.length).toBeLessThan(50)
  })
})
