import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCli } from '../../src/cli/program.ts'
import { tokenHash } from '../../src/publisher/feed-access.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import type { Store } from '../../src/store/store.ts'
import { first } from '../support/present.ts'
import { NOON } from '../support/published-items.ts'
import { addSource } from '../support/publishing.ts'
import { publishItems, saveFeed, subscribeTo } from '../support/query-publishing.ts'

let folder: string
let store: Store

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-commands-'))
  ;({ store } = await openSqliteStore({ path: join(folder, 'headwater.db'), clock: systemClock }))
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

async function run(...argv: readonly string[]) {
  let [out, err] = ['', '']
  const context = {
    out: (text: string) => {
      out += text
    },
    err: (text: string) => {
      err += text
    },
    isTerminal: false,
    env: {},
    clock: systemClock,
    random: seededRandom(1),
    readStdin: async () => new Uint8Array(),
    ask: null,
    signal: new AbortController().signal,
  }
  const startDemo = () => Promise.reject(new Error('no demo here'))
  const code = await runCli([...argv, '--data', folder], context, { startDemo, more: [] })
  return { code, out, err }
}

describe('feed and token', () => {
  it('make a feed private and public, and let readers in and out', async () => {
    const feed = await saveFeed(store, 'ice')
    expect((await run('feed', 'ice', '--private')).out).toContain('headwater token create ice')
    expect((await store.queryFeed('ice'))?.isPrivate).toBe(true)
    const token = JSON.parse((await run('token', 'create', 'ice', '--label', 'phone', '--json')).out)
    expect(token.token).toMatch(/^hw_[\w-]{32}$/)
    expect(token.url).toBe(`http://127.0.0.1:8080/feeds/ice.rss?token=${token.token}`)
    const stored = first(await store.feedTokens(feed.id))
    expect(stored).toMatchObject({ hash: tokenHash(token.token), label: 'phone' })
    const list = await run('token', 'list', 'ice')
    expect(list.out).toContain('phone')
    expect(list.out).not.toContain(token.token)
    expect(list.out).not.toContain(stored.hash)
    expect((await run('token', 'revoke', String(token.id))).code).toBe(0)
    expect((await run('token', 'revoke', String(token.id))).code).toBe(2)
    expect(await store.feedTokens(feed.id)).toEqual([])
    await run('feed', 'ice', '--public')
    expect((await store.queryFeed('ice'))?.isPrivate).toBe(false)
  })

  it('print a query feed, and say what is wrong with a name', async () => {
    const feed = await saveFeed(store, 'ice', { title: 'Ice' })
    const source = await addSource(store, 'https://a.example/feed')
    await publishItems(store, feed, source.id, [{ id: 'urn:1' }])
    expect(JSON.parse((await run('feed', 'ice', '--format', 'json')).out)).toMatchObject({
      title: 'Ice',
      items: [{ id: 'urn:1' }],
    })
    expect(await run('feed', 'fire')).toMatchObject({ code: 1, err: expect.stringContaining('FEED_NOT_FOUND') })
    expect(await run('feed', 'all', '--private')).toMatchObject({ code: 1 })
    expect(await run('token', 'create', 'fire')).toMatchObject({ code: 1 })
    expect(await run('feed', 'ice', '--private', '--public')).toMatchObject({ code: 2 })
  })
})

describe('subscription', () => {
  it('to a file outside of the folder for them is refused when the query is applied', async () => {
    await saveFeed(store, 'ice')
    const path = join(folder, 'x.query')
    writeFileSync(path, 'SUBSCRIBE TO ice OUTPUT FILE "../../etc/passwd";')
    const { code, err } = await run('query', 'apply', path)
    expect(code).toBe(1)
    expect(err).toMatch(/FILE_OUTSIDE.*--output-dir/s)
    expect(await store.subscriptions()).toEqual([])
  })

  it('shows where feeds go, with secrets only on request, and what was given up', async () => {
    const feed = await saveFeed(store, 'ice')
    const source = await addSource(store, 'https://a.example/feed')
    const { id } = await subscribeTo(store, feed, { kind: 'webhook', url: 'https://user:pw@hook.example/x' })
    await subscribeTo(store, feed, { kind: 'mail', address: 'a@b.example' }, 36_000_000)
    await publishItems(store, feed, source.id, [{ title: 'Lost one' }])
    const entry = first(await store.publications(feed.id, { limit: 1 }))
    const dead = { kind: 'dead', publications: [entry.seq], reason: 'HTTP_GONE: status 410', at: NOON } as const
    await store.recordDelivery(id, dead)

    const { out } = await run('subscription', 'list')
    expect(out).toMatch(/ice +webhook +immediately +– +https:\/\/hook\.example\/x +HTTP_GONE/)
    expect(out).toMatch(/ice +mail +every 10 h +– +a@b\.example/)
    expect(out).not.toContain('whsec_')
    expect((await run('subscription', 'list', '--secrets')).out).toContain('whsec_c2VjcmV0')
    const [webhook] = JSON.parse((await run('subscription', 'list', '--json')).out)
    expect(webhook).toMatchObject({ feed: 'ice', output: 'webhook', target: 'https://hook.example/x' })
    expect(JSON.stringify(webhook)).not.toMatch(/whsec_|pw/)

    expect((await run('subscription', 'dead')).out).toMatch(/HTTP_GONE: status 410 +Lost one/)
    const [letter] = JSON.parse((await run('subscription', 'dead', '--json')).out)
    expect((await run('subscription', 'redeliver', String(letter.id))).out).toBe('1 is tried again by the node\n')
    expect(await store.requeuedDeadLetters(9)).toHaveLength(1)
    expect((await run('subscription', 'redeliver', '--all', '99')).out).toBe('0 are tried again by the node\n')
    expect((await run('subscription', 'redeliver')).code).toBe(2)
    expect((await run('subscription', 'redeliver', 'x')).code).toBe(2)
  })
})
