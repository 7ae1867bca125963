import { describe, expect, it } from 'vitest'
import { readSyntax } from '../../scripts/shape/syntax.ts'

const read = (text: string, path = 'src/a.ts') => readSyntax(path, text)

describe('lengths', () => {
  it('counts lines, with or without a last line end', () => {
    expect(read('a\nb\n').lines).toBe(2)
    expect(read('a\nb').lines).toBe(2)
  })

  it('measures functions with a body in braces, inner ones too, under the name they are given', () => {
    const text = `/** Not part of it. */
export function outer() {
  const inner = () => {
    return 1
  }
  return inner
}
const short = (x: number) => x + 1
class C {
  constructor() {}
  method() {
    [].map(function () { return 2 })
  }
}
interface I { method(): void }
declare function elsewhere(): void
`
    expect(read(text).functions).toEqual([
      { name: 'outer', line: 2, lines: 6 },
      { name: 'inner', line: 3, lines: 3 },
      { name: 'constructor', line: 10, lines: 1 },
      { name: 'method', line: 11, lines: 3 },
      { name: '(nameless)', line: 12, lines: 1 },
    ])
  })
})

describe('assertions', () => {
  it('counts what is claimed without a proof; `as const` claims nothing', () => {
    const { nonNull, nonNullOnIndex, casts } = read(`
      const a = b! + c[0]! + d.e!.f[1]!
      const g = h as unknown as string
      const i = [1] as const
      const j = k !== l && !m
    `)
    expect({ nonNull, nonNullOnIndex, casts }).toEqual({ nonNull: 4, nonNullOnIndex: 2, casts: 2 })
  })
})

describe('tests are distinguished from code', () => {
  it.each([
    ['src/a.ts', false],
    ['src/latest/a.ts', false],
    ['src/a.test.ts', true],
    ['web/a.test.tsx', true],
    ['test/a.ts', true],
    ['src/a.fixture.ts', true],
  ])('%s', (path, isTest) => expect(read('', path).isTest).toBe(isTest))
})

describe('exports', () => {
  const rows: readonly (readonly [text: string, names: readonly string[]])[] = [
    ['export const a = 1, { b, c: [d] } = x', ['a', 'b', 'd']],
    ['export function f() {}\nexport class C {}\nexport enum E {}', ['f', 'C', 'E']],
    ['export interface I {}\nexport type T = I', ['I', 'T']],
    ['const a = 1\nexport { a as b }', ['b']],
    ['export default function f() {}', ['default']],
    ['export default 1', ['default']],
    ['export * from "./b.ts"', []],
    ['const a = 1', []],
  ]
  it.each(rows)('%s', (text, names) => expect(read(text).exports.map(({ name }) => name)).toEqual(names))

  it('says what its own file uses, and what is a type', () => {
    const { exports } = read('export const a = 1\nexport const b = a\nexport type T = 1')
    expect(exports.map(({ name, isUsedInside, isType }) => [name, isUsedInside, isType])).toEqual([
      ['a', true, false],
      ['b', false, false],
      ['T', false, true],
    ])
  })

  it('follows a name that is handed on, in one step or in two', () => {
    const from = { file: './b.ts', name: 'b' }
    expect(read("export { b as a } from './b.ts'").exports[0]).toMatchObject({ name: 'a', from })
    expect(read("import { b as c } from './b.ts'\nexport { c as a }").exports[0]).toMatchObject({ name: 'a', from })
  })
})

describe('imports', () => {
  const rows: readonly (readonly [text: string, names: readonly string[]])[] = [
    ["import a, { b as c, type D } from './b.ts'", ['default', 'b', 'D']],
    ["import * as b from './b.ts'", ['*']],
    ["import './b.ts'", []],
    ["type T = import('./b.ts').T", ['T']],
    ["const { a: x, b } = await import('./b.ts')", ['a', 'b']],
    ["const x = (await import('./b.ts')).a", ['a']],
    ["const b = await import('./b.ts')", ['*']],
    ["import('./b.ts').then(use)", ['*']],
  ]
  it.each(rows)('%s', (text, names) => {
    expect(read(text).imports).toEqual([{ file: './b.ts', names, isHandedOn: false }])
  })
})
