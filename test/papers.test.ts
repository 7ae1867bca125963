import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { EXPERIMENT_IDS } from '../lab/experiments/index.ts'

const ROOT = new URL('../', import.meta.url)
const VERDICTS = ['holds', 'in part', 'open', 'background']

const rows = readFileSync(new URL('docs/papers.md', ROOT), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| item'))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, item, file, command, verdict, differs]) => ({ item, file, command, verdict, differs }))

const quoted = (cell: string | undefined) => [...(cell ?? '').matchAll(/`([^`]+)`/g)].map(([, text]) => text!)
/** Where people read of commands first. */
const guides = ['README.md', 'docs/features.md', 'docs/command-line.md']
  .map((path) => readFileSync(new URL(path, ROOT), 'utf8'))
  .join('\n')
const COMMANDS = [
  'serve',
  'parse',
  'feed',
  'source show',
  'query preview',
  'quality',
  'analyze',
  'bench terminals',
  'bench cluster',
  'lab compare',
]

const SCRIPTS = Object.keys(JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')).scripts)
const PAPERS = new URL('../shared/papers/', ROOT)
const files = existsSync(PAPERS) ? readdirSync(PAPERS).filter((name) => name.endsWith('.txt')) : []
const THESIS = files.find((name) => name.startsWith('001_'))
const KINDS = ['Definition', 'Algorithm', 'Figure', 'Table', 'Problem'] as const

/** Numbers of items of a kind that a cell names: `Figures 1.2 to 1.4` and `Definitions 2.1.1, 2.1.2` name all of theirs. */
function numbersIn(cell: string, kind: string): string[] {
  const lists = cell.matchAll(new RegExp(`${kind}s? (\\d[\\d.]*(?:(?:, | and | to )\\d[\\d.]*)*)`, 'g'))
  return [...lists].flatMap(([, list]) => {
    const parts = list!.split(/, | and /)
    return parts.flatMap((part) => {
      const [from, to] = part.split(' to ')
      if (to === undefined) return [from!]
      const stem = from!.replace(/\d+$/, '')
      const [first, last] = [from!, to].map((text) => Number(/\d+$/.exec(text)![0]))
      return Array.from({ length: last! - first! + 1 }, (_, step) => `${stem}${first! + step}`)
    })
  })
}

describe('docs/papers.md', () => {
  it.skipIf(THESIS === undefined)('has every numbered item of the thesis (skipped without ../shared/papers)', () => {
    const text = readFileSync(new URL(THESIS!, PAPERS), 'utf8')
    const [whole] = readFileSync(new URL('docs/papers.md', ROOT), 'utf8').split('\n## Horincar')
    const items = whole!.split('\n').map((line) => line.split('|')[1] ?? '')
    for (const kind of KINDS) {
      const printed = [...text.matchAll(new RegExp(`^[#* ]*${kind} (\\d+(?:\\.\\d+)+)`, 'gm'))].map(
        ([, number]) => number!,
      )
      expect(printed.length, kind).toBeGreaterThan(0)
      const named = items.flatMap((item) => numbersIn(item, kind))
      expect(
        [...new Set(printed)].filter((number) => !named.includes(number)),
        kind,
      ).toEqual([])
    }
    const equations = [...text.matchAll(/\((\d\.\d)\)\$\$/g)].map(([, number]) => number!)
    const named = items.flatMap((item) => [...numbersIn(item, 'Equation'), ...numbersIn(item, 'equation')])
    expect([...new Set(equations)].filter((number) => !named.includes(number))).toEqual([])
  })

  it('names the five papers, and files that exist', () => {
    expect(rows.length).toBeGreaterThan(60)
    const missing = rows.flatMap(({ file }) => quoted(file)).filter((path) => !existsSync(new URL(path, ROOT)))
    expect(missing).toEqual([])
  })

  it('names experiments and commands that exist', () => {
    const commands = rows.flatMap(({ command }) => quoted(command))
    const experiments = commands.flatMap((command) => /^headwater lab run (.+)$/.exec(command)?.slice(1) ?? [])
    expect(experiments.filter((id) => !EXPERIMENT_IDS.includes(id))).toEqual([])
    const scripts = commands.flatMap((command) => /^npm run (\S+)/.exec(command)?.slice(1) ?? [])
    expect(scripts.filter((script) => !SCRIPTS.includes(script))).toEqual([])
    const others = commands.filter((command) => !/^(headwater lab|npm) run /.test(command))
    expect(others.filter((command) => !COMMANDS.includes(command.replace(/^headwater /, '')))).toEqual([])
    expect(COMMANDS.filter((command) => !guides.includes(command.split(' ')[0]!))).toEqual([])
  })

  it('gives each item a verdict; what holds is shown by something, what holds in part says what is missing', () => {
    expect(rows.filter(({ verdict }) => !VERDICTS.includes(verdict!))).toEqual([])
    expect(rows.filter(({ verdict, command }) => verdict === 'holds' && quoted(command).length === 0)).toEqual([])
    expect(rows.filter(({ verdict, differs }) => verdict === 'in part' && differs === '')).toEqual([])
  })
})
