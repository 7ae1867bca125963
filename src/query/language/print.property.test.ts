import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { extent } from '../../../test/support/extent.ts'
import { statement } from '../../../test/support/query-arbitrary.ts'
import type { Random } from '../../model/index.ts'
import { seededRandom } from '../../runtime/random.ts'
import { withoutPositions } from './build.ts'
import { EMPTY_CATALOG } from './catalog.ts'
import { checkStatements } from './check.ts'
import { parseStatements } from './parse.ts'
import { printStatements } from './print.ts'

describe('printing', () => {
  it('gives a text that means the same, and is itself canonical', () => {
    fc.assert(
      fc.property(fc.array(statement, { minLength: 1, maxLength: 3 }), (statements) => {
        const text = printStatements(statements)
        const parsed = parseStatements(text)
        expect(parsed.ok ? withoutPositions(parsed.value) : parsed.errors).toEqual(withoutPositions(statements))
        expect(parsed.ok && printStatements(parsed.value)).toBe(text)
      }),
      { numRuns: extent(250, 500) },
    )
  })
})

/** About seven seconds of CPU time. */
const MUTATIONS = 100_000
const PIECES = [
  '(',
  ')',
  '[',
  ']',
  '"',
  "'",
  '/',
  '/*',
  '*/',
  '--',
  '\n',
  '|',
  ';',
  '$v',
  '.',
  '=',
  'NOT ',
  'AND ',
  'OR ',
  'MATCHES /a*/',
  'JOIN ',
  'LAST 3 ',
  '9'.repeat(40),
  '“',
  '\\',
  '\u0000',
  '😀',
  '\ud800',
  'WHERE ',
  'COUNT(',
]

/** Of this process, because others may keep the machine busy: what hangs takes far longer than this allows. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

function mutated(text: string, random: Random): string {
  const pick = (n: number) => Math.floor(random() * n)
  let result = text
  for (let remaining = 1 + pick(4); remaining > 0; remaining--) {
    const at = pick(result.length + 1)
    const length = pick(8)
    const kind = pick(4)
    if (kind === 0) result = result.slice(0, at) + result.slice(at + length)
    else if (kind === 1) result = result.slice(0, at) + PIECES[pick(PIECES.length)] + result.slice(at)
    else if (kind === 2)
      result = result.slice(0, at) + result.slice(at, at + length).repeat(2 + pick(20)) + result.slice(at + length)
    else result = result.slice(0, at) + String.fromCharCode(pick(0x3000)) + result.slice(at + 1)
  }
  return result
}

describe('mutated queries', () => {
  it('are read or refused, never more', () => {
    const seeds = fc
      .sample(fc.array(statement, { minLength: 1, maxLength: 2 }), { numRuns: 100, seed: 7 })
      .map(printStatements)
    const random = seededRandom(11)
    let refused = 0
    let slowestMs = 0
    for (let i = 0; i < MUTATIONS; i++) {
      const text = mutated(seeds[i % seeds.length]!, random)
      const before = cpuMs()
      const parsed = parseStatements(text)
      if (parsed.ok) checkStatements(text, parsed.value, EMPTY_CATALOG)
      else {
        refused += 1
        const vague = parsed.errors.find(({ line, column, hint }) => line < 1 || column < 1 || hint === '')
        if (vague !== undefined) expect.fail(`${JSON.stringify(vague)} for ${text}`)
      }
      slowestMs = Math.max(slowestMs, cpuMs() - before)
    }
    expect(refused).toBeGreaterThan(MUTATIONS / 10)
    expect(slowestMs).toBeLessThan(2_000)
  })

  it.each([
    ['open parentheses', '('.repeat(500_000)],
    ['negations', `WHERE ${'NOT '.repeat(200_000)}`],
    ['comments', '/*'.repeat(400_000)],
    ['quotes', '"'.repeat(900_001)],
    ['hyphens', '-'.repeat(900_000)],
    ['texts', `CREATE FEED f AS RETURN ALL WHERE TITLE CONTAINS "a"${' OR "a"'.repeat(100_000)}`],
    ['empty lines', '\n'.repeat(900_000)],
    ['semicolons', ';'.repeat(900_000)],
    ['hyphenated words', 'a-'.repeat(400_000)],
  ])('a long text of %s is refused or read at once', (_, text) => {
    const before = cpuMs()
    parseStatements(text)
    expect(cpuMs() - before).toBeLessThan(5_000)
  })
})
