import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../../src/runtime/clock.ts'
import type { Client } from './client.ts'

/** The program as built: this file is either compiled beside it or still the source. HEADWATER_BIN names another. */
const BUILT = fileURLToPath(new URL('../../bin/headwater.js', import.meta.url))
const FROM_SOURCE = fileURLToPath(new URL('../../dist/bin/headwater.js', import.meta.url))
const PROGRAM = process.env['HEADWATER_BIN'] ?? (existsSync(BUILT) ? BUILT : FROM_SOURCE)

const READY_WITHIN_MS = 180_000
const LOOK_EVERY_MS = 50
const MOST_OUTPUT = 1_000_000

export interface ProcessOptions {
  /** Of `headwater serve`. */
  readonly flags: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Of node itself, as --max-old-space-size=96. */
  readonly nodeArgs: readonly string[]
  /** What the command begins with, such as a way into a network of its own. */
  readonly prefix?: readonly string[]
}

/** `headwater serve` as a process of its own. */
export interface ServeProcess {
  readonly pid: number
  readonly exit: Promise<number | null>
  isRunning(): boolean
  output(): string
  /** CPU time of all its threads so far. */
  cpuMs(): number
  /** The most memory that it has had resident so far. */
  peakBytes(): number
  signal(name: NodeJS.Signals): void
}

export function startProcess({ flags, env, nodeArgs, prefix = [] }: ProcessOptions): ServeProcess {
  if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} is missing; run: npm run build`)
  const [command = '', ...args] = [...prefix, process.execPath, ...nodeArgs, PROGRAM, 'serve', ...flags]
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...withoutSettings(process.env), ...env },
  })
  let output = ''
  const note = (chunk: Buffer) => {
    output = (output + String(chunk)).slice(-MOST_OUTPUT)
  }
  child.stdout.on('data', note)
  child.stderr.on('data', note)
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  return {
    pid: child.pid!,
    exit: exited,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    output: () => output,
    cpuMs: () => cpuMsOf(child.pid!),
    peakBytes: () => peakBytesOf(child.pid!),
    signal: (name) => void child.kill(name),
  }
}

/** Settings of the user who runs the attacks are not the node's. */
function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('HEADWATER_')))
}

/** Resolves when the node answers; rejects if it ends before. */
export async function answering(served: ServeProcess, client: Client): Promise<void> {
  const endMs = systemClock.monotonicMs() + READY_WITHIN_MS
  while (systemClock.monotonicMs() < endMs) {
    if (!served.isRunning()) throw new Error(`the node ended: ${served.output()}`)
    if ((await client.ask('GET', '/api/session')).status === 200) return
    await systemClock.sleep(LOOK_EVERY_MS)
  }
  throw new Error(`the node does not answer: ${served.output()}`)
}

/** From /proc/…/stat, in hundredths of a second (USER_HZ is 100 on every Linux that Node runs on); 0 elsewhere. */
function cpuMsOf(pid: number): number {
  const fields = procFile(pid, 'stat')
    .replace(/^.*\) /s, '')
    .split(' ')
  return 10 * (Number(fields[11] ?? 0) + Number(fields[12] ?? 0))
}

function peakBytesOf(pid: number): number {
  return 1024 * Number(/VmHWM:\s+(\d+)/.exec(procFile(pid, 'status'))?.[1] ?? 0)
}

function procFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}
