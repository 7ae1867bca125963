import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, type World } from '../../lab/worlds/server.ts'
import { eventually } from '../support/patience.ts'
import { HEADWATER, runHeadwater } from './cli-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'headwater-cli-'))
const data = join(folder, 'data')
let world: World

beforeAll(async () => {
  world = await startWorld({ feeds: 6, speed: 0, seed: 2 })
})
afterAll(async () => {
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})

const headwater = (...args: readonly string[]) => runHeadwater(folder, args)
const onData = (...args: readonly string[]) => headwater(...args, '--data', data)
const source = (...args: readonly string[]) => headwater('source', '--data', data, ...args)
const LOOPBACK = ['--allow-range', 'loopback']

describe('the command line', () => {
  it.each([
    [[], 'Examples'],
    [['serve', '--help'], '--budget'],
    [['source', 'add', '--help'], 'Examples'],
    [['items', '--help'], 'Examples'],
    [['parse', '--help'], 'Examples'],
    [['feed', '--help'], 'Examples'],
    [['bench', '--help'], 'Example'],
    [['lab', 'world', '--help'], 'Example'],
  ])('helps with %s', async (args, expected) => {
    const { out, err } = await headwater(...args)
    expect(out + err).toContain(expected)
  })

  it.each([
    [['nonsense'], 2, 'unknown command'],
    [['parse'], 2, 'missing required argument'],
    [['serve', '--budget', 'plenty'], 2, '60/min'],
    [['parse', 'no-such-file.xml'], 1, 'FILE_UNREADABLE'],
    [['source', 'add', 'http://2130706433/', '--data', 'd2'], 1, 'FETCH_ADDRESS_REFUSED'],
    [['source', 'show', '77', '--data', 'd2'], 1, 'headwater source list'],
    [['feed', 'nothing', '--data', 'd2'], 1, 'FEED_NOT_FOUND'],
    [['feed', 'nothing', '--data', 'd3'], 1, 'DATA_NOT_FOUND'],
  ])('%s ends with %i and says what to do', async (args, code, message) => {
    const ran = await headwater(...args)
    expect({ code: ran.code, says: ran.err.includes(message) ? message : ran.err }).toEqual({ code, says: message })
    expect(ran.out).toBe('')
  })

  it('follows a source from its site to its published feed', async () => {
    const added = await source(
      'add',
      world.siteUrl(0),
      '--category',
      'News/World',
      '--name',
      'Zero',
      '--json',
      ...LOOPBACK,
    )
    expect(JSON.parse(added.out)).toMatchObject({
      id: 1,
      url: world.feedUrl(0),
      categories: ['News/World'],
      status: 'new',
    })
    expect((await source('add', world.feedUrl(0), ...LOOPBACK)).err).toContain('SOURCE_EXISTS')

    const refreshed = await source('refresh', '1', '--json', ...LOOPBACK)
    expect(JSON.parse(refreshed.out)[0]).toMatchObject({ status: 'active', windowSize: 20, lastError: null })

    const result = await source('show', '1')
    expect(result.out).toMatch(/next check +in .*: not more often than every 5 min/)
    expect(result.out).toContain('20 new of 20')

    const items = JSON.parse((await onData('items', '--limit', '5', '--json')).out)
    expect(items.items).toHaveLength(5)
    const more = JSON.parse((await onData('items', '--limit', '50', '--json', '--after', items.cursor)).out)
    expect(more.items).toHaveLength(15)

    for (const [format, mark] of [
      ['rss', '<rss'],
      ['atom', '<feed'],
      ['json', 'jsonfeed.org'],
    ] as const) {
      expect((await onData('feed', 'category/News', '--format', format)).out).toContain(mark)
    }
  })

  it('changes, pauses, exports, imports and removes sources', async () => {
    const changed = await source(
      ...['set', '1', '--name', 'One', '--weight', '2.5', '--interval', '15min', '--pause'],
      ...[
        '--header',
        'X-Key: 1',
        '--auth',
        'me:secret',
        '--user-agent',
        'Mine',
        '--proxy',
        'http://127.0.0.1:1',
        '--json',
      ],
    )
    expect(JSON.parse(changed.out)).toMatchObject({
      name: 'One',
      weight: 2.5,
      intervalSeconds: 900,
      paused: true,
      headers: ['X-Key'],
      basicAuth: { user: 'me' },
      userAgent: 'Mine',
      proxyUrl: 'http://127.0.0.1:1',
    })
    expect(changed.out).not.toContain('secret')
    expect((await source('set', '1')).code).toBe(2)

    const list = join(folder, 'list.opml')
    const outlines = [1, 2, 3]
      .map((i) => `<outline type="rss" text="Feed ${i}" xmlUrl="${world.feedUrl(i)}"/>`)
      .join('')
    writeFileSync(
      list,
      `<opml version="2.0"><body><outline text="Deep"><outline text="er">${outlines}</outline></outline></body></opml>`,
    )
    expect((await source('import', list)).out).toContain('Imported 3 sources')
    expect((await source('import', list)).out).toContain('3 were there already')
    const deep = JSON.parse((await source('list', '--category', 'Deep', '--json')).out)
    expect(deep.map((s: { categories: string[] }) => s.categories)).toEqual([['Deep/er'], ['Deep/er'], ['Deep/er']])

    const exported = await source('export')
    for (const i of [0, 1, 2, 3]) expect(exported.out).toContain(world.feedUrl(i))

    expect((await source('remove', '2')).out).toContain('Removed source 2')
    expect(JSON.parse((await source('list', '--json')).out)).toHaveLength(3)
  })

  it('parses a document to the agreed JSON', async () => {
    const file = join(folder, 'feed.xml')
    writeFileSync(
      file,
      `<rss version="2.0"><channel><title>T</title><link>https://a.example/</link><item><guid>g</guid><title>One</title>
       <link>https://a.example/1</link><pubDate>Sat, 02 Mar 2024 10:00:00 +0100</pubDate><category>c</category>
       <description>&lt;b onclick="x()"&gt;d&lt;/b&gt;</description></item></channel></rss>`,
    )
    const { code, out } = await headwater('parse', file, '--json')
    expect(code).toBe(0)
    const parsed = JSON.parse(out)
    expect(parsed).toMatchObject({ format: 'rss-2.0', feed: { title: 'T', link: 'https://a.example/' }, problems: [] })
    expect(parsed.items[0]).toMatchObject({
      id: 'g',
      title: 'One',
      link: 'https://a.example/1',
      published: '2024-03-02T09:00:00.000Z',
      categories: ['c'],
      summary: '<b>d</b>',
    })
    expect(JSON.parse((await headwater('parse', file, '--json', '--raw')).out).items[0].summary).toContain('onclick')
  })
})

