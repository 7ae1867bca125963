import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LocalServer, startServer } from '../support/local-server.ts'
import { runAtTerminal, runHeadwater } from './cli-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'headwater-promises-'))
const data = join(folder, 'my data')
const headwater = (...args: readonly string[]) => runHeadwater(folder, args)
const onData = (...args: readonly string[]) => headwater(...args, '--data', data)
const LOOPBACK = ['--allow-range', 'loopback', '--host-spacing', '0ms']

const feedOf = (title: string) => `<rss version="2.0"><channel><title>${title}</title></channel></rss>`
const PAGES: Readonly<Record<string, string>> = {
  '/three': `<link rel=alternate type="application/rss+xml" title=News href="/news.xml">
    <link rel=alternate type="application/rss+xml" title=Sport href="/sport.xml">
    <link rel=alternate type="application/rss+xml" title=Jobs href="/jobs.xml">`,
  '/anchor/': '<a href="feed.xml">Subscribe</a>',
  '/anchor/feed.xml': feedOf('Anchor'),
  '/news.xml': feedOf('News'),
  '/sport.xml': feedOf('Sport'),
  '/jobs.xml': feedOf('Jobs'),
  '/none': '<p>nothing here</p>',
}
let site: LocalServer

beforeAll(async () => {
  site = await startServer((request, response) => {
    const path = request.url ?? '/'
    if (path === '/closed') response.statusCode = 401
    else if (path === '/broken') response.statusCode = 500
    else if (PAGES[path] === undefined) response.statusCode = 404
    response.end(PAGES[path] ?? '')
  })
})
afterAll(async () => {
  await site.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('a data folder', () => {
  it('is not made by looking, and the folder that was given is in what to type next', async () => {
    const wrong = join(folder, 'no such folder')
    for (const command of [['items'], ['source', 'list'], ['query', 'list'], ['quality'], ['user', 'list']]) {
      const ran = await headwater(...command, '--data', wrong)
      expect([command, ran.code, ran.err]).toEqual([command, 1, expect.stringContaining('DATA_NOT_FOUND')])
      expect(ran.err).toContain(`\`headwater serve --data '${wrong}'\``)
    }
    expect(existsSync(wrong)).toBe(false)
  })

  it('is announced where a command makes it', async () => {
    const result = await onData('source', 'add', site.url('/news.xml'), '--no-check')
    expect(result).toMatchObject({ code: 0, err: `A new node in ${data}\n` })
    expect((await onData('source', 'show', '77')).err).toContain(`\`headwater source list --data '${data}'\``)
  })
})

describe('headwater source add', () => {
  const add = (path: string, ...more: readonly string[]) =>
    headwater('source', 'add', site.url(path), '--data', join(folder, 'adding'), ...LOOPBACK, ...more)

  it('takes the first of several feeds and names the others', async () => {
    const { out, err } = await add('/three')
    expect(out).toContain('News')
    expect(err).toContain(`${site.url('/sport.xml')}  Sport`)
    expect(err).toContain(`${site.url('/jobs.xml')}  Jobs`)
  })

  it('takes the one that is picked, by number or address, and none that is not there', async () => {
    expect((await add('/three', '--pick', '2')).out).toContain('Sport')
    expect((await add('/three', '--pick', site.url('/jobs.xml'))).out).toContain('Jobs')
    const wrong = await add('/three', '--pick', '9')
    expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('2  ') })
  })

  it('asks at a terminal', async () => {
    const args = ['source', 'add', site.url('/three'), '--data', join(folder, 'asking'), ...LOOPBACK]
    const { out } = await runAtTerminal(folder, args, '3\n')
    expect(out).toContain('Which one?')
    expect(out).toMatch(/Added source 1: Jobs/)
  })

  it('finds what an anchor leads to, and waits for its turn at the host', async () => {
    expect((await add('/anchor/')).out).toContain('Anchor')
    const before = site.requests.length
    const { err } = await headwater(
      ...['source', 'add', site.url('/none'), '--data', join(folder, 'slow'), '--allow-range', 'loopback'],
    )
    expect(err).toContain('SOURCE_NO_FEED_FOUND')
    expect(site.requests.length - before).toBeLessThanOrEqual(7)
  })

  it('tries http where no scheme was typed and there is no TLS', async () => {
    const bare = site.url('/news.xml').replace('http://', '')
    const args = ['source', 'add', bare, '--data', join(folder, 'bare'), ...LOOPBACK, '--json']
    expect(JSON.parse((await headwater(...args)).out)).toMatchObject({ url: site.url('/news.xml') })
  })

  it('says once what is wrong, promises nothing, and names the option that helps', async () => {
    const missing = await add('/missing')
    expect(missing.err).toMatch(/^headwater: Not found \(404\): http:\S+\/missing \[HTTP_NOT_FOUND\]$/m)
    expect(missing.err).not.toContain('retried')
    expect((await add('/closed')).err).toContain('--auth user:password')
  })

  it('lets the node in where it was let in itself', async () => {
    const settings = JSON.parse(readFileSync(join(folder, 'adding', 'headwater.json'), 'utf8'))
    expect(settings).toEqual({ allowRange: ['loopback'] })
  })
})

