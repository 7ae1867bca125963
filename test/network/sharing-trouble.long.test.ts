import { afterEach, expect, it } from 'vitest'
import { SHARING } from '../../src/app/network/sharing-state.ts'
import { eventually } from '../support/patience.ts'
import { addFeed, type NetworkNode, startNetworkNode } from './network-stage.ts'
import { startOrigins } from './sharing-stage.ts'

/** Names of nodes are random: with fewer, one of two may poll none of them. */
const SITES = 16
const closing: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** Two nodes that trust each other and have all sources in common. */
async function openPair(isDated: boolean) {
  const origins = await startOrigins(SITES, { isDated })
  closing.push(() => origins.close())
  const [first, second] = [await startNetworkNode(flags('first')), await startNetworkNode(flags('second'))]
  for (const node of [first, second]) closing.push(() => node.stop())
  expect((await first.command('network', 'trust', second.url)).said).toContain('Trusts')
  expect((await second.command('network', 'trust', first.url)).said).toContain('Trusts')
  for (const node of [first, second]) await addFeed(node, 'everything', origins.urls)
  const isPassedOn = await eventually(async () => ((await tally(first))?.passedOn ?? 0) > 0)
  expect(isPassedOn, JSON.stringify([await tally(first), await tally(second)])).toBe(true)
  return { origins, first, second }
}

const flags = (userAgent: string) => ({ userAgent, budget: '40/s' })

async function tally(node: NetworkNode) {
  return Object.values(await node.node.data.store.state(SHARING))[0]
}

async function hasAll({ node }: NetworkNode, titles: number): Promise<boolean> {
  return (await node.data.store.counts()).items === SITES * titles
}

it('one that falls silent costs no item', async () => {
  const { origins, first, second } = await openPair(true)
  await second.node.stop()
  origins.publish('while it is away')
  expect(await eventually(() => hasAll(first, 3))).toBe(true)
  expect(await eventually(async () => (await tally(first))?.isSilent === true)).toBe(true)
})

it('one that lies costs no item, and is found out', async () => {
  const { origins, first } = await openPair(false)
  origins.deceive('second')
  origins.publish('what the other hides')
  expect(await eventually(() => hasAll(first, 3))).toBe(true)
  expect(await eventually(async () => ((await tally(first))?.lies ?? 0) > 0)).toBe(true)
})

it('one that knows a source for longer tells a new one what it has seen of it', async () => {
  const origins = await startOrigins(SITES, { isDated: true })
  closing.push(() => origins.close())
  const first = await startNetworkNode(flags('first'))
  closing.push(() => first.stop())
  await addFeed(first, 'everything', origins.urls)
  expect(await eventually(() => hasAll(first, 2))).toBe(true)
  for (let n = 3; n <= 8; n++) {
    origins.publish(`item ${n}`)
    expect(await eventually(() => hasAll(first, n))).toBe(true)
  }
  const second = await startNetworkNode(flags('second'))
  closing.push(() => second.stop())
  expect((await first.command('network', 'trust', second.url)).said).toContain('Trusts')
  expect((await second.command('network', 'trust', first.url)).said).toContain('Trusts')
  await addFeed(second, 'everything', origins.urls)
  expect(await eventually(async () => ((await tally(second))?.learnt ?? 0) > 0)).toBe(true)
  expect((await tally(first))?.learnt).toBe(0)
})
