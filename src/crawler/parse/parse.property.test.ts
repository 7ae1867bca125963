import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ParseResult } from '../../model/index.ts'
import { parsedToJson } from './json.ts'
import type { ParseLimits } from './limits.ts'
import { parseFeed } from './parse.ts'
import { PARSE_PROBLEMS } from './problems.ts'

const CORPORA = fileURLToPath(new URL('../../../../shared/corpora', import.meta.url))
const FIXTURES = fileURLToPath(new URL('./fixtures', import.meta.url))
const LARGEST = 100 * 1024
const LONGEST_MS = 200
const SEED = 20051113

function documentsBelow(folder: string): string[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name)
      if (statSync(path).isDirectory()) return documentsBelow(path)
      return /\.(?:xml|rss|atom|rdf|json|feed)$/.test(name) && statSync(path).size <= LARGEST ? [path] : []
    })
}

const haveCorpora = existsSync(CORPORA)
const all = documentsBelow(haveCorpora ? CORPORA : FIXTURES)
// A few hundred spread over all corpora: shrinking stays quick, and every kind is there.
const documents = all.filter((_, i) => i % Math.ceil(all.length / 400) === 0).map((path) => readFileSync(path))

/** Places and lengths are shares of the document, so that one mutation fits any of them. */
type Mutation =
  | { readonly kind: 'flip'; readonly at: number; readonly byte: number }
  | { readonly kind: 'cut'; readonly at: number }
  | { readonly kind: 'remove'; readonly at: number; readonly length: number }
  | { readonly kind: 'double'; readonly at: number; readonly length: number }
  | {
      readonly kind: 'splice'
      readonly at: number
      readonly document: number
      readonly from: number
      readonly length: number
    }

const share = fc.double({ min: 0, max: 1, noNaN: true })
const short = share.map((value) => value ** 3)
const telling = fc.constantFrom(...Buffer.from('<>&;"\'/=!?[]-: \0\xff{}', 'latin1'))
const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('flip'), at: share, byte: fc.oneof(telling, fc.nat(255)) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cut'), at: share }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove'), at: share, length: short }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('double'), at: share, length: short }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('splice'), at: share, document: fc.nat(), from: share, length: short }),
  },
)

function mutate(bytes: Buffer, change: Mutation): Buffer {
  const at = Math.floor(change.at * bytes.length)
  if (change.kind === 'cut') return bytes.subarray(0, at)
  if (change.kind === 'flip') {
    const copy = Buffer.from(bytes)
    if (at < copy.length) copy[at] = change.byte
    return copy
  }
  const end = at + Math.ceil(change.length * (bytes.length - at))
  if (change.kind === 'remove') return Buffer.concat([bytes.subarray(0, at), bytes.subarray(end)])
  if (change.kind === 'double')
    return Buffer.concat([bytes.subarray(0, end), bytes.subarray(at)]).subarray(0, 2 * LARGEST)
  const other = documents[change.document % documents.length]!
  const from = Math.floor(change.from * other.length)
  const piece = other.subarray(from, from + Math.ceil(change.length * (other.length - from)))
  return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)]).subarray(0, 2 * LARGEST)
}

const mutated = fc
  .tuple(fc.nat(documents.length - 1), fc.array(mutation, { minLength: 1, maxLength: 8 }))
  .map(([index, changes]) => changes.reduce(mutate, documents[index]!))

const LIMITS: ParseLimits = {
  maxBytes: 60_000,
  maxDepth: 12,
  maxItems: 15,
  maxFieldChars: 3_000,
  maxLabelChars: 10_000,
  maxEntityChars: 500,
  maxAttributes: 8,
  maxFaults: 200,
  maxJsonValues: 2_000,
  maxExtensions: 5,
}

function longestText(result: ParseResult): number {
  const texts: number[] = []
  JSON.stringify([result.feed, result.items], (_, value: unknown) => {
    if (typeof value === 'string') texts.push(value.length)
    return value
  })
  return Math.max(0, ...texts)
}

describe(`mutated documents (${haveCorpora ? 'of ../shared/corpora' : 'own fixtures only: ../shared/corpora is missing'})`, () => {
  it('never throw, are read in time, and what is wrong has a known code', () => {
    fc.assert(
      fc.property(mutated, fc.boolean(), (bytes, withUrl) => {
        const url = withUrl ? 'https://host.example/a/feed.xml' : null
        // CPU time: the machine may be busy with something else.
        const start = process.cpuUsage()
        const result = parseFeed(bytes, { url })
        const { user, system } = process.cpuUsage(start)
        expect((user + system) / 1_000).toBeLessThan(LONGEST_MS)
        for (const { code } of result.problems) expect(PARSE_PROBLEMS).toHaveProperty(code)
        if (result.format === 'unknown') expect(result.problems.map(({ code }) => code)).toContain('not-a-feed')
        expect(() => JSON.stringify(parsedToJson(result))).not.toThrow()
      }),
      { seed: SEED, numRuns: 1_500 },
    )
  })

  it('never exceed the limits', () => {
    fc.assert(
      fc.property(mutated, (bytes) => {
        const result = parseFeed(bytes, { limits: LIMITS })
        expect(result.items.length).toBeLessThanOrEqual(LIMITS.maxItems)
        expect(longestText(result)).toBeLessThanOrEqual(LIMITS.maxFieldChars)
        for (const { extensions } of result.items) {
          expect(Object.keys(extensions ?? {}).length).toBeLessThanOrEqual(LIMITS.maxExtensions)
        }
      }),
      { seed: SEED, numRuns: 500 },
    )
  })

  it('give the same result every time', () => {
    fc.assert(
      fc.property(mutated, (bytes) => {
        expect(parseFeed(bytes)).toEqual(parseFeed(Buffer.from(bytes)))
      }),
      { seed: SEED, numRuns: 200 },
    )
  })
})

describe('arbitrary bytes and texts', () => {
  it('never throw', () => {
    const pieces = fc.constantFrom(
      '<rss>',
      '<channel>',
      '<item>',
      '<title>',
      '</',
      '<![CDATA[',
      ']]>',
      '<!--',
      '&amp',
      '&#x',
      ' a="',
      '>',
      '<?xml',
      'x',
    )
    const texts = fc.array(pieces, { maxLength: 60 }).map((parts) => Buffer.from(parts.join('')))
    const bytes = fc.uint8Array({ maxLength: 500 })
    fc.assert(
      fc.property(fc.oneof(texts, bytes), (document) => {
        expect(parseFeed(document).format).toBeTypeOf('string')
      }),
      { seed: SEED, numRuns: 2_000 },
    )
  })
})
