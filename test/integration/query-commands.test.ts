import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startNode } from '../../src/app/node.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { runCli } from '../../src/cli/program.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { createLogger } from '../../src/runtime/logger.ts'
import { seededRandom, systemRandom } from '../../src/runtime/random.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import { addOne, newItem, record } from '../contract/store.fixture.ts'
import { rawState } from '../support/raw-state.ts'

let folder: string
let data: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-query-'))
  data = join(folder, 'data')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function headwater(argv: readonly string[], stdin = '') {
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
    readStdin: async () => Buffer.from(stdin),
    ask: null,
    signal: new AbortController().signal,
  }
  const startDemo = () => Promise.reject(new Error('no demo here'))
  const code = await runCli([...argv, '--data', data], context, { startDemo, more: [] })
  return { code, out, err }
}

const query = (...argv: string[]) => headwater(['query', ...argv])
const apply = (text: string, ...more: string[]) => headwater(['query', 'apply', '-', ...more], text)

async function archive(...titles: string[]): Promise<void> {
  const { store } = await openSqliteStore({ path: join(data, 'headwater.db'), clock: systemClock })
  const source = await addOne(store, 'https://example.org/world', { name: 'world', categories: ['News'] })
  const at = systemClock.now()
  await store.recordRefresh(
    record(source, { newItems: titles.map((title) => newItem(title, { firstSeenAt: at, sortAt: at })) }),
  )
  await store.close()
}

