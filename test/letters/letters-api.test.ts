import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/runtime/clock.ts'
import { type ApiNode, openApiNode } from '../api/api-node.ts'
import { addPerson, type TestUser } from '../support/people.ts'

let node: ApiNode
let owner: TestUser
let ann: TestUser
let ben: TestUser
beforeAll(async () => {
  node = await openApiNode({ flags: { mailDomain: 'letters.example', memberSources: 3 } })
  const { store } = node.data
  owner = await addPerson(store, 'owner', 'owner', systemClock.now())
  ann = await addPerson(store, 'ann', 'member', systemClock.now())
  ben = await addPerson(store, 'ben', 'member', systemClock.now())
})
afterAll(() => node.close())

const ask = (who: TestUser | null, method: string, path: string, body?: unknown) =>
  node.ask(method, path, { cookie: who?.cookie, ...(body === undefined ? {} : { body }) })
const add = async (who: TestUser) => (await ask(who, 'POST', '/api/letters', { name: 'The Weekly' })).body.letters

describe('addresses for letters in the API', () => {
  it('are shown to their owner and to nobody else, in no list and no detail', async () => {
    const { id, address } = await add(ann)
    expect(address).toMatch(/^[0-9a-f]{32}@letters\.example$/)
    expect((await ask(ann, 'GET', '/api/letters')).body.letters).toMatchObject([{ id, address, senders: [] }])
    for (const other of [ben, owner]) {
      expect((await ask(other, 'GET', '/api/letters')).body.letters).toEqual([])
      const seen = ['/api/sources', '/api/sources/table', `/api/sources/${id}`, '/api/opml', '/api/audit']
      for (const path of seen) {
        const { status, text } = await ask(other, 'GET', path)
        expect([path, status]).toEqual([path, 200])
        expect(text).not.toContain(address.slice(0, 32))
      }
      expect((await ask(other, 'PATCH', `/api/letters/${id}`, { senders: ['*'] })).status).toBe(404)
      expect((await ask(other, 'POST', `/api/letters/${id}/address`)).status).toBe(404)
    }
    expect((await ask(null, 'GET', '/api/letters')).status).toBe(401)
    expect((await ask(ben, 'DELETE', `/api/letters/${id}/address`)).status).toBe(404)
    // The node owner may close what is used against the node, without seeing it.
    expect((await ask(owner, 'DELETE', `/api/letters/${id}/address`)).status).toBe(204)
    expect((await ask(ann, 'GET', '/api/letters')).body.letters).toMatchObject([{ id, address: null }])
  })

  it('are renewed and guarded by their owner', async () => {
    const { id, address } = await add(ann)
    const renewed = (await ask(ann, 'POST', `/api/letters/${id}/address`)).body.letters
    expect(renewed.address).not.toBe(address)
    const set = await ask(ann, 'PATCH', `/api/letters/${id}`, { senders: ['News@Example.org', '@b.example'] })
    expect(set.body.letters).toMatchObject({ address: renewed.address, senders: ['news@example.org', '@b.example'] })
    expect((await ask(ann, 'PATCH', `/api/letters/${id}`, { senders: ['nobody'] })).status).toBe(400)
  })

  it('count among the sources that a member may add', async () => {
    await add(ben)
    await add(ben)
    await add(ben)
    const { status, body } = await ask(ben, 'POST', '/api/letters', { name: 'one more' })
    expect([status, body.code]).toEqual([409, 'LIMIT_REACHED'])
  })

  it('cannot be taken apart as the request of a source', async () => {
    const { id } = await add(owner)
    for (const patch of [{ url: 'https://evil.example/' }, { headers: {} }, { basicAuth: null }]) {
      const { status, body } = await ask(owner, 'PATCH', `/api/sources/${id}`, patch)
      expect([status, body.code]).toEqual([409, 'SOURCE_NOT_FETCHED'])
    }
    expect((await ask(owner, 'PATCH', `/api/sources/${id}`, { name: 'Other' })).status).toBe(200)
    expect((await ask(owner, 'POST', `/api/sources/${id}/refresh`)).body.code).toBe('SOURCE_NOT_FETCHED')
    const made = await ask(owner, 'POST', '/api/sources', { url: `letters:${'a'.repeat(40)}`, discover: false })
    expect(made.status).toBeGreaterThanOrEqual(400)
    expect((await ask(owner, 'GET', '/api/opml')).text).not.toContain('letters:')
  })
})
