import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Explanations } from '../../scripts/shape/explained.ts'
import { runShape } from '../../scripts/shape/run.ts'
import type { CodeShape } from '../../scripts/shape/types.ts'

const NO_REASONS: Explanations = { unused: {}, forTests: [], twice: {}, alike: [] }
const root = mkdtempSync(join(tmpdir(), 'headwater-shape-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** A checkout of these files whose entry is src/index.ts. */
function checkout(name: string, files: Readonly<Record<string, string>>): string {
  const folder = join(root, name.replaceAll(/\W+/g, '-'))
  const all = { 'package.json': '{ "exports": { ".": { "default": "./dist/src/index.js" } } }', ...files }
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

function shapeOf(name: string, files: Readonly<Record<string, string>>, explained = NO_REASONS): CodeShape {
  return JSON.parse(runShape(checkout(name, files), ['--json'], explained).text)
}

const broken = ({ limits }: CodeShape) => limits.filter(({ ok }) => !ok).map(({ what, is }) => [what, is])
const lines = (count: number) => 'f()\n'.repeat(count)

describe('a house in order', () => {
  const files = {
    'src/index.ts': "export { a } from './x/a.ts'\n",
    'src/x/a.ts': "import type { T } from './t.ts'\nexport function a(t: T) {\n  return t[0]! as string\n}\n",
    'src/x/t.ts': 'export type T = string[]\n',
    'src/x/a.test.ts': "import { a } from './a.ts'\na(['x'])\n",
    'lab/node_modules/p/q.ts': 'export const p = 1\n',
  }

  it('breaks no limit, and is counted by folder, tests apart', () => {
    const shape = shapeOf('order', files)
    expect(broken(shape)).toEqual([])
    expect(shape.folders.map(({ folder, lines }) => [folder, lines])).toEqual([
      ['src', 1],
      ['src (its tests)', 2],
      ['src/x', 5],
    ])
    expect(shape.code).toMatchObject({ lines: 6, nonNull: 1, nonNullOnIndex: 1, casts: 1 })
    expect(shape.code.files).toEqual({ count: 3, median: 1, p95: 4, most: 4 })
    expect(shape.code.functions).toEqual({ count: 1, median: 3, p95: 3, most: 3 })
    expect(shape.exports).toMatchObject({ count: 3, usedOnce: 3 })
  })

  it('is printed for people, too', () => {
    const { text, code } = runShape(checkout('order', files), [], NO_REASONS)
    expect(text).toMatch(/^median of lines per file +1 +80 +ok$/m)
    expect(text).toMatch(/^src\/x +5 +2 /m)
    expect(code).toBe(0)
  })
})

describe('a limit is broken by', () => {
  const rows: readonly (readonly [string, Readonly<Record<string, string>>, readonly (readonly [string, number])[]])[] =
    [
      [
        'long files',
        { 'src/a.ts': lines(451) },
        [
          ['median of lines per file', 451],
          ['95th percentile of lines per file', 451],
          ['lines of the longest file', 451],
        ],
      ],
      [
        'a long function',
        { 'src/a.ts': `function f() {\n${lines(24)}}\n` },
        [['95th percentile of lines per function', 26]],
      ],
      [
        'files in a circle',
        { 'src/a.ts': "import './b.ts'", 'src/b.ts': "import './a.ts'" },
        [['cycles between files', 1]],
      ],
      [
        'folders in a circle',
        { 'src/x/1.ts': "import '../y/1.ts'", 'src/y/1.ts': '', 'src/y/2.ts': "import '../x/2.ts'", 'src/x/2.ts': '' },
        [['cycles between folders', 1]],
      ],
      [
        'an export that nobody imports, also where it is handed on',
        { 'src/a.ts': 'export const a = 1', 'src/all.ts': "export { a } from './a.ts'" },
        [['exports that nobody uses, unexplained', 2]],
      ],
      [
        'an export that only a test imports',
        { 'src/a.ts': 'export const a = 1', 'test/a.ts': "import { a } from '../src/a.ts'" },
        [['exports that only tests use, unexplained', 1]],
      ],
      [
        'one name in two files',
        {
          'src/a.ts': 'export const a = 1',
          'src/b.ts': 'export const a = 2',
          'src/c.ts': "import { a } from './a.ts'\nimport { a as b } from './b.ts'",
        },
        [['names exported twice, unexplained', 1]],
      ],
    ]
  it.each(rows)('%s', (name, files, expected) => {
    expect(broken(shapeOf(name, files))).toEqual(expected)
    expect(runShape(checkout(name, files), ['--strict'], NO_REASONS).code).toBe(1)
    expect(runShape(checkout(name, files), [], NO_REASONS).code).toBe(0)
  })
})

describe('nothing is wrong with', () => {
  it.each([
    [
      'a type in a signature',
      { 'src/index.ts': "export { f } from './a.ts'", 'src/a.ts': 'export function f(o: O) {}\nexport interface O {}' },
    ],
    [
      'what tests use and its own file needs',
      { 'src/a.ts': 'export const a = 1\nf(a)', 'test/a.ts': "import { a } from '../src/a.ts'" },
    ],
    ['names behind a star', { 'src/index.ts': "export * from './a.ts'", 'src/a.ts': 'export const a = 1' }],
    ['long tests', { 'src/a.test.ts': lines(500) }],
  ])('%s', (name, files) => expect(broken(shapeOf(name, files))).toEqual([]))
})

describe('reasons', () => {
  const files = {
    'src/a.ts': 'export const alone = 1',
    'src/m/b.ts': 'export const same = 1',
    'src/s/b.ts': 'export const same = 1',
    'src/w.ts': "import { same } from './m/b.ts'\nimport { same as other } from './s/b.ts'",
  }
  const adapters = { files: /^src\/(m|s)\//, isApart: false, why: 'adapters' }

  it('explain what is found, by name or by kind of file', () => {
    const unused = { 'src/a.ts alone': 'a tool reads it' }
    expect(broken(shapeOf('by name', files, { ...NO_REASONS, unused, twice: { same: 'why not' } }))).toEqual([])
    expect(broken(shapeOf('by kind', files, { ...NO_REASONS, unused, twice: {}, alike: [adapters] }))).toEqual([])
  })

  it('explain what is there for tests alone', () => {
    const oracle = { 'src/m/a.ts': 'export const a = 1', 'test/a.ts': "import { a } from '../src/m/a.ts'" }
    const forTests = [{ files: /^src\/m\//, why: 'definitions' }]
    expect(broken(shapeOf('for tests', oracle, { ...NO_REASONS, forTests }))).toEqual([])
  })

  it('of a kind do not cover files of another, unless the kind is apart', () => {
    const more = { ...files, 'src/b.ts': 'export const same = 3', 'src/v.ts': "import { same } from './b.ts'" }
    const unused = { 'src/a.ts alone': 'a tool reads it' }
    const rest = [['names exported twice, unexplained', 1]]
    expect(broken(shapeOf('other', more, { ...NO_REASONS, unused, twice: {}, alike: [adapters] }))).toEqual(rest)
    expect(
      broken(shapeOf('apart', more, { ...NO_REASONS, unused, twice: {}, alike: [{ ...adapters, isApart: true }] })),
    ).toEqual([])
  })

  it('for what is no longer there are findings', () => {
    const explained = {
      ...NO_REASONS,
      unused: { 'src/a.ts alone': 'x', 'src/a.ts gone': 'x' },
      forTests: [{ files: /^src\/gone/, why: 'x' }],
      twice: { same: 'x', gone: 'x' },
    }
    const shape = shapeOf('stale', files, explained)
    expect(broken(shape)).toEqual([['reasons for what is no longer there', 3]])
    expect(shape.exports.staleReasons).toEqual(['src/a.ts gone', 'gone', '/^src\\/gone/'])
  })
})
