#!/usr/bin/env node
import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { buffer } from 'node:stream/consumers'
import { benchCommand } from '../bench/command.ts'
import { analyzeCommand, labCommand } from '../lab/command.ts'
import { traceCommand } from '../lab/trace.ts'
import type { CliContext } from '../src/cli/context.ts'
import { runCli } from '../src/cli/program.ts'
import { terminalScreen } from '../src/cli/screen.ts'
import { styleFor, terminalSafe } from '../src/cli/style.ts'
import { createWaiting } from '../src/cli/waiting.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { keepHeapSmall } from '../src/runtime/heap.ts'
import { systemRandom } from '../src/runtime/random.ts'

keepHeapSmall()
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
// A reader that has seen enough (`| head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

const isTerminal = process.stderr.isTTY === true
const waiting = isTerminal ? createWaiting() : undefined
const shown = process.stdout.isTTY ? terminalSafe : (text: string) => text
const said = isTerminal ? terminalSafe : (text: string) => text

const context: CliContext = {
  out: (text) => {
    waiting?.stop()
    process.stdout.write(shown(text))
  },
  err: (text) => {
    waiting?.stop()
    writeSync(2, said(text))
  },
  isTerminal,
  style: styleFor(process.stdout.isTTY === true, process.env),
  ...(waiting && { waiting }),
  ...(process.stdout.isTTY && { screen: terminalScreen(process.stdin, process.stdout) }),
  env: process.env,
  clock: systemClock,
  random: systemRandom,
  readStdin: () => {
    waiting?.stop()
    return buffer(process.stdin)
  },
  ask: process.stdin.isTTY && isTerminal ? ask : null,
  signal: stopping.signal,
}

async function ask(question: string): Promise<string> {
  waiting?.stop()
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await terminal.question(question, { signal: stopping.signal })
  } finally {
    terminal.close()
  }
}

process.exitCode = await runCli(process.argv.slice(2), context, {
  startDemo: async (config) => (await import('../lab/demo/demo-for-serve.ts')).startDemoForServe(context, config),
  lab: (config) => ({
    run: async (...args) => (await import('../lab/node-history/lab.ts')).labFor(config, systemClock).run(...args),
  }),
  more: [analyzeCommand(context), traceCommand(context), labCommand(context), benchCommand(context)],
})
