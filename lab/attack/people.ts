import { entryAt } from '../../src/model/entry-at.ts'
import type { Answer, Asked, Client } from './client.ts'

export const PASSWORD = 'correct horse battery staple'

/** Somebody with a session on a node. */
export interface Person {
  readonly name: string
  readonly cookie: string
  ask(method: string, path: string, asked?: Asked): Promise<Answer>
  /** The body of an answer that must be a success. */
  // biome-ignore lint/suspicious/noExplicitAny: attacks look into answers freely
  must(method: string, path: string, body?: unknown, asked?: Asked): Promise<any>
  /** The secret of a new token. */
  token(scope: 'read' | 'write' | 'admin' | 'feed', feed?: string): Promise<string>
}

/** Becomes the owner of a new node. */
export async function claim(client: Pick<Client, 'ask'>): Promise<Person> {
  const name = 'owner'
  return entered(client, name, await client.ask('POST', '/api/session/owner', { body: { name, password: PASSWORD } }))
}

let invitations = 0

export async function invite(client: Pick<Client, 'ask'>, owner: Person, name: string): Promise<Person> {
  const { invitation } = await owner.must('POST', '/api/users', { name })
  // Log-ins are limited by address, and this is not what an attack is about.
  const from = process.platform === 'linux' ? { from: `127.0.7.${1 + (invitations++ % 250)}` } : {}
  const body = { invitation, password: PASSWORD }
  return entered(client, name, await client.ask('POST', '/api/session/invitation', { body, ...from }))
}

/** Logs in; throws if the node refuses. */
export async function logIn(client: Pick<Client, 'ask'>, name: string, asked: Asked = {}): Promise<Person> {
  const body = { name, password: PASSWORD }
  return entered(client, name, await client.ask('POST', '/api/session', { ...asked, body }))
}

function entered(client: Pick<Client, 'ask'>, name: string, answer: Answer): Person {
  const cookie = entryAt(String(answer.headers['set-cookie'] ?? '').split(';', 1), 0)
  if (answer.status > 299 || cookie === '') throw new Error(`${name} cannot enter: ${answer.status} ${answer.text}`)
  const ask = (method: string, path: string, asked: Asked = {}) => client.ask(method, path, { cookie, ...asked })
  const must = async (method: string, path: string, body?: unknown, asked: Asked = {}) => {
    const given = await ask(method, path, { ...asked, ...(body === undefined ? {} : { body }) })
    if (given.status < 200 || given.status > 299) throw new Error(`${method} ${path}: ${given.status} ${given.text}`)
    return given.body
  }
  return {
    name,
    cookie,
    ask,
    must,
    token: async (scope, feed) => (await must('POST', '/api/tokens', { scope, feed: feed ?? null })).secret,
  }
}
