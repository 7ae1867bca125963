import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonParts } from './json-parts.ts'

describe('JSON in parts', () => {
  const element = fc.oneof(fc.jsonValue(), fc.constant(undefined), fc.date({ noInvalidDate: true }))
  const long = fc
    .array(element, { maxLength: 3 })
    .chain((some) =>
      fc
        .integer({ min: 0, max: 1_200 })
        .map((length) => Array.from({ length }, (_, at) => some[at % (some.length || 1)])),
    )

  it('is the text that one call gives', () => {
    const value = fc.oneof(
      fc.jsonValue(),
      long,
      fc.record({ count: fc.nat(), columns: fc.dictionary(fc.string(), long, { maxKeys: 4 }), none: element }),
      fc.dictionary(
        fc.string(),
        fc.dictionary(fc.string(), fc.dictionary(fc.string(), long, { maxKeys: 2 }), { maxKeys: 2 }),
        { maxKeys: 2 },
      ),
    )
    fc.assert(
      fc.property(value, (one) => {
        expect([...jsonParts(one)].join('')).toBe(JSON.stringify(one))
      }),
    )
  })

  it('has no long part where lists are long', () => {
    const list = Array.from({ length: 50_000 }, (_, id) => ({ id, name: `Source ${id}` }))
    const columns = { id: list.map(({ id }) => id), name: list.map(({ name }) => name) }
    for (const value of [list, { sources: list }, { count: 3, columns }]) {
      const parts = [...jsonParts(value)]
      expect(parts.length).toBeGreaterThan(99)
      expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(30_000)
    }
  })
})
