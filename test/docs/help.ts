import { benchCommand } from '../../bench/command.ts'
import { analyzeCommand, labCommand } from '../../lab/command.ts'
import { traceCommand } from '../../lab/trace.ts'
import type { CliContext } from '../../src/cli/context.ts'
import { runCli } from '../../src/cli/program.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { seededRandom } from '../../src/runtime/random.ts'

/** What the program, with all its parts, says of a command; in this process, for there are many of them. */
export async function helpOf(words: readonly string[]): Promise<{ readonly code: number; readonly out: string }> {
  let out = ''
  const context: CliContext = {
    out: (text) => {
      out += text
    },
    err: (text) => {
      out += text
    },
    isTerminal: false,
    env: {},
    clock: systemClock,
    random: seededRandom(1),
    readStdin: async () => Buffer.alloc(0),
    ask: null,
    signal: new AbortController().signal,
  }
  const code = await runCli([...words, '--help'], context, {
    startDemo: () => Promise.reject(new Error('no demo here')),
    more: [analyzeCommand(context), traceCommand(context), labCommand(context), benchCommand(context)],
  })
  return { code, out }
}
