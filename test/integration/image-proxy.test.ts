import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createImageProxy, type RunningImageProxy } from '../../src/app/publishing/image-proxy.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { signedImages } from '../../src/publisher/images/image-address.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { type LocalServer, type RequestHandler, startServer } from '../support/local-server.ts'

const KEY = 'key of a node'
const PNG = Buffer.from('\x89PNG\r\n\x1a\n some picture', 'latin1')
const ANSWERS: Readonly<Record<string, RequestHandler>> = {
  '/a.png': (_, response) => response.writeHead(200, { 'content-type': 'image/png', 'set-cookie': 'id=1' }).end(PNG),
  '/wrong-type': (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(PNG),
  '/page': (_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end('<html><script>1</script>'),
  '/x.svg': (_, response) => response.writeHead(200, { 'content-type': 'image/svg+xml' }).end('<svg onload="1"/>'),
  '/large': (_, response) => response.end(Buffer.concat([PNG, Buffer.alloc(11 * 1024 ** 2)])),
  '/lies': (_, response) => response.writeHead(200, { 'content-length': String(10 ** 12) }).end(PNG),
  '/away': (_, response) => response.writeHead(302, { location: 'http://10.0.0.1/a.png' }).end(),
  '/here': (_, response) => response.writeHead(302, { location: '/a.png' }).end(),
  '/round': (_, response) => response.writeHead(302, { location: '/round' }).end(),
}

let site: LocalServer
let proxy: RunningImageProxy
beforeAll(async () => {
  site = await startServer((request, response) => {
    const answer = ANSWERS[request.url ?? '']
    if (answer === undefined) response.writeHead(404).end()
    else answer(request, response)
  })
})
afterAll(() => site.close())
afterEach(async () => {
  await proxy.close()
  site.requests.length = 0
})

const open = (flags: Readonly<Record<string, unknown>> = { allowRange: 'loopback' }) => {
  proxy = createImageProxy({ config: loadConfig('none', flags, {}), clock: systemClock, key: KEY })
}
const get = (url: string, key = KEY) => {
  const [signature = '', address = ''] = (signedImages(key, '')(url) ?? '').split('/').slice(2)
  return proxy.get(signature, address)
}

describe('the image proxy', () => {
  it('passes a picture on, without anything of the reader or the site', async () => {
    open()
    expect(await get(site.url('/a.png'))).toMatchObject({
      type: 'image/png',
      body: PNG,
      etag: expect.stringMatching(/^"/),
    })
    const [request] = site.requests
    expect(request?.headers).not.toHaveProperty('cookie')
    expect(request?.headers).not.toHaveProperty('referer')
    expect(request?.headers.accept).toContain('image/')
  })

  it('fetches it once for all who ask', async () => {
    open()
    await Promise.all(Array.from({ length: 20 }, () => get(site.url('/a.png'))))
    await get(site.url('/a.png'))
    expect(site.requests).toHaveLength(1)
  })

  it('goes by what it is, not by what it is called', async () => {
    open()
    expect((await get(site.url('/wrong-type'))).type).toBe('image/png')
  })

  it('follows redirects to public addresses', async () => {
    open()
    expect((await get(site.url('/here'))).type).toBe('image/png')
  })

  it.each([
    ['/page', 'IMAGE_UNUSABLE'],
    ['/x.svg', 'IMAGE_UNUSABLE'],
    ['/large', 'FETCH_TOO_LARGE'],
    ['/lies', 'FETCH_TOO_LARGE'],
    ['/away', 'FETCH_ADDRESS_REFUSED'],
    ['/round', 'FETCH_REDIRECT_LOOP'],
    ['/none', 'HTTP_NOT_FOUND'],
  ])('refuses %s, and asks once in a minute', async (path, code) => {
    open()
    await expect(get(site.url(path))).rejects.toMatchObject({ code })
    await expect(get(site.url(path))).rejects.toMatchObject({ code })
    expect(site.requests).toHaveLength(1)
  })

  it.each([
    'http://127.0.0.1',
    'http://localhost',
    'http://[::1]',
    'http://0.0.0.0',
    'http://2130706433',
    'http://[::ffff:127.0.0.1]',
  ])('does not reach the machines around it at %s', async (origin) => {
    open({})
    await expect(get(`${origin}:${site.port}/a.png`)).rejects.toMatchObject({ code: 'FETCH_ADDRESS_REFUSED' })
    expect(site.requests).toHaveLength(0)
  })

  it('knows no address that it has not signed', async () => {
    open()
    await expect(get(site.url('/a.png'), 'another key')).rejects.toMatchObject({ code: 'IMAGE_NOT_FOUND' })
    const plain = Buffer.from(site.url('/a.png')).toString('base64url')
    for (const signature of ['', 'x', 'A'.repeat(24)]) {
      await expect(proxy.get(signature, plain)).rejects.toMatchObject({ code: 'IMAGE_NOT_FOUND' })
    }
    expect(site.requests).toHaveLength(0)
  })
})
