import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { secretHash } from '../../src/api/access/principal.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { type ApiNode, openApiNode } from '../api/api-node.ts'
import { hasTools } from '../support/debian-tools.ts'
import { addPerson, type TestUser } from '../support/people.ts'
import { addSource, storeItems } from '../support/publishing.ts'
import { itemOf } from './reader-node.ts'
import { openScreen, type XScreen } from './x-screen.ts'

const PROGRAMS = ['rssguard', 'Xvfb', 'xdotool', 'import']
const PACKAGES = ['rssguard', 'xvfb', 'xdotool', 'imagemagick']

const canRun = hasTools(PROGRAMS, PACKAGES)
if (!canRun) console.warn(`Skipped, it takes ${PACKAGES.join(', ')}: rssguard on a screen`)

const WAIT = { timeout: 300_000, interval: 500 }
const SECRET = 'hw_app-password-of-rssguard'

describe.runIf(canRun)('rssguard of Debian, on a screen', () => {
  let folder: string
  let node: ApiNode
  let owner: TestUser
  let screen: XScreen

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'headwater-rssguard-'))
    node = await openApiNode()
    const { store } = node.data
    const now = systemClock.now()
    owner = await addPerson(store, 'owner', 'owner', now)
    await store.addApiToken(
      { userId: owner.user.id, label: null, scope: 'app', feed: null, hash: secretHash(SECRET) },
      now,
    )
    const { id } = await addSource(store, 'http://s1.invalid/feed', { name: 'Letters' })
    // It asks for what came within a year.
    const items = [1, 2, 3].map((n) => itemOf(0, n, { firstSeenAt: now - n * 60_000, sortAt: now - n * 60_000 }))
    await storeItems(store, id, items)
    screen = openScreen(':78', process.env['HEADWATER_SCREENSHOTS'] ?? join(folder, 'shots'))
    screen.start('rssguard', ['--data', join(folder, 'data')], {
      HOME: folder,
      XDG_RUNTIME_DIR: folder,
      // Its browser cannot have a sandbox of its own as root; it shows what this test serves.
      QTWEBENGINE_DISABLE_SANDBOX: '1',
      QTWEBENGINE_CHROMIUM_FLAGS: '--no-sandbox',
    })
  })
  afterAll(async () => {
    await screen?.close()
    await node?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** What the app has stored; null: nothing that could be read. */
  function inApp(sql: string): readonly unknown[] | null {
    const path = join(folder, 'data/database/database.db')
    if (!existsSync(path)) return null
    const database = new Database(path, { readonly: true })
    try {
      return database.prepare(sql).pluck().all()
    } catch {
      return null
    } finally {
      database.close()
    }
  }

  const marks = async (what: 'isRead' | 'isStarred') => {
    const { items } = (await node.ask('GET', '/api/items', { cookie: owner.cookie })).body
    return items.filter((item: Record<string, unknown>) => item[what]).map(({ title }: { title: string }) => title)
  }

  it('adds the account, lists the items, marks one read and starred, and sees what the dashboard marks', async () => {
    const url = await node.listen()
    // The first start offers to add an account: the third in the list is the Google Reader API, its first service FreshRSS.
    const kinds = await screen.window('Add new account', 405)
    screen.shot('1-kinds')
    await screen.click(kinds, 106, 79)
    await screen.click(kinds, 268, 385)
    const account = await screen.window('Add new account', 550)
    for (const [y, text] of [
      [92, url],
      [333, 'owner'],
      [364, SECRET],
    ] as const) {
      await screen.click(account, 285, y)
      screen.type(text)
    }
    screen.shot('2-account')
    await screen.click(account, 412, 426)
    await expect.poll(() => inApp('SELECT title FROM Feeds'), WAIT).toEqual(['Letters'])
    // A greeting lies over the rest.
    await screen.click(await screen.window('RSS Guard has Discord server!'), 70, 52)

    const main = await screen.window('RSS Guard 4')
    const fetchAll = () => screen.click(main, 56, 67)
    await fetchAll()
    await expect.poll(() => inApp('SELECT count(*) FROM Messages'), WAIT).toEqual([3])
    await screen.click(main, 88, 133)
    screen.shot('3-items')

    // Who opens an article has read it. The app tells the server when it fetches next.
    await screen.click(main, 883, 137)
    await screen.click(main, 1007, 71)
    screen.shot('4-read-and-starred')
    await expect.poll(() => inApp('SELECT count(*) FROM Messages WHERE is_read = 1'), WAIT).toEqual([1])
    const [title] = inApp('SELECT title FROM Messages WHERE is_read = 1') ?? []
    await fetchAll()
    await expect.poll(() => marks('isRead'), WAIT).toEqual([title])
    await expect.poll(() => marks('isStarred'), WAIT).toEqual([title])

    const body = { seqs: [1, 2, 3], isRead: true }
    await node.ask('POST', '/api/items/mark', { cookie: owner.cookie, body })
    await fetchAll()
    await expect.poll(() => inApp('SELECT count(*) FROM Messages WHERE is_read = 1'), WAIT).toEqual([3])
    screen.shot('5-marked-in-the-dashboard')
  })
})