describe('headwater query', () => {
  it('check says what is wrong, with a caret, and makes no data folder', async () => {
    const path = join(folder, 'f.query')
    writeFileSync(path, 'CREATE FEED f AS RETURN ALL\nWHERE TITEL CONTAINS x;')
    const wrong = await query('check', path)
    expect(wrong).toMatchObject({ code: 1, out: '' })
    expect(wrong.err).toContain('2:7 There is no field TITEL (QUERY_UNKNOWN_FIELD)\n  WHERE TITEL')
    expect(wrong.err).toContain('^^^^^')
    expect(wrong.err).toContain('Did you mean TITLE?')
    writeFileSync(path, 'CREATE FEED f AS RETURN ALL')
    expect(await query('check', path)).toMatchObject({ code: 0, out: 'No mistakes in 1 statements.\n' })
    const asJson = JSON.parse((await query('check', path, '--json')).out)
    expect(asJson).toEqual({ ok: true, statements: 1, errors: [] })
    expect(existsSync(data)).toBe(false)
  })

  it('uses exit code 2 for wrong usage, and says what may be written', async () => {
    expect((await query('check')).code).toBe(2)
    expect(await apply('', '--back-fill', 'much')).toMatchObject({ code: 2, err: expect.stringContaining('30d') })
    expect(await query('check', join(folder, 'none'))).toMatchObject({ code: 1 })
    await apply('CREATE FEED some AS RETURN ALL')
    expect(await query('show', 'none')).toMatchObject({ code: 1, err: expect.stringContaining('query list') })
    expect(await query('drop', 'none')).toMatchObject({ code: 1 })
  })

  it('previews, applies and shows without a node: the feed is filled at once', async () => {
    await archive('ice', 'sea', 'ice and sea')
    const text = 'CREATE FEED icy TITLE "Icy" AS RETURN News WHERE TITLE CONTAINS ice'
    const preview = await headwater(['query', 'preview', '-'], text.replace('News', 'CATEGORY "News"'))
    expect(preview.out).toContain('icy: 2 items fit')
    expect(preview.out).toContain('world')
    const asJson = JSON.parse((await headwater(['query', 'preview', '-', '--json'], 'TITLE CONTAINS sea')).out)
    expect(asJson).toMatchObject({ items: 3, feeds: [{ name: null, matches: 2, bySource: [{ source: 'world' }] }] })
    expect((await query('list')).out).toBe('NAME  ITEMS  STATE  TITLE\n')

    const applied = await apply(text.replace('News', 'world'))
    expect(applied).toMatchObject({ code: 0, out: 'created icy\n' })
    expect(JSON.parse((await query('list', '--json')).out)).toMatchObject([
      { name: 'icy', items: 2, state: 'following' },
    ])
    expect((await query('show', 'icy')).out).toContain('CREATE FEED icy TITLE "Icy" AS\nRETURN world')
    const feed = JSON.parse((await headwater(['feed', 'icy', '--format', 'json'])).out)
    expect(feed.items.map((item: { title: string }) => item.title)).toEqual(['ice and sea', 'ice'])
    expect(await query('drop', 'icy')).toMatchObject({ code: 0, out: 'dropped icy\n' })
    expect((await headwater(['feed', 'icy'])).code).toBe(1)
  })

  it('weighs a query feed, by a command and by a statement', async () => {
    await archive('iceland')
    await apply('CREATE FEED ice AS RETURN ALL WHERE ITEM CONTAINS "iceland";')
    expect((await query('set', 'ice', '--weight', '2.5')).out).toBe('ice has weight 2.5\n')
    expect((await query('show', 'ice')).out).toContain('weight 2.5')
    await apply('ALTER FEED ice WEIGHT 4;')
    expect(JSON.parse((await query('show', 'ice', '--json')).out)).toMatchObject({ weight: 4, items: 1 })
    for (const wrong of [
      ['set', 'ice'],
      ['set', 'ice', '--weight', '0'],
      ['set', 'fire', '--weight', '2'],
    ]) {
      expect((await query(...wrong)).code).toBeGreaterThan(0)
    }
  })

  it('orders a feed by the score that its statement says', async () => {
    await archive('ice', 'sea')
    await apply('CREATE FEED f AS RETURN ALL ORDER BY SCORE(3 * WEIGHT + FRESHNESS 1 HOUR);')
    const json = JSON.parse((await headwater(['feed', 'f', '--format', 'json'])).out)
    const scores = json.items.map((item: { _headwater: { score: number } }) => item._headwater.score)
    expect(scores).toHaveLength(2)
    expect(scores[0]).toBe(4)
    expect((await query('show', 'f')).out).toContain('ORDER BY SCORE(3 * WEIGHT + FRESHNESS 1 HOUR)')
  })

  it('wishes for a quality, of a query feed and of a user, and says how far it is met', async () => {
    await archive('iceland')
    await apply('CREATE FEED ice AS RETURN ALL;')
    const set = await query('set', 'ice', '--wish', 'delay<10min, completeness>95%')
    expect(set.out).toBe('ice wishes for a mean delay below 10 min and completeness above 95 %\n')
    expect((await query('show', 'ice')).out).toContain('completeness above 95 %: not computed yet')
    const { store } = await openSqliteStore({ path: join(data, 'headwater.db'), clock: systemClock })
    await store.addUser({ name: 'owner', role: 'owner', passwordHash: null, invitation: null }, 1)
    const { id, wish } = (await store.queryFeed('ice'))!
    const figures = { payer: -id, wish, neededPerDay: 700, givenPerDay: 600, lackingPerDay: 100, expected: null, at: 1 }
    await store.saveState(rawState('wishes'), JSON.stringify([figures]))
    await store.close()
    expect((await query('show', 'ice')).out).toContain('needs 700 requests a day, has 600: 100 more a day are lacking')
    expect((await query('set', 'ice', '--wish', 'none')).out).toBe('ice has no wish\n')
    expect((await query('show', 'ice')).out).not.toContain('wishes for')
    const user = (...argv: string[]) => headwater(['user', 'wish', ...argv])
    expect((await user('owner', 'delay<1h')).out).toContain('owner wishes for a mean delay below 60 min')
    expect((await user('owner')).out).toContain('not computed yet')
    expect((await user('owner', 'none')).out).toBe('owner has no wish\n')
    for (const wrong of [user('nobody'), user('owner', 'soon'), query('set', 'ice', '--wish', 'soon')]) {
      expect((await wrong).code).toBeGreaterThan(0)
    }
  })

  it('works beside a running node, which takes the change over', async () => {
    await archive('ice', 'sea')
    const config = loadConfig(data, { port: 0, logLevel: 'silent' }, {})
    const node = await startNode(config, { clock: systemClock, random: systemRandom, logger: createLogger('silent') })
    try {
      const applied = await apply('CREATE FEED icy AS RETURN ALL WHERE TITLE CONTAINS ice')
      expect(applied.out).toContain('The running node fills')
      const titles = async () => {
        const answer = await fetch(`${node.url}/feeds/icy.json`)
        if (!answer.ok) return null
        return ((await answer.json()) as { items: { title: string }[] }).items.map(({ title }) => title)
      }
      await expect.poll(titles).toEqual(['ice'])
      expect((await headwater(['feed', 'icy'])).out).toContain(`href="${node.url}/feeds/icy.rss"`)
      await apply('ALTER FEED icy AS RETURN ALL')
      await expect.poll(titles).toEqual(['sea', 'ice'])
      await query('drop', 'icy')
      await expect.poll(titles).toBeNull()
    } finally {
      await node.stop()
    }
  })
})
