import { traceCommand } from '../../lab/trace.ts'
import type { CliContext } from '../../src/cli/context.ts'
import { runCli } from '../../src/cli/program.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { seededRandom } from '../../src/runtime/random.ts'

export interface CommandOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
}

/** A command of `headwater` in this process: how it ended, and what it said to either stream. */
export async function runCommand(argv: readonly string[], { env = {}, stdin = '' }: CommandOptions = {}) {
  let said = ''
  const say = (text: string) => {
    said += text
  }
  const context: CliContext = {
    out: say,
    err: say,
    isTerminal: false,
    env,
    clock: systemClock,
    random: seededRandom(1),
    readStdin: async () => Buffer.from(stdin),
    ask: null,
    signal: new AbortController().signal,
  }
  const startDemo = () => Promise.reject(new Error('no demo here'))
  const code = await runCli(argv, context, { startDemo, more: [traceCommand(context)] })
  return { code, said }
}
