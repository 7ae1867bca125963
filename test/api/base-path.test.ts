import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { basePathFor } from '../../src/api/base-path.ts'
import { type ApiNode, claim, openApiNode, PASSWORD } from './api-node.ts'

describe('below which path of its host a node is', () => {
  it('is what the public address says, for who came by its host', () => {
    const cases = [
      ['example.org', 'https://example.org/reader/', '/reader'],
      ['example.org:8443', 'https://example.org:8443/a/b', '/a/b'],
      // Some proxies leave the port out.
      ['example.org', 'https://example.org:8443/reader', '/reader'],
      ['127.0.0.1:8080', 'https://example.org/reader', ''],
      ['example.org:8080', 'https://example.org/reader', ''],
      ['example.org', 'https://example.org', ''],
      [undefined, 'https://example.org/reader', ''],
    ] as const
    for (const [host, publicUrl, path] of cases) expect([host, basePathFor(host, publicUrl)]).toEqual([host, path])
  })
})

describe('cookies of a node below a path', () => {
  let node: ApiNode
  beforeAll(async () => {
    node = await openApiNode({ baseUrl: 'https://example.org/reader' })
    await claim(node)
  })
  afterAll(() => node.close())

  const paths = async (headers: Readonly<Record<string, string>>) => {
    const body = { name: 'owner', password: PASSWORD }
    const answer = await node.ask('POST', '/api/session', { body, headers })
    return [answer.headers['set-cookie']].flat().map((one) => /Path=([^;]+)/.exec(String(one))?.[1])
  }

  it('are for that path alone, at the host of the public address', async () => {
    expect(await paths({ host: 'example.org' })).toEqual(['/reader', '/reader/api/session'])
    expect(await paths({ host: '127.0.0.1:8080' })).toEqual(['/', '/api/session'])
  })

  it('are not moved by who claims to be a proxy', async () => {
    const forged = { host: '127.0.0.1:8080', 'x-forwarded-host': 'example.org', 'x-forwarded-prefix': '/reader' }
    expect(await paths(forged)).toEqual(['/', '/api/session'])
  })
})
