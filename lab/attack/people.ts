import { entryAt } from '../../src/model/entry-at.ts'
import type { AttackAnswer, AttackRequest, Client } from './client.ts'

export const PASSWORD = 'correct horse battery staple'

/** Somebody with a session on a node. */
export interface AttackUser {
  readonly name: string
  readonly cookie: string
  ask(method: string, path: string, options?: AttackRequest): Promise<AttackAnswer>
  /** The body of an answer that must be a success. */
  // biome-ignore lint/suspicious/noExplicitAny: attacks look into answers freely
  must(method: string, path: string, body?: unknown, options?: AttackRequest): Promise<any>
  /** The secret of a new token. */
  token(scope: 'read' | 'write' | 'admin' | 'feed', feed?: string): Promise<string>
}

/** Becomes the owner of a new node. */
export async function claim(client: Pick<Client, 'ask'>): Promise<AttackUser> {
  const name = 'owner'
  return entered(client, name, await client.ask('POST', '/api/session/owner', { body: { name, password: PASSWORD } }))
}

let invitations = 0

export async function invite(client: Pick<Client, 'ask'>, owner: AttackUser, name: string): Promise<AttackUser> {
  const { invitation } = await owner.must('POST', '/api/users', { name })
  // Log-ins are limited by address, and this is not what an attack is about.
  const from = process.platform === 'linux' ? { from: `127.0.7.${1 + (invitations++ % 250)}` } : {}
  const body = { invitation, password: PASSWORD }
  return entered(client, name, await client.ask('POST', '/api/session/invitation', { body, ...from }))
}

/** Logs in; throws if the node refuses. */
export async function logIn(
  client: Pick<Client, 'ask'>,
  name: string,
  options: AttackRequest = {},
): Promise<AttackUser> {
  const body = { name, password: PASSWORD }
  return entered(client, name, await client.ask('POST', '/api/session', { ...options, body }))
}

function entered(client: Pick<Client, 'ask'>, name: string, answer: AttackAnswer): AttackUser {
  const cookie = entryAt(String(answer.headers['set-cookie'] ?? '').split(';', 1), 0)
  if (answer.status > 299 || cookie === '') throw new Error(`${name} cannot enter: ${answer.status} ${answer.text}`)
  const ask = (method: string, path: string, options: AttackRequest = {}) =>
    client.ask(method, path, { cookie, ...options })
  const must = async (method: string, path: string, body?: unknown, options: AttackRequest = {}) => {
    const answer = await ask(method, path, { ...options, ...(body === undefined ? {} : { body }) })
    if (answer.status < 200 || answer.status > 299)
      throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    return answer.body
  }
  return {
    name,
    cookie,
    ask,
    must,
    token: async (scope, feed) => (await must('POST', '/api/tokens', { scope, feed: feed ?? null })).secret,
  }
}
