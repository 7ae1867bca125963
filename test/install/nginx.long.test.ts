import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claim, OWNER } from '../browser/node-client.ts'
import { freePort, type NodeProcess, startServe } from '../e2e/world-node.ts'
import { hasTools } from '../support/debian-tools.ts'
import { eventually } from '../support/patience.ts'

const GUIDE = readFileSync(join(import.meta.dirname, '../../docs/install.md'), 'utf8')

const canRun = hasTools(['nginx'], ['nginx-light'])
if (!canRun) console.warn('Skipped, it takes nginx: the configuration of docs/install.md')

describe.runIf(canRun)('nginx as docs/install.md sets it up', () => {
  let folder: string
  let node: NodeProcess
  let nginx: ChildProcess
  let base: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'headwater-nginx-'))
    const [front, back] = [await freePort(), await freePort()]
    base = `http://127.0.0.1:${front}/reader`
    const [block = ''] = /^location \/reader\/ \{\n[\s\S]*?\n\}/m.exec(GUIDE) ?? []
    expect(block).toContain('proxy_pass http://127.0.0.1:8080/;')
    const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    )
    const http = `access_log off; ${places.join(' ')} server { listen 127.0.0.1:${front}; ${block.replace(':8080/', `:${back}/`)} }`
    const config = `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events {} http { ${http} }`
    writeFileSync(join(folder, 'nginx.conf'), config)
    node = startServe(back, ['--data', join(folder, 'data'), '--public-url', `${base}/`, '--trust-proxy', 'loopback'])
    await node.ready()
    nginx = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')], { stdio: 'ignore' })
    expect(
      await eventually(() =>
        fetch(`${base}/health`).then(
          ({ ok }) => ok,
          () => false,
        ),
      ),
    ).toBe(true)
  })
  afterAll(async () => {
    nginx?.kill('SIGTERM')
    await node?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('passes the page with its parts, log-ins, feeds and the doors of apps on', async () => {
    const client = await claim(node.url)
    const page = await (await fetch(`${base}/sources/1`, { headers: { accept: 'text/html' } })).text()
    expect(page).toContain('data-base="/reader"')
    const parts = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => new URL(path, base).href)
    expect(parts.length).toBeGreaterThan(3)
    for (const part of parts) expect([part, (await fetch(part)).status]).toEqual([part, 200])
    const logIn = await fetch(`${base}/api/session`, {
      method: 'POST',
      headers: { 'x-headwater': '1', 'content-type': 'application/json', origin: new URL(base).origin },
      body: JSON.stringify(OWNER),
    })
    expect(logIn.status).toBe(200)
    expect(logIn.headers.getSetCookie().map((one) => /Path=([^;]+)/.exec(one)?.[1])).toEqual([
      '/reader',
      '/reader/api/session',
    ])
    expect(await (await fetch(`${base}/feeds/all.atom`)).text()).toContain(`${base}/feeds/all.atom`)
    expect((await fetch(`${base}/ready`)).url).toBe(`${base}/api/health`)
    const { secret } = (await client.call('POST', '/api/tokens', { label: 'app', scope: 'app' })) as { secret: string }
    const headers = { authorization: `GoogleLogin auth=${secret}` }
    expect((await fetch(`${base}/reader/api/0/user-info`, { headers })).status).toBe(200)
    expect((await fetch(`${base}/api/greader.php/reader/api/0/user-info`, { headers })).status).toBe(200)
  })
})
