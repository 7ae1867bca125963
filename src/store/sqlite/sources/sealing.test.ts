import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { settingsFor } from '../../../../test/support/published-items.ts'
import { applyQueries } from '../../../app/queries/apply.ts'
import { systemClock } from '../../../runtime/clock.ts'
import type { Store } from '../../store.ts'
import { openSqliteStore } from '../open.ts'

let folder: string
let path: string
let store: Store

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-sealing-'))
  path = join(folder, 'headwater.db')
})

afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

async function open(): Promise<Error | null> {
  const opened = await openSqliteStore({ path, clock: systemClock })
  store = opened.store
  return opened.unsealed
}

const SECRETS = ['hunter2-password', 'token-in-a-header', 'proxy-secret', 'webhook-secret', 'in-the-address']
const SETTINGS = settingsFor('https://example.org/a', {
  basicAuth: { user: 'me', password: SECRETS[0]! },
  headers: { authorization: SECRETS[1]! },
  proxyUrl: `http://p:${SECRETS[2]}@proxy.example/`,
  userAgent: 'mine',
})
const HOOK = { kind: 'webhook', url: 'https://hook.example/' } as const

async function fill(): Promise<void> {
  await store.addSources([SETTINGS, settingsFor(`https://you:${SECRETS[4]}@example.org/b`)], 0)
  await applyQueries('CREATE FEED f AS RETURN ALL;', store, { now: 0 })
  const change = { kind: 'subscribe', feed: 'f', output: HOOK, everyMs: null, secret: SECRETS[3]! } as const
  await store.changeQueries([change], await store.queryRevision(), 0)
}

/** Of all files but the key: database, journal, whatever is there. */
function foundOnDisk(): readonly string[] {
  const bytes = readdirSync(folder)
    .filter((name) => !name.endsWith('.key'))
    .map((name) => readFileSync(join(folder, name)).toString('latin1'))
    .join('\n')
  return SECRETS.filter((secret) => bytes.includes(secret))
}

describe('secrets that the node must read again', () => {
  it('are nowhere on the disk but sealed', async () => {
    await open()
    await fill()
    expect(foundOnDisk()).toEqual([])
    const [source, second] = await store.sources()
    expect(source).toMatchObject({ ...SETTINGS, isLocked: false })
    expect(second).toMatchObject({
      url: 'https://example.org/b',
      basicAuth: { user: 'you', password: SECRETS[4] },
    })
    expect((await store.subscriptions())[0]).toMatchObject({ secret: SECRETS[3] })
    await store.close()
    expect(foundOnDisk()).toEqual([])
    await open()
    expect((await store.sources())[0]).toMatchObject(SETTINGS)
  })

  it('are sealed where an earlier version wrote them in plain, and nothing is left of that', async () => {
    await open()
    await fill()
    await store.close()
    const db = new Database(path)
    const { headers, basicAuth, userAgent, proxyUrl } = SETTINGS
    const plain = db.prepare('UPDATE source SET request = ? WHERE id = 1')
    plain.run(JSON.stringify({ headers, basicAuth, userAgent, proxyUrl }))
    db.prepare('UPDATE source SET request = NULL, url = ? WHERE id = 2').run(`https://you:${SECRETS[4]}@example.org/b`)
    db.prepare('UPDATE subscription SET secret = ?').run(SECRETS[3])
    db.close()
    expect(foundOnDisk()).toEqual(SECRETS)
    expect(await open()).toBeNull()
    expect(foundOnDisk()).toEqual([])
    expect((await store.sources())[0]).toMatchObject(SETTINGS)
    expect((await store.sources())[1]).toMatchObject({ url: 'https://example.org/b', basicAuth: { user: 'you' } })
    expect((await store.subscriptions())[0]).toMatchObject({ secret: SECRETS[3] })
  })

  it('wait in plain where there can be no key, and the store works', async () => {
    await open()
    await fill()
    await store.close()
    const db = new Database(path)
    db.prepare('UPDATE subscription SET secret = ?').run(SECRETS[3])
    db.close()
    writeFileSync(join(folder, 'headwater.key'), 'not a key')
    expect(await open()).toMatchObject({ code: 'KEY_UNUSABLE' })
    expect((await store.sources()).map(({ isLocked }) => isLocked)).toEqual([true, true])
    expect(readFileSync(join(folder, 'headwater.key'), 'utf8')).toBe('not a key')
  })

  it.each([
    ['without the key', (key: string) => rmSync(key)],
    ['with another key', (key: string) => writeFileSync(key, Buffer.alloc(32, 1).toString('base64'))],
    ['with a broken key', (key: string) => writeFileSync(key, 'broken')],
  ])('%s stay as they are, and are there again with the right one', async (_how, spoil) => {
    const key = join(folder, 'headwater.key')
    await open()
    await fill()
    await store.close()
    const right = readFileSync(key)
    spoil(key)
    await open()
    expect(await store.source(1)).toMatchObject({ isLocked: true, basicAuth: null, headers: {}, proxyUrl: null })
    expect(await store.source(1)).toMatchObject({ userAgent: 'mine', name: null })
    expect((await store.subscriptions())[0]!.secret).toBeNull()
    await store.updateSource(1, { name: 'other name', userAgent: 'another', paused: true })
    await store.close()
    writeFileSync(key, right)
    await open()
    const expected = { ...SETTINGS, name: 'other name', userAgent: 'another', paused: true, isLocked: false }
    expect(await store.source(1)).toMatchObject(expected)
    expect((await store.subscriptions())[0]!.secret).toBe(SECRETS[3])
  })

  it('can be given again without the old key', async () => {
    const key = join(folder, 'headwater.key')
    await open()
    await fill()
    await store.close()
    renameSync(key, join(folder, 'lost.key'))
    await open()
    await store.updateSource(1, { basicAuth: { user: 'me', password: 'another' } })
    expect(await store.source(1)).toMatchObject({ isLocked: false, basicAuth: { password: 'another' }, headers: {} })
    const change = { kind: 'subscribe', feed: 'f', output: HOOK, everyMs: null, secret: 'new' } as const
    await store.changeQueries([change], await store.queryRevision(), 0)
    expect((await store.subscriptions())[0]!.secret).toBe('new')
    expect(existsSync(key)).toBe(true)
    expect(await store.source(2)).toMatchObject({ isLocked: true })
  })

  it('cost no key where there are none', async () => {
    await open()
    await store.addSources([settingsFor('https://example.org/', { userAgent: 'mine' })], 0)
    expect((await store.sources())[0]).toMatchObject({ userAgent: 'mine', isLocked: false })
    expect(existsSync(join(folder, 'headwater.key'))).toBe(false)
  })
})
