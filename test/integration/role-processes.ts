import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { RoleName } from '../../src/app/data/role-names.ts'

export const PASSWORD = 'correct horse battery'

/** As it is built: compiling it for each of the many processes takes most of the time of these tests. */
const HEADWATER = join(import.meta.dirname, '../../dist/bin/headwater.js')
const FLAGS = ['--port', '0', '--allow-range', 'loopback', '--host-spacing', '0s', '--log-level', 'silent']

export interface RoleProcess {
  /** Where it serves; empty: it does not. */
  readonly url: string
  /** As a polite kill does; resolves with how it ended. */
  stop(): Promise<number | null>
  kill(): Promise<void>
}

/**
 * Starts `headwater serve --role …` in a process of its own; throws with what it says where it is refused. `program`: that of
 * another version.
 */
export async function startRole(
  role: RoleName,
  flags: readonly string[],
  program: string = HEADWATER,
): Promise<RoleProcess> {
  const args = [program, 'serve', '--role', role, ...FLAGS, ...flags]
  const child = spawn(process.execPath, args, {
    env: { ...process.env, HEADWATER_OWNER_PASSWORD: PASSWORD, HEADWATER_CHECKPOINT: '200ms', HEADWATER_LEASE: '5s' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const hello = await helloOf(child, role)
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit')
      child.kill(signal)
      await ended
    }
    return child.exitCode
  }
  return {
    url: /serves on (\S+)/.exec(hello)?.[1] ?? '',
    stop: () => end('SIGTERM'),
    kill: async () => void (await end('SIGKILL')),
  }
}

/** What it prints until it works. */
async function helloOf(child: ChildProcess, role: string): Promise<string> {
  let said = ''
  return new Promise((resolve, reject) => {
    const hear = (text: Buffer) => {
      said += text
      if (/^Headwater (?:serves on|runs as) .*\n/m.test(said)) resolve(said)
    }
    child.stdout?.on('data', hear)
    child.stderr?.on('data', hear)
    child.once('close', (code) => reject(new Error(`${role} ended with ${code}: ${said}`)))
  })
}

export type Ask = (method: string, path: string, body?: unknown) => Promise<Response>

/** Logs in as the owner. */
export async function askAt(url: string): Promise<Ask> {
  const headers = { 'x-headwater': '1', 'content-type': 'application/json' }
  const body = JSON.stringify({ name: 'owner', password: PASSWORD })
  const logIn = await fetch(`${url}/api/session`, { method: 'POST', headers, body })
  const cookie = logIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  return (method, path, input) =>
    fetch(`${url}${path}`, {
      method,
      ...(input === undefined
        ? { headers: { 'x-headwater': '1', cookie } }
        : { headers: { ...headers, cookie }, body: JSON.stringify(input) }),
    })
}

/** What a stream of events has sent so far. */
export async function listen(ask: Ask): Promise<{ text(): string; close(): Promise<void> }> {
  const reader = (await ask('GET', '/api/events')).body?.getReader()
  if (reader === undefined) throw new Error('no stream')
  const decoder = new TextDecoder()
  let text = ''
  const reading = (async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read())
      text += decoder.decode(part.value, { stream: true })
  })().catch(() => {})
  return {
    text: () => text,
    async close() {
      await reader.cancel().catch(() => {})
      await reading
    },
  }
}
