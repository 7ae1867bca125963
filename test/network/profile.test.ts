import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fingerprint } from '../../src/app/network/identity.ts'
import { MOST_PROFILE_BYTES, readProfile } from '../../src/app/network/profile-document.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { type LocalServer, startServer } from '../support/local-server.ts'
import { eventually } from '../support/patience.ts'
import { addFeed, type NetworkNode, startNetworkNode, worded } from './network-stage.ts'

describe('what a node says of itself', () => {
  let site: LocalServer
  let node: NetworkNode

  beforeAll(async () => {
    site = await startServer((request, response) => {
      const category = request.url === '/secret' ? 'hidden matters' : 'glaciers'
      response.end(worded([{ title: `Melting ${category} reported`, category }]))
    })
    node = await startNetworkNode()
    await addFeed(node, 'ice', [site.url('/ice')])
    await addFeed(node, 'diary', [site.url('/secret')], true)
    const { store } = node.node.data
    const published = async (name: string) =>
      (await store.publicationState((await store.queryFeed(name))?.id ?? 0)).count > 0
    await eventually(async () => (await published('ice')) && (await published('diary')))
  })
  afterAll(async () => {
    await node.stop()
    await site.close()
  })

  const read = async () => {
    const answer = await fetch(`${node.url}/.well-known/headwater`)
    return new Uint8Array(await answer.arrayBuffer())
  }

  it('is signed, small, and of its own address', async () => {
    await eventually(async () => readProfile(await read(), node.url, systemClock.now()).feeds.length > 0)
    const body = await read()
    const profile = readProfile(body, node.url, systemClock.now())
    expect(body.length).toBeLessThan(MOST_PROFILE_BYTES)
    expect(profile.feeds).toMatchObject([{ name: 'ice', url: `${node.url}/feeds/ice.atom`, selectivity: 1 }])
    expect(profile.feeds[0]).toMatchObject({ categories: ['glaciers'], roots: [{ hops: 1 }], through: [] })
    expect(profile.keywords).toContain('melting')
    expect(fingerprint(profile.key)).toMatch(/^[0-9a-f]{4}( [0-9a-f]{4}){7}$/)
  })

  it('names nothing that strangers may not open', async () => {
    const text = Buffer.from(await read()).toString()
    expect(text).not.toContain('diary')
    expect(text).not.toContain('hidden matters')
  })

  it('is refused with a code once anybody has changed it, or where it is found elsewhere, or late', async () => {
    const text = Buffer.from(await read()).toString()
    const now = systemClock.now()
    const code = (body: string, url = node.url, at = now) => {
      try {
        readProfile(Buffer.from(body), url, at)
        return 'taken'
      } catch (error) {
        return (error as { code: string }).code
      }
    }
    expect(code(text)).toBe('taken')
    expect(code(text.replace('glaciers', 'volcanos'))).toBe('NETWORK_SIGNATURE')
    expect(code(text.replace('"protocol":1', '"protocol":2'))).toBe('NETWORK_PROTOCOL')
    expect(code('{"protocol":"2.1","shape":"of the future"}')).toBe('NETWORK_PROTOCOL')
    expect(code('<html>')).toBe('NETWORK_PROFILE_INVALID')
    expect(code(text, 'https://elsewhere.example')).toBe('NETWORK_PROFILE_ELSEWHERE')
    expect(code(text, node.url, now + 3 * 86_400_000)).toBe('NETWORK_PROFILE_OLD')
  })
})
