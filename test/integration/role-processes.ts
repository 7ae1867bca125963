import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { RoleName } from '../../src/app/data/role-names.ts'

export const PASSWORD = 'correct horse battery'

export interface RoleProcess {
  /** Where it serves, or believes that the API does. */
  readonly url: string
  /** As a polite kill does; resolves with how it ended. */
  stop(): Promise<number | null>
  kill(): Promise<void>
}

/** Starts one role in a process of its own; throws with the code of what refused it. */
export async function startRole(folder: string, role: RoleName): Promise<RoleProcess> {
  const child = fork(join(import.meta.dirname, 'role.child.ts'), [folder, role, PASSWORD], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const answer = await answerOf(child, role)
  if (answer.url === undefined) throw new Error(answer.failed)
  return {
    url: answer.url,
    async stop() {
      const ended = once(child, 'exit')
      child.send('stop')
      return (await ended)[0] as number | null
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

async function answerOf(child: ChildProcess, role: string): Promise<{ url?: string; failed?: string }> {
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as { url?: string; failed?: string }))
    child.once('exit', (code) => reject(new Error(`${role} ended with ${code}`)))
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
