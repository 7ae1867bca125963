import { afterEach, expect, it } from 'vitest'
import { type PeerTally, SHARING } from '../../src/app/network/sharing-state.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { eventually } from '../support/patience.ts'
import { addFeed, type NetworkNode, startNetworkNode } from './network-stage.ts'
import { startOrigins } from './sharing-stage.ts'

const NODES = 5
/** Of ten sources of each node six are common to all. */
const COMMON = 6
const OWN = 4
const ROUNDS = 8
/** Of five nodes alone: (4 · 5 + 6) / 50 is the least. */
const MOST_REQUESTS = 0.6
const closing: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function tallies({ node }: NetworkNode): Promise<readonly PeerTally[]> {
  return Object.values(await node.data.store.state(SHARING))
}

async function passedOn(nodes: readonly NetworkNode[]): Promise<number> {
  const all = (await Promise.all(nodes.map(tallies))).flat()
  return all.reduce((sum, one) => sum + one.passedOn, 0)
}

it('five nodes with 60 % common sources send 0.6 of the requests of five alone, and have every item', async () => {
  const origins = await startOrigins(COMMON + NODES * OWN, { isDated: true })
  closing.push(() => origins.close())
  const nodes: NetworkNode[] = []
  for (let k = 0; k < NODES; k++) {
    const node = await startNetworkNode({ userAgent: `node ${k}`, budget: '10/s', minInterval: '2s' })
    closing.push(() => node.stop())
    nodes.push(node)
  }
  for (const one of nodes) {
    for (const other of nodes) if (other !== one) await one.command('network', 'trust', other.url)
  }
  for (const [k, node] of nodes.entries()) {
    const own = origins.urls.slice(COMMON + k * OWN, COMMON + (k + 1) * OWN)
    await addFeed(node, 'everything', [...origins.urls.slice(0, COMMON), ...own])
  }
  const allHave = (items: number) =>
    eventually(async () => {
      const counts = await Promise.all(nodes.map(({ node }) => node.data.store.counts()))
      return counts.every((one) => one.items === items * (COMMON + OWN))
    })
  expect(await allHave(2)).toBe(true)
  // Each asks once at each origin before it believes another.
  expect(
    await eventually(async () => {
      const common = (await Promise.all(nodes.map(tallies))).map((all) => all.every((one) => one.common === COMMON))
      return common.every(Boolean) && (await passedOn(nodes)) >= (NODES - 1) * COMMON
    }),
  ).toBe(true)
  const requests = () => [...origins.asked.values()].reduce((sum, one) => sum + one, 0)
  const before = { requests: requests(), passedOn: await passedOn(nodes) }
  for (let n = 3; n < 3 + ROUNDS; n++) {
    origins.publish(`item ${n}`)
    expect(await allHave(n)).toBe(true)
  }
  // Tallies are stored every five seconds.
  await systemClock.sleep(6_000)
  const asked = requests() - before.requests
  const spared = (await passedOn(nodes)) - before.passedOn
  console.log(
    `${asked} requests to origins, ${spared} documents from other nodes: ${(asked / (asked + spared)).toFixed(3)}`,
  )
  expect(asked / (asked + spared)).toBeLessThanOrEqual(MOST_REQUESTS)
})
