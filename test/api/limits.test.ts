import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../../src/runtime/clock.ts'
import { addPerson, type TestUser } from '../support/people.ts'
import { type ApiNode, openApiNode } from './api-node.ts'

let node: ApiNode
let owner: TestUser
let ann: TestUser

beforeAll(async () => {
  node = await openApiNode({ flags: { memberSources: 3, memberQueries: 2, memberSubscriptions: 2, memberTokens: 2 } })
  owner = await addPerson(node.data.store, 'owner', 'owner', systemClock.now())
  ann = await addPerson(node.data.store, 'ann', 'member', systemClock.now())
})
afterAll(() => node.close())

const post = (path: string, { cookie }: TestUser, body: unknown) => node.ask('POST', path, { cookie, body })
const apply = (who: TestUser, text: string) => post('/api/queries', who, { text })

describe('what one member may have', () => {
  it('statements that would make too much change nothing, and say how much is too much', async () => {
    const answer = await apply(ann, [1, 2, 3].map((n) => `CREATE FEED f${n} AS RETURN ALL;`).join('\n'))
    expect(answer.status).toBe(409)
    expect(answer.body).toMatchObject({ code: 'LIMIT_REACHED', detail: expect.stringContaining('at most 2') })
    expect(await node.data.store.queryFeeds()).toEqual([])
    const sources = [1, 2, 3, 4].map((n) => `REGISTER FEED "http://r${n}.invalid/" AS r${n};`).join('\n')
    expect((await apply(ann, sources)).body.code).toBe('LIMIT_REACHED')
    const inQuery = [1, 2, 3, 4].map((n) => `"http://r${n}.invalid/"`).join(' | ')
    expect((await apply(ann, `CREATE FEED f1 AS RETURN ${inQuery};`)).body.code).toBe('LIMIT_REACHED')
    const output = (n: number) => `SUBSCRIBE TO f1 OUTPUT FILE "${n}.xml";`
    const text = `CREATE FEED f1 AS RETURN ALL; ${[1, 2, 3].map(output).join(' ')}`
    expect((await apply(ann, text)).body.code).toBe('LIMIT_REACHED')
    expect((await node.data.store.sources()).length).toBe(0)
  })

  it('what is given up makes room', async () => {
    expect((await apply(ann, 'CREATE FEED f1 AS RETURN ALL; CREATE FEED f2 AS RETURN ALL;')).status).toBe(200)
    expect((await apply(ann, 'CREATE FEED f3 AS RETURN ALL;')).body.code).toBe('LIMIT_REACHED')
    expect((await apply(ann, 'ALTER FEED f1 TITLE "still mine";')).status).toBe(200)
    expect((await apply(ann, 'DROP FEED f2; CREATE FEED f3 AS RETURN ALL;')).status).toBe(200)
  })

  it('the owner may have any number', async () => {
    expect((await apply(owner, [1, 2, 3, 4].map((n) => `CREATE FEED o${n} AS RETURN ALL;`).join('\n'))).status).toBe(
      200,
    )
    for (let n = 0; n < 4; n++) expect((await post('/api/tokens', owner, { scope: 'read' })).status).toBe(201)
  })

  it('a list that holds too many new sources is refused whole', async () => {
    const outlines = [1, 2, 3, 4].map((n) => `<outline text="${n}" xmlUrl="http://i${n}.invalid/"/>`)
    const list = (some: readonly string[]) => `<opml version="2.0"><body>${some.join('')}</body></opml>`
    const jobOf = async (text: string) => {
      const { job } = (await node.ask('POST', '/api/opml', { cookie: ann.cookie, body: text })).body
      const look = async () => (await node.ask('GET', `/api/jobs/${job.id}`, { cookie: ann.cookie })).body
      await vi.waitFor(async () => expect((await look()).state).not.toBe('running'))
      return look()
    }
    expect((await jobOf(list(outlines))).error).toMatchObject({ code: 'LIMIT_REACHED' })
    expect((await jobOf(list([...outlines.slice(1), outlines[1]!]))).result).toMatchObject({ added: 3 })
    expect((await post('/api/sources', ann, { url: 'http://more.invalid/', discover: false })).body.code).toBe(
      'LIMIT_REACHED',
    )
    // One that is there already costs nothing.
    expect((await post('/api/sources', ann, { url: 'http://i2.invalid/', discover: false })).body.added).toBe(false)
  })
})

describe('the daily allowance', () => {
  it('is set only with the admin right, within bounds', async () => {
    const add = (who: TestUser, host: string, dailyAllowance: unknown) =>
      post('/api/sources', who, { url: `http://${host}.invalid/`, discover: false, dailyAllowance })
    const bob = await addPerson(node.data.store, 'bob', 'member', systemClock.now())
    expect((await add(bob, 'a1', 'off')).body.code).toBe('RIGHT_MISSING')
    expect((await add(bob, 'a1', 10)).body.code).toBe('RIGHT_MISSING')
    expect((await add(bob, 'a1', null)).body.source).toMatchObject({
      dailyAllowance: null,
      intake: { allowance: 5_000 },
    })
    expect((await add(owner, 'a2', 'off')).body.source).toMatchObject({
      dailyAllowance: 'off',
      intake: { allowance: null },
    })
    for (const wrong of [-1, 1.5, 10_000_001, 'on', '5'])
      expect((await add(owner, 'a3', wrong)).body.code).toBe('REQUEST_INVALID')
  })
})

describe('own intervals', () => {
  it.each(['intervalMs', 'minIntervalMs', 'maxIntervalMs'])(
    '%s below minInterval needs the admin right',
    async (name) => {
      const bob = await addPerson(node.data.store, `bob${name}`, 'member', systemClock.now())
      const add = (who: TestUser, host: string, ms: number) =>
        post('/api/sources', who, { url: `http://${host}.invalid/`, discover: false, [name]: ms })
      const { minInterval } = node.config
      expect((await add(bob, `${name}1`, minInterval - 1)).body.code).toBe('INTERVAL_TOO_SHORT')
      expect((await add(bob, `${name}2`, minInterval)).status).toBe(201)
      expect((await add(owner, `${name}3`, 1_000)).status).toBe(201)
    },
  )
})
