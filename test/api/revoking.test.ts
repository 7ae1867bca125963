import { afterAll, beforeAll, expect, it } from 'vitest'
import { SESSION_COOKIE, secretHash } from '../../src/api/access/principal.ts'
import { DAY_MS } from '../../src/model/index.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { NO_ORIGIN } from '../../src/store/accounts.ts'
import { addPerson, type TestUser } from '../support/people.ts'
import { type ApiNode, openApiNode } from './api-node.ts'

let node: ApiNode
let ann: TestUser
let bob: TestUser

beforeAll(async () => {
  node = await openApiNode()
  ann = await addPerson(node.data.store, 'ann', 'member', systemClock.now())
  bob = await addPerson(node.data.store, 'bob', 'member', systemClock.now())
})
afterAll(() => node.close())

async function anotherSession(secret: string): Promise<string> {
  const now = systemClock.now()
  const session = { hash: secretHash(secret), userId: ann.user.id, endsAt: now + 30 * DAY_MS, origin: NO_ORIGIN }
  await node.data.store.openSession(session, now)
  return `${SESSION_COOKIE}=${secret}`
}

const sessionsOf = async (cookie: string) => (await node.ask('GET', '/api/sessions', { cookie })).body.sessions
const status = async (cookie: string) => (await node.ask('GET', '/api/sources', { cookie })).status

it('own sessions are listed without their secrets, and ended one by one; those of others are as if not there', async () => {
  const other = await anotherSession('phone')
  const listed = await sessionsOf(ann.cookie)
  expect(listed).toHaveLength(2)
  expect(listed.filter(({ isThis }: { isThis: boolean }) => isThis)).toHaveLength(1)
  const { id } = (await sessionsOf(other)).find(({ isThis }: { isThis: boolean }) => isThis)
  const foreign = await node.ask('DELETE', `/api/sessions/${id}`, { cookie: bob.cookie })
  const missing = await node.ask('DELETE', '/api/sessions/0123456789abcdef', { cookie: bob.cookie })
  expect(foreign.text.replaceAll(id, '')).toBe(missing.text.replaceAll('0123456789abcdef', ''))
  expect(await status(other)).toBe(200)
  expect((await node.ask('DELETE', `/api/sessions/${id}`, { cookie: ann.cookie })).status).toBe(204)
  expect(await status(other)).toBe(401)
})

it("all other sessions and all tokens end at once, and nobody else's", async () => {
  const others = [await anotherSession('a'), await anotherSession('b')]
  const make = async ({ cookie }: TestUser) => {
    const answer = await node.ask('POST', '/api/tokens', { cookie, body: { scope: 'write' } })
    return answer.body.secret as string
  }
  const tokens = [await make(ann), await make(ann)]
  const his = await make(bob)
  expect((await node.ask('DELETE', '/api/sessions', { cookie: ann.cookie })).status).toBe(204)
  for (const cookie of others) expect(await status(cookie)).toBe(401)
  expect([await status(ann.cookie), await status(bob.cookie)]).toEqual([200, 200])
  // The one that asks stays, so that a program can clear up behind others.
  expect((await node.ask('DELETE', '/api/tokens', { token: tokens[0] })).body).toEqual({ removed: 1 })
  expect((await node.ask('GET', '/api/tokens', { token: tokens[1] })).status).toBe(401)
  expect((await node.ask('DELETE', '/api/tokens', { cookie: ann.cookie })).body).toEqual({ removed: 1 })
  expect((await node.ask('GET', '/api/tokens', { token: tokens[0] })).status).toBe(401)
  expect((await node.ask('GET', '/api/tokens', { token: his })).status).toBe(200)
})