describe('headwater serve', () => {
  it('serves the demo, refreshes on demand from another process, refuses a second node, and ends politely', async () => {
    const demoData = join(folder, 'demo')
    const { child, url, output } = await serve('--demo', '--data', demoData)
    const following = /following \d+ synthetic feeds/
    let followed = ''
    try {
      followed = await hears(output, following)
      expect(followed).not.toContain(' 0 ')
      await until(async () => (await getJson(`${url}/api/health`)).items > 200)
      const feed = await fetch(`${url}/feeds/all.json`)
      expect(feed.headers.get('content-type')).toContain('application/feed+json')
      expect(((await feed.json()) as { items: unknown[] }).items.length).toBeGreaterThan(50)

      // Whoever sits at the machine is let in; nobody from elsewhere, and no page of another site.
      const status = async (path: string, options: RequestInit = {}) => (await fetch(`${url}${path}`, options)).status
      expect(await status('/api/overview')).toBe(200)
      expect(await status('/api/overview', { headers: { 'x-forwarded-for': '192.0.2.1' } })).toBe(401)
      expect(await status('/api/sources/1/refresh', { method: 'POST' })).toBe(403)

      const second = await headwater('serve', '--data', demoData, '--port', '0')
      expect([second.code, second.err]).toEqual([1, expect.stringContaining('STORE_LOCKED')])

      const refreshed = await headwater('source', 'refresh', '1', '--json', '--data', demoData)
      expect(JSON.parse(refreshed.out)[0].lastCheckAt).not.toBeNull()
    } finally {
      child.kill('SIGTERM')
    }
    const [code] = await once(child, 'exit')
    expect(code).toBe(0)

    // What it knows already it follows, too.
    const again = await serve('--demo', '--data', demoData)
    try {
      expect(await hears(again.output, following)).toBe(followed)
    } finally {
      again.child.kill('SIGTERM')
    }
    await once(again.child, 'exit')
  })
})

async function hears(output: () => string, line: RegExp): Promise<string> {
  await until(async () => line.test(output()))
  return line.exec(output())?.[0] ?? ''
}

async function serve(...args: readonly string[]): Promise<{ child: ChildProcess; url: string; output: () => string }> {
  const child = spawn(process.execPath, [HEADWATER, 'serve', '--port', '0', ...args], { cwd: folder })
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk
      const address = /serves on (\S+)/.exec(output)?.[1]
      if (address !== undefined) resolve(address)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${output}`)))
  })
  return { child, url, output: () => output }
}

async function getJson(url: string): Promise<{ items: number }> {
  return (await fetch(url)).json() as Promise<{ items: number }>
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  if (!(await eventually(condition))) throw new Error('it never happened')
}
