import { existsSync, readFileSync } from 'node:fs'
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
const readme = readFileSync(new URL('README.md', ROOT), 'utf8')
const COMMANDS = ['serve', 'parse', 'feed', 'source show', 'query preview', 'quality', 'analyze', 'bench crawl']

describe('docs/papers.md', () => {
  it('names the five papers, and files that exist', () => {
    expect(rows.length).toBeGreaterThan(60)
    const missing = rows.flatMap(({ file }) => quoted(file)).filter((path) => !existsSync(new URL(path, ROOT)))
    expect(missing).toEqual([])
  })

  it('names experiments and commands that exist', () => {
    const commands = rows.flatMap(({ command }) => quoted(command))
    const experiments = commands.flatMap((command) => /^headwater lab run (.+)$/.exec(command)?.slice(1) ?? [])
    expect(experiments.filter((id) => !EXPERIMENT_IDS.includes(id))).toEqual([])
    const others = commands.filter((command) => !command.startsWith('headwater lab run '))
    expect(others.filter((command) => !COMMANDS.includes(command.replace(/^headwater /, '')))).toEqual([])
    expect(COMMANDS.filter((command) => !readme.includes(command.split(' ')[0]!))).toEqual([])
  })

  it('gives each item a verdict; what holds is shown by something, what holds in part says what is missing', () => {
    expect(rows.filter(({ verdict }) => !VERDICTS.includes(verdict!))).toEqual([])
    expect(rows.filter(({ verdict, command }) => verdict === 'holds' && quoted(command).length === 0)).toEqual([])
    expect(rows.filter(({ verdict, differs }) => verdict === 'in part' && differs === '')).toEqual([])
  })
})
