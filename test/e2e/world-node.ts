import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { World } from '../../lab/worlds/server.ts'
import { withSourceDefaults } from '../../src/app/sources/import-sources.ts'
import type { SourceSettings } from '../../src/model/index.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { eventually, PATIENCE_MS } from '../support/patience.ts'

export { eventually } from '../support/patience.ts'

/** The program as built; HEADWATER_BIN names another, such as an installed package. */
const bin = process.env['HEADWATER_BIN'] ?? fileURLToPath(new URL('../../dist/bin/headwater.js', import.meta.url))

/** What a source with nothing but an address has. */
export function sourceAt(url: string, more: Partial<SourceSettings> = {}): SourceSettings {
  return withSourceDefaults({ url, ...more })
}

/** Runs one command to its end. */
export function headwater(...args: string[]): string {
  requireBuild()
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
    encoding: 'utf8',
    timeout: PATIENCE_MS,
  })
  if (status !== 0) throw new Error(`headwater ${args.join(' ')} ended with ${status}: ${stderr}`)
  return stdout
}

export interface NodeProcess {
  readonly url: string
  readonly output: () => string
  /** Resolves when it answers; rejects if it ends before. */
  ready(): Promise<void>
  /** Ends it as a power cut would. */
  kill(): Promise<void>
  /** Ends it politely; resolves with the exit code. */
  stop(): Promise<number | null>
}

const LOOK_EVERY_MS = 50

/** `headwater serve` as a process of its own. */
export function startServe(port: number, args: readonly string[], nodeArgs: readonly string[] = []): NodeProcess {
  requireBuild()
  const serve = ['serve', '--port', String(port), '--log-level', 'error', ...args]
  const child = spawn(process.execPath, [...nodeArgs, bin, ...serve], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const note = (chunk: Buffer) => {
    output += String(chunk)
  }
  child.stdout.on('data', note)
  child.stderr.on('data', note)
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    output: () => output,
    ready: () => answering(child, url, () => output),
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
    async stop() {
      child.kill('SIGTERM')
      return exited
    },
  }
}

/** Resolves when feeds were requested so many times more: how long a node lives is counted in its work, not by the clock. */
export async function waitForRequests(world: Pick<World, 'stats'>, times: number): Promise<void> {
  const requestCount = () => world.stats().feeds.reduce((sum, feed) => sum + feed.requests, 0)
  const enough = requestCount() + times
  if (!(await eventually(async () => requestCount() >= enough))) throw new Error('the node does not crawl')
}

async function answering(child: ChildProcess, url: string, output: () => string): Promise<void> {
  const endMs = systemClock.monotonicMs() + PATIENCE_MS
  while (systemClock.monotonicMs() < endMs) {
    if (child.exitCode !== null) throw new Error(`the node ended with ${child.exitCode}: ${output()}`)
    const answer = await fetch(`${url}/health`).catch(() => null)
    if (answer?.ok === true) return
    await systemClock.sleep(LOOK_EVERY_MS)
  }
  throw new Error(`the node does not answer: ${output()}`)
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

function requireBuild(): void {
  if (!existsSync(bin)) throw new Error('dist/ is missing; run: npm run build')
}
