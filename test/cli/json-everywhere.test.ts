import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { benchCommand } from '../../bench/command.ts'
import { analyzeCommand, labCommand } from '../../lab/command.ts'
import { traceCommand } from '../../lab/trace.ts'
import type { CliContext } from '../../src/cli/context.ts'
import { buildProgram } from '../../src/cli/program.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { seededRandom } from '../../src/runtime/random.ts'

/** Commands that print no JSON, and why. */
const OTHERWISE: Readonly<Record<string, string>> = {
  serve: 'runs until it is ended; its log is lines of JSON',
  'source export': 'prints an OPML list; `source list --json` has the same',
  'trace export': 'prints a trace as CSV, which the lab reads',
  completion: 'prints a script for a shell',
}

const context: CliContext = {
  out: () => {},
  err: () => {},
  isTerminal: false,
  env: {},
  clock: systemClock,
  random: seededRandom(1),
  readStdin: async () => Buffer.alloc(0),
  ask: null,
  signal: new AbortController().signal,
}

const program = buildProgram(context, {
  startDemo: () => Promise.reject(new Error('no demo here')),
  more: [analyzeCommand(context), traceCommand(context), labCommand(context), benchCommand(context)],
})

/** Commands that do something, by the words that they are typed with. */
function leaves(command: Command, path = ''): [string, Command][] {
  if (command.commands.length === 0) return [[path, command]]
  return command.commands.flatMap((child) => leaves(child, `${path} ${child.name()}`.trim()))
}

const all = leaves(program)
const hasJson = (command: Command) => command.options.some(({ long }) => long === '--json')

describe('every command', () => {
  it('is found', () => expect(all.length).toBeGreaterThan(60))

  it.each(all)(
    '%s prints JSON where a program wants it, has an example in its help and a description',
    (path, command) => {
      const reason = OTHERWISE[path]
      expect([path, hasJson(command)]).toEqual([path, reason === undefined])
      expect(command.description()).not.toBe('')
      let help = ''
      command.configureOutput({ writeOut: (text) => (help += text) })
      command.outputHelp()
      expect(help).toContain(`$ headwater ${path}`)
    },
  )

  it('that has a reason for no JSON is there', () => {
    expect(Object.keys(OTHERWISE).filter((path) => !all.some(([name]) => name === path))).toEqual([])
  })
})
