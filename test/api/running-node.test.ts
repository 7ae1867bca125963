import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type RunningNode, startNode } from '../../src/app/node.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { silentLogger } from '../../src/runtime/logger.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { type LocalServer, startServer } from '../support/local-server.ts'

const FEED =
  '<rss version="2.0"><channel><title>Local</title><item><title>Ice</title><guid>1</guid></item></channel></rss>'
const environment = { clock: systemClock, random: seededRandom(1), logger: silentLogger }
const PASSWORD = 'correct horse battery'

let dataDir: string
let site: LocalServer
let node: RunningNode | null

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'headwater-running-'))
  site = await startServer((_request, response) => response.end(FEED))
})
afterEach(async () => {
  await node?.stop()
  await site.close()
  rmSync(dataDir, { recursive: true, force: true })
})

async function start(): Promise<(method: string, path: string, body?: unknown) => Promise<Response>> {
  const flags = { port: 0, allowRange: 'loopback', minInterval: 1_000, hostSpacing: 0 }
  const origins = new Map([['port', 'flag' as const]])
  node = await startNode(loadConfig(dataDir, flags, {}), environment, { ownerPassword: PASSWORD, origins })
  const headers = { 'x-headwater': '1', 'content-type': 'application/json' }
  const logIn = await fetch(`${node.url}/api/session`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'owner', password: PASSWORD }),
  })
  const cookie = logIn.headers.get('set-cookie')!.split(';')[0]!
  return (method, path, body) => {
    const isRaw = body instanceof Uint8Array
    return fetch(`${node!.url}${path}`, {
      method,
      headers: {
        'x-headwater': '1',
        cookie,
        ...(body === undefined ? {} : { 'content-type': isRaw ? 'application/octet-stream' : 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isRaw ? Buffer.from(body) : JSON.stringify(body) }),
    })
  }
}

describe('a running node', () => {
  it('reports refreshes and new items as they happen', async () => {
    const ask = await start()
    const stream = await ask('GET', '/api/events')
    expect(stream.headers.get('content-type')).toContain('text/event-stream')
    await ask('POST', '/api/sources', { url: site.url('/feed') })
    const reader = stream.body!.getReader()
    const decoder = new TextDecoder()
    let text = ''
    while (!text.includes('event: items')) text += decoder.decode((await reader.read()).value, { stream: true })
    expect(text).toMatch(/event: refresh\ndata: {"sourceId":1,"at":\d+,"newItems":1,"error":null}/)
    expect(text).toContain('event: items\ndata: {"count":1,"sourceIds":[1]}')
    await reader.cancel()
  })

  it('goes on with another strategy and budget at once, and keeps them', async () => {
    const ask = await start()
    await ask('POST', '/api/sources', { url: site.url('/feed') })
    await expect.poll(async () => (await node!.data.store.counts()).items).toBe(1)
    const changed = await ask('PATCH', '/api/budget', { strategy: 'uniform', budget: '600/min' })
    expect(await changed.json()).toMatchObject({ strategy: 'uniform', requestsPerMinute: 600 })
    const before = site.requests.length
    await expect.poll(() => site.requests.length).toBeGreaterThan(before + 1)
    expect((await ask('PATCH', '/api/budget', { strategy: 'nonsense' })).status).toBe(400)
    expect(await (await ask('PATCH', '/api/settings', { port: 1 })).json()).toMatchObject({ code: 'SETTING_FIXED' })
    expect(await (await ask('PATCH', '/api/settings', { minInterval: 'soon' })).json()).toMatchObject({ code: 'USAGE' })
    await node!.stop()
    const again = await start()
    expect(await (await again('GET', '/api/budget')).json()).toMatchObject({ strategy: 'uniform' })
  })

  it('is saved in one file and restored from it', async () => {
    const ask = await start()
    await ask('POST', '/api/sources', { url: site.url('/feed') })
    await ask('PATCH', '/api/settings', { feedItems: 7 })
    const backup = await ask('GET', '/api/backup')
    expect(backup.headers.get('content-disposition')).toMatch(/^attachment; filename="headwater-\d{4}-\d\d-\d\d\.db"$/)
    const file = new Uint8Array(await backup.arrayBuffer())
    await expect.poll(() => readdirSync(dataDir).filter((name) => name.startsWith('backup-'))).toEqual([])
    await ask('DELETE', '/api/sources/1')
    await ask('PATCH', '/api/settings', { feedItems: 8 })
    for (const wrong of [new TextEncoder().encode('not a database'), file.slice(0, file.length / 2)]) {
      expect(await (await ask('POST', '/api/restore', wrong)).json()).toMatchObject({ code: 'BACKUP_INVALID' })
    }
    expect(await (await ask('POST', '/api/restore', file)).json()).toMatchObject({
      sources: 1,
      restarts: false,
      startedAt: ((await (await ask('GET', '/api/health')).json()) as { startedAt: string }).startedAt,
    })
    expect((await node!.data.store.counts()).sources).toBe(0)
    await node!.stop()
    const again = await start()
    expect((await node!.data.store.counts()).sources).toBe(1)
    expect(await (await again('GET', '/api/settings')).json()).toMatchObject({
      settings: expect.arrayContaining([expect.objectContaining({ name: 'feedItems', value: 7, from: 'file' })]),
    })
    expect(readdirSync(dataDir).some((name) => name.startsWith('headwater.db.before-'))).toBe(true)
  })
})

describe('the dashboard', () => {
  it('is served with a strict policy, its assets for ever, and its own routes as its page', async () => {
    const { openApiNode } = await import('./api-node.ts')
    const { mkdirSync } = await import('node:fs')
    mkdirSync(join(dataDir, 'web', 'assets'), { recursive: true })
    writeFileSync(join(dataDir, 'web', 'index.html'), '<!doctype html><style nonce="__CSP_NONCE__"></style>App')
    writeFileSync(join(dataDir, 'web', 'assets', 'a-1234.js'), 'hello()')
    writeFileSync(join(dataDir, 'web', 'assets', 'a-1234.js.gz'), 'packed')
    const served = await openApiNode({ webRoot: join(dataDir, 'web') })
    const page = { headers: { accept: 'text/html' } }
    for (const path of ['/', '/sources/3', '/queries?x=1']) {
      const answer = await served.ask('GET', path, page)
      expect([path, answer.status]).toEqual([path, 200])
      const nonce = /nonce="([\w-]{20,})"/.exec(answer.text)![1]
      expect(answer.headers['content-security-policy']).toContain(`style-src 'self' 'nonce-${nonce}'`)
      expect(answer.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self';")
    }
    const asset = await served.ask('GET', '/assets/a-1234.js', { headers: { 'accept-encoding': 'gzip' } })
    expect(asset).toMatchObject({
      status: 200,
      text: 'packed',
      headers: { 'content-encoding': 'gzip', 'cache-control': 'public, max-age=31536000, immutable' },
    })
    expect((await served.ask('GET', '/assets/a-1234.js')).text).toBe('hello()')
    for (const path of ['/assets/none.js', '/api/nothing', '/feeds/none.rss']) {
      expect([path, (await served.ask('GET', path, page)).status]).toEqual([path, 404])
    }
    expect((await served.ask('GET', '/sources/3')).status).toBe(404)
    await served.close()
    node = null
  })
})
