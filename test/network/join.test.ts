import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NETWORK } from '../../src/app/network/network-state.ts'
import { type LocalServer, startServer } from '../support/local-server.ts'
import { eventually } from '../support/patience.ts'
import { addFeed, type NetworkNode, startNetworkNode, worded } from './network-stage.ts'

const ICE = [
  { title: 'Glaciers are melting faster', category: 'glaciers' },
  { title: 'Arctic glaciers measured', category: 'arctic' },
]

describe('nodes that join', () => {
  let site: LocalServer
  let first: NetworkNode
  let second: NetworkNode
  const nodes: NetworkNode[] = []

  const open = async (feeds: Readonly<Record<string, readonly string[]>>) => {
    const one = await startNetworkNode()
    nodes.push(one)
    for (const [name, urls] of Object.entries(feeds)) await addFeed(one, name, urls)
    return one
  }
  const published = async ({ node }: NetworkNode, name: string) => {
    const feed = await node.data.store.queryFeed(name)
    return (await node.data.store.publicationState(feed?.id ?? 0)).count
  }
  const network = ({ node }: NetworkNode) => node.data.store.state(NETWORK)

  beforeAll(async () => {
    site = await startServer((request, response) => {
      if (request.url === '/cars') response.end(worded([{ title: 'Engines roaring again', category: 'motor racing' }]))
      else response.end(worded(ICE.map((item) => ({ ...item, title: `${item.title} ${request.url?.slice(1)}` }))))
    })
    first = await open({ ice: [site.url('/north')], cars: [site.url('/cars')] })
    second = await open({ cold: [site.url('/south')] })
    await eventually(async () => (await published(first, 'cars')) > 0 && (await published(first, 'ice')) > 0)
    await eventually(async () => (await published(second, 'cold')) > 0)
  })
  afterAll(async () => {
    for (const node of nodes) await node.stop()
    await site.close()
  })

  it('propose what is alike within the radius, and follow nothing before it is confirmed', async () => {
    const { code, said } = await second.command('network', 'join', first.url)
    expect(said).toContain(`${first.url}/feeds/ice.atom`)
    expect(said).not.toContain('cars')
    expect(said).toContain('--yes')
    expect(code).toBe(0)
    expect(await second.node.data.store.sourceByUrl(`${first.url}/feeds/ice.atom`)).toBeNull()
  })

  it('follow it once it is confirmed, and get its items', async () => {
    const { said } = await second.command('network', 'join', first.url, '--yes')
    expect(said).toContain('Followed 1')
    const { store } = second.node.data
    const source = await store.sourceByUrl(`${first.url}/feeds/ice.atom`)
    expect(source?.categories).toEqual(['Network'])
    expect(await eventually(async () => (await store.itemCount(source?.id ?? 0)) === ICE.length)).toBe(true)
    const status = await second.command('network', 'status', '--json')
    expect(JSON.parse(status.said)).toMatchObject({
      sources: 1,
      nodes: [{ url: first.url, failure: null }],
      edges: [{ url: `${first.url}/feeds/ice.atom`, hops: 2, isCircle: false }],
    })
    expect((await store.audit({ limit: 10 })).map(({ subject }) => subject)).toContain(
      'network: 1 feeds followed, 0 paused',
    )
  })

  it.each(['/sources/3', '/read', '/feeds/ice.atom', '/network?tab=nodes#top', '/'])(
    'know one by a page of it that was copied: %s',
    async (page) => {
      const third = await open({})
      const { code } = await third.command('network', 'join', `${first.url}${page}`)
      expect(code).toBe(0)
      expect((await network(third)).nodes.map(({ url, failure }) => [url, failure])).toEqual([[first.url, null]])
      await third.command('network', 'join', `${first.url}/another/page`)
      expect((await network(third)).nodes).toHaveLength(1)
      expect((await third.command('network', 'trust', `${first.url}${page}`)).code).toBe(0)
      expect((await network(third)).peers.map(({ url }) => url)).toEqual([first.url])
    },
  )

  it('ask no more than six places for the node of one address', async () => {
    const other = await startServer((_request, response) => response.writeHead(404).end())
    try {
      const third = await open({})
      const { code, said } = await third.command('network', 'join', other.url(`/feeds${'/deep'.repeat(100)}`))
      expect([code, said]).toEqual([1, expect.stringContaining('HTTP_NOT_FOUND')])
      // And once more at the likeliest, to say why not.
      expect(other.requests).toHaveLength(7)
    } finally {
      await other.close()
    }
  })

  it.each(['/reader/', '/reader/sources/3'])(
    'find one below a path of its host by %s, and follow its feeds there',
    async (page) => {
      let inner = ''
      const proxy = await startServer(({ url = '' }, response) => {
        if (!url.startsWith('/reader/')) return response.writeHead(404).end()
        void fetch(`${inner}${url.slice('/reader'.length)}`).then(async (answer) => {
          response.writeHead(answer.status).end(await answer.text())
        })
      })
      const below = await startNetworkNode({ publicUrl: proxy.url('/reader') })
      try {
        inner = `http://127.0.0.1:${below.node.port}`
        await addFeed(below, 'deep', [site.url('/deep')])
        await eventually(async () => (await published(below, 'deep')) > 0)
        const { said } = await second.command('network', 'join', proxy.url(page))
        expect(said).toContain(proxy.url('/reader/feeds/deep.atom'))
        await second.command('network', 'leave', proxy.url('/reader'))
      } finally {
        await below.stop()
        await proxy.close()
      }
    },
  )

  it.each([
    ['--alpha', '-1'],
    ['--radius', '1.1'],
    ['--radius', 'near'],
  ])('refuse %s %s', async (name, value) => {
    const { code, said } = await second.command('network', 'join', first.url, name, value)
    expect([code, said]).toEqual([2, expect.stringContaining(`not "${value}"`)])
  })

  it('refuse what would close a circle', async () => {
    // Its feed holds what comes from the first node.
    await addFeed(second, 'both', [site.url('/south'), `${first.url}/feeds/ice.atom`])
    await eventually(async () => (await published(second, 'both')) === 2 * ICE.length)
    const { said } = await first.command('network', 'join', second.url)
    expect(said).toMatch(/Left out: \S+\/feeds\/both\.atom/)
    expect((await network(first)).proposal?.follow.map(({ url }) => url)).toEqual([`${second.url}/feeds/cold.atom`])
  })

  it('judge anew as profiles change, and only propose', async () => {
    const third = await open({ near: [site.url('/west')] })
    await eventually(async () => (await published(third, 'near')) > 0)
    await second.command('network', 'join', third.url)
    const { proposal, followed } = await network(second)
    expect(proposal?.follow.map(({ url }) => url)).toEqual([`${third.url}/feeds/near.atom`])
    expect(followed).toEqual([`${first.url}/feeds/ice.atom`])
    await third.command('query', 'drop', 'near')
    await second.command('network', 'leave', third.url)
    expect((await network(second)).proposal?.follow).toEqual([])
  })

  it('keep their trust through a new key, and end it by command', async () => {
    expect((await first.command('network', 'trust', second.url)).said).toContain('Trusts')
    await second.command('network', 'rotate')
    // The node of the test signs with the new key when its profile is made again, some seconds later.
    const before = (await network(first)).peers[0]?.key
    const renewed = async () => {
      const { code } = await first.command('network', 'trust', second.url)
      return code === 0 && (await network(first)).peers[0]?.key !== before
    }
    await addFeed(second, 'another', [site.url('/south')])
    expect(await eventually(renewed)).toBe(true)
    expect((await first.command('network', 'revoke', second.url)).code).toBe(0)
    expect((await network(first)).peers).toEqual([])
    expect((await first.command('network', 'revoke', second.url)).said).toContain('NETWORK_NODE_UNKNOWN')
  })

  /** What hostile nodes say. */
  const HOSTILE: Readonly<
    Record<string, { readonly answer: (response: ServerResponse) => void; readonly code: string }>
  > = {
    'a hundred megabytes': { answer: (response) => endless(response), code: 'FETCH_TOO_LARGE' },
    'another protocol': {
      answer: (response) => response.end(JSON.stringify({ protocol: 99, profile: '{}', signature: '' })),
      code: 'NETWORK_PROTOCOL',
    },
    'a page': { answer: (response) => response.end('<html>'), code: 'NETWORK_PROFILE_INVALID' },
    'the profile of another node': {
      answer: (response) => response.writeHead(302, { location: `${first.url}/.well-known/headwater` }).end(),
      code: 'NETWORK_PROFILE_ELSEWHERE',
    },
    'a redirect to a private address': {
      answer: (response) => response.writeHead(302, { location: 'http://10.1.2.3/' }).end(),
      code: 'FETCH_ADDRESS_REFUSED',
    },
  }

  it.each(Object.entries(HOSTILE))('refuse %s with a code, count it, and show it', async (_name, { answer, code }) => {
    const hostile = await startServer((_request, response) => answer(response))
    try {
      const before = (await network(second)).refusals[code] ?? 0
      const joined = await second.command('network', 'join', hostile.url('').replace(/\/$/, ''), '--yes')
      expect([joined.code, joined.said]).toEqual([1, expect.stringContaining(code)])
      expect((await network(second)).refusals[code]).toBe(before + 1)
      expect((await second.command('network', 'status')).said).toContain(code)
      await second.command('network', 'leave', hostile.url(''))
    } finally {
      await hostile.close()
    }
  })
})

function endless(response: ServerResponse): void {
  const chunk = Buffer.alloc(1024 ** 2, 'x')
  let sent = 0
  const more = () => {
    while (sent < 100 && !response.destroyed) {
      sent++
      if (!response.write(chunk)) {
        response.once('drain', more)
        return
      }
    }
    response.end()
  }
  more()
}