describe('headwater source import', () => {
  it('takes several files, and plain lists of addresses', async () => {
    const one = join(folder, 'one.opml')
    const two = join(folder, 'two.txt')
    writeFileSync(one, '<opml><body><outline text="A" xmlUrl="https://a.example/feed"/></body></opml>')
    writeFileSync(two, '# mine\nhttps://b.example/feed\nc.example/rss The C\n')
    const { out } = await headwater('source', 'import', one, two, '--data', join(folder, 'lists'))
    expect(out).toContain('Imported 3 sources')
  })

  it('says what a list looks like, and adds nothing of the others', async () => {
    const prose = join(folder, 'prose.txt')
    writeFileSync(prose, 'This is no list at all.\n')
    const good = join(folder, 'good.txt')
    writeFileSync(good, 'https://d.example/\n')
    const ran = await headwater('source', 'import', good, prose, '--data', join(folder, 'lists'))
    expect(ran).toMatchObject({ code: 1, err: expect.stringContaining('one address a line') })
    expect((await headwater('source', 'list', '--data', join(folder, 'lists'))).out).not.toContain('d.example')
  })
})

describe('headwater source refresh', () => {
  it('fails where a source fails, and does not make it wait longer each time', async () => {
    const dir = join(folder, 'refresh')
    await headwater('source', 'add', site.url('/broken'), '--no-check', '--data', dir)
    const refresh = () => headwater('source', 'refresh', '1', '--data', dir, ...LOOPBACK)
    const next = async () => {
      const { out } = await headwater('source', 'list', '--json', '--data', dir)
      return Date.parse(JSON.parse(out)[0].nextCheckAt)
    }
    expect(await refresh()).toMatchObject({ code: 1, err: expect.stringContaining('REFRESH_FAILED') })
    const first = await next()
    for (let again = 0; again < 3; again++) await refresh()
    expect(await next()).toBeLessThanOrEqual(first)
  })
})

describe('bad input', () => {
  it.each([
    [['serve', '--port', 'abc'], 2, '"abc" is not a number'],
    [['serve', '--strategy', 'nope'], 2, 'no strategy "nope"'],
    [['serve', '--estimator', 'nope'], 2, 'no estimator "nope"'],
    [['serve', '--allow-range', 'loopbak'], 2, '192.168.1.0/24'],
    [['serve', '--user-agent', 'bad\nagent'], 2, 'userAgent'],
    [['serve', '--contact', 'nobody'], 2, 'me@example.org'],
    [['items', '--sinc', '24h'], 2, 'unknown option --sinc'],
  ])('%s ends with %i and says what is wrong, before anything is served', async (args, code, says) => {
    const ran = await onData(...args)
    expect([ran.code, ran.out, ran.err]).toEqual([code, '', expect.stringContaining(says)])
  })

  it('a slip in the settings file is reported with its place', async () => {
    const dir = join(folder, 'slip')
    await headwater('source', 'add', 'https://a.example/', '--no-check', '--data', dir)
    writeFileSync(join(dir, 'headwater.json'), '{\n  "budget": "60/min",\n}\n')
    const { code, err } = await headwater('source', 'list', '--data', dir)
    expect([code, err]).toEqual([1, expect.stringMatching(/headwater\.json, line 3, column 1.*SETTINGS_INVALID/s)])
  })

  it('a word with a minus is a word to leave out', async () => {
    expect(await onData('items', 'volcano', '-football', '-Vulkan', '--since', '24h')).toMatchObject({
      code: 0,
      err: '',
    })
  })
})
