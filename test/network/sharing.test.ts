import { afterEach, expect, it } from 'vitest'
import { SHARING } from '../../src/app/network/sharing-state.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { eventually } from '../support/patience.ts'
import { addFeed, type NetworkNode, startNetworkNode } from './network-stage.ts'
import { type Origins, startOrigins } from './sharing-stage.ts'

/** Names of nodes are random: with fewer, one of two may poll none of them. */
const SITES = 16
const closing: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** Two nodes that trust each other and have all sources in common. */
async function openPair() {
  const origins = await startOrigins(SITES, { isDated: true })
  closing.push(() => origins.close())
  const nodes: NetworkNode[] = []
  for (const userAgent of ['first', 'second']) {
    const node = await startNetworkNode({ userAgent, budget: '40/s' })
    closing.push(() => node.stop())
    nodes.push(node)
  }
  const [first, second] = nodes as [NetworkNode, NetworkNode]
  expect((await first.command('network', 'trust', second.url)).said).toContain('Trusts')
  expect((await second.command('network', 'trust', first.url)).said).toContain('Trusts')
  for (const node of nodes) await addFeed(node, 'everything', origins.urls)
  return { origins, nodes }
}

async function tally(node: NetworkNode) {
  return Object.values(await node.node.data.store.state(SHARING))[0]
}

async function hasAll({ node }: NetworkNode, titles: number): Promise<boolean> {
  return (await node.data.store.counts()).items === SITES * titles
}

function sum({ asked }: Origins): number {
  return [...asked.values()].reduce((all, one) => all + one, 0)
}

it('two nodes that trust each other poll each common source once, both have every item, and strangers get nothing', async () => {
  const { origins, nodes } = await openPair()
  const divided = async () => {
    const tallies = await Promise.all(nodes.map(tally))
    const there = tallies.reduce((all, one) => all + (one?.polledThere ?? 0), 0)
    return there === SITES && tallies.every((one) => (one?.polledThere ?? 0) > 0)
  }
  expect(await eventually(divided)).toBe(true)
  expect(await eventually(async () => (await hasAll(nodes[0]!, 2)) && hasAll(nodes[1]!, 2))).toBe(true)
  // Each node asks once at each origin before it believes the other.
  expect(
    await eventually(async () => (await Promise.all(nodes.map(tally))).every((one) => (one?.passedOn ?? 0) >= SITES)),
  ).toBe(true)
  const before = { requests: sum(origins), passedOn: await passedOn(nodes) }
  for (let n = 3; n <= 6; n++) {
    origins.publish(`item ${n}`)
    expect(await eventually(async () => (await hasAll(nodes[0]!, n)) && hasAll(nodes[1]!, n))).toBe(true)
  }
  await systemClock.sleep(3_000)
  const requests = sum(origins) - before.requests
  const spared = (await passedOn(nodes)) - before.passedOn
  console.log(`${requests} requests to origins, ${spared} documents passed on in place of one`)
  expect(spared).toBeGreaterThan(0)
  // Alone, whoever got a document from the other would have asked the origin.
  expect(requests / (requests + spared)).toBeLessThan(0.8)
  for (const node of nodes) expect(await eventually(async () => (await published(node)) === 6 * SITES)).toBe(true)
  await strangerGetsNothing(nodes[0]!)
})

async function strangerGetsNothing({ url }: NetworkNode): Promise<void> {
  for (const path of ['sources', 'document', 'history', 'news']) {
    const headers = { 'content-type': 'application/json', authorization: `Headwater ${'a'.repeat(22)} 1 x` }
    const answer = await fetch(`${url}/peer/${path}`, { method: 'POST', body: '{}', headers })
    expect(answer.status).toBe(401)
    expect(await answer.json()).toMatchObject({ code: 'PEER_REFUSED' })
  }
}

async function passedOn(nodes: readonly NetworkNode[]): Promise<number> {
  const tallies = await Promise.all(nodes.map(tally))
  return tallies.reduce((all, one) => all + (one?.passedOn ?? 0), 0)
}

async function published({ node: { data } }: NetworkNode): Promise<number> {
  const feed = await data.store.queryFeed('everything')
  return (await data.store.publicationState(feed?.id ?? 0)).count
}
