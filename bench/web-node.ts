import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../src/runtime/clock.ts'

export interface BenchNode {
  readonly url: string
  /** The session of its owner. */
  readonly cookie: string
  stop(): Promise<void>
}

const READY_WITHIN_MS = 60_000
const LOOK_EVERY_MS = 100

/** A node in a process of its own, on data made before, that fetches nothing. */
export async function startNodeOn(dataDir: string, port: number): Promise<BenchNode> {
  const bin = fileURLToPath(
    new URL(import.meta.url.endsWith('.ts') ? '../dist/bin/headwater.js' : '../bin/headwater.js', import.meta.url),
  )
  const args = ['serve', '--data', dataDir, '--port', String(port), '--budget', '1/day', '--log-level', 'error']
  const child = spawn(process.execPath, [bin, ...args], { stdio: ['ignore', 'ignore', 'inherit'], env: unset() })
  const exited = once(child, 'exit')
  const url = `http://127.0.0.1:${port}`
  const stop = async () => {
    child.kill('SIGTERM')
    await exited
  }
  try {
    await answering(url, () => child.exitCode !== null)
    return { url, cookie: await claim(url), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Settings of the user who runs the bench are not the node's: an owner's password among them would claim it. */
function unset(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('HEADWATER_')))
}

async function answering(url: string, hasEnded: () => boolean): Promise<void> {
  for (let waitedMs = 0; waitedMs < READY_WITHIN_MS && !hasEnded(); waitedMs += LOOK_EVERY_MS) {
    if ((await fetch(`${url}/health`).catch(() => null))?.ok === true) return
    await systemClock.sleep(LOOK_EVERY_MS)
  }
  throw new Error('the node does not answer; is it built? npm run build')
}

async function claim(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/session/owner`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-headwater': '1' },
    body: JSON.stringify({ name: 'owner', password: 'only for this bench' }),
  })
  if (!answer.ok) throw new Error(`the node cannot be claimed: ${answer.status}`)
  return (answer.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? ''
}
