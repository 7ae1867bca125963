import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EXPERIMENT_IDS } from '../../lab/experiments/index.ts'
import { type DocumentedCommand, documentedCommands } from './documented.ts'
import { ELSEWHERE } from './elsewhere.ts'
import { helpOf } from './help.ts'
import { type DocsStage, openDocsStage, type ServedNode } from './stage.ts'

const ROOT = join(import.meta.dirname, '../..')
const FILES = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name))
    .sort(),
]
const ALL = FILES.flatMap((file) => documentedCommands(file, readFileSync(join(ROOT, file), 'utf8')))

/** What documents leave to the reader, as it is here. */
const READERS: readonly (readonly [RegExp, (stage: DocsStage) => string])[] = [
  [/https:\/\/example\.org\//g, (stage) => stage.site.url('/')],
  [/http:\/\/…\/feeds\/ice\.atom/, (stage) => stage.site.url('/private.atom')],
  [/\bFILE\b/, () => 'kept.headwater'],
  [/\bF$/, () => 'trace.csv.gz'],
  [/\bID\b/, () => '1'],
  [/password NAME/, () => 'password owner < file'],
  [/revoke 3/, () => 'revoke 1'],
  [/\bNAME\b/, () => 'ice'],
  [/\bTOKEN\b/, () => 'secret'],
]

const isExperiment = (command: string) => EXPERIMENT_IDS.some((id) => command === `headwater lab run ${id}`)
const isServing = (command: string) => /^(?:npx headwater|headwater) serve\b|^npm start\b/.test(command)
/** A name without what it needs, as `headwater source show`. */
const isBare = ({ command, isMention }: DocumentedCommand) =>
  isMention && /^(?:npx )?headwater(?: [a-z-]+)*$/.test(command) && !command.endsWith(' ice')
/** Not beside a running node. */
const isAlone = (command: string) => command.startsWith('headwater restore')

const pages = (command: string) =>
  ALL.filter((one) => one.command === command)
    .map(({ file, line }) => `${file}:${line}`)
    .join(', ')
const unique = (commands: readonly DocumentedCommand[]) => [...new Set(commands.map(({ command }) => command))]

/** What is shown twice is run once. */
function firsts(commands: readonly DocumentedCommand[]): readonly DocumentedCommand[] {
  return commands.filter(({ command }, index) => commands.findIndex((one) => one.command === command) === index)
}

const here = ALL.filter(({ command }) => ELSEWHERE[command] === undefined && !isExperiment(command))
const bare = unique(here.filter(isBare))
const serving = unique(here.filter((one) => !isBare(one) && isServing(one.command)))
const others = firsts(here.filter((one) => !isBare(one) && !isServing(one.command) && !isAlone(one.command)))
const alone = firsts(here.filter(({ command }) => isAlone(command)))

let stage: DocsStage
let node: ServedNode
beforeAll(async () => {
  stage = await openDocsStage()
  node = await stage.serve('npm start')
})
afterAll(async () => {
  await node?.end()
  await stage.close()
})

describe('every command of README and docs', () => {
  it('is found', () => {
    expect(ALL.length).toBeGreaterThan(120)
    expect(others.length).toBeGreaterThan(30)
    expect(node.output).toContain('http://127.0.0.1:')
  })

  it('that is run by another test names one that is there, and no command is named that no document shows', () => {
    for (const [command, { by, shows }] of Object.entries(ELSEWHERE)) {
      expect(pages(command), command).not.toBe('')
      expect(readFileSync(join(ROOT, by), 'utf8'), `${command}: ${by}`).toContain(shows)
    }
  })

  it.each(unique(ALL.filter(({ command }) => isExperiment(command))))('%s has a test of its own', (command) => {
    const id = command.split(' ').at(-1)!
    // One that takes a quarter of an hour is among the long tests.
    const tests = ['experiment.test.ts', 'experiment.long.test.ts'].map((name) =>
      join(ROOT, 'lab/experiments', id, name),
    )
    expect(tests.filter((path) => existsSync(path))).not.toEqual([])
  })

  it('the scripts that documents name are there', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>
    }
    for (const { command } of ALL) {
      const name = /^npm run ([\w:]+)/.exec(command)?.[1] ?? /^npm (test|start)\b/.exec(command)?.[1]
      if (name !== undefined) expect(Object.keys(scripts), command).toContain(name)
    }
    // And what they run, where it is a file.
    for (const script of Object.values(scripts)) {
      for (const [, path] of script.matchAll(/\bnode ((?:scripts|dist)\/\S+)/g)) {
        expect(existsSync(join(ROOT, path!)), script).toBe(true)
      }
    }
    expect(scripts['test:time']).toContain('test-time.mjs')
  })

  it.each(bare)('%s is a command', async (command) => {
    const words = command.replace(/^npx /, '').split(' ')
    const { code, out } = await helpOf(words.slice(1))
    expect(code, out).toBe(0)
    expect(out).toContain('Usage: headwater')
    expect(out).toContain(words.at(-1)!)
  })

  // In the order in which somebody reads them: what one makes another needs.
  it.each(others.map((one) => [one.command, one] as const))('%s', (_name, one) => expectDone(one))

  it.each(serving.map((command, index) => [command, index] as const))('%s serves', async (command, index) => {
    const served = await stage.serve(command, { folder: join(stage.folder, `node-${index}`) })
    expect(served.output).toContain('http://127.0.0.1:')
    expect(await served.end()).toBe(0)
  })

  it.each(alone.map((one) => [one.command, one] as const))('%s, when the node has ended', async (_name, one) => {
    expect(await node.end()).toBe(0)
    await expectDone(one)
  })
})

async function expectDone({ file, line, command }: DocumentedCommand): Promise<void> {
  const asHere = READERS.reduce((text, [what, put]) => text.replace(what, put(stage)), command)
  const ran = await stage.run(asHere)
  expect(ran.code, `${file}:${line}: ${asHere}\n${ran.out}${ran.err}`).toBe(0)
}
