import { afterEach, expect, it } from 'vitest'
import { withSourceDefaults } from '../../src/app/sources/import-sources.ts'
import { SECOND_MS } from '../../src/model/index.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { type NetworkNode, startNetworkNode } from '../network/network-stage.ts'
import { startServer } from '../support/local-server.ts'
import { eventually } from '../support/patience.ts'
import { rss } from './hub-stage.ts'

const closing: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** Titles of all items, which change with edits, and how many pushes the node has taken. */
async function stateOf({ node: { data } }: NetworkNode) {
  const titles = (await data.store.arrivals({ kind: 'all' }, 100)).map(({ sourceId, title }) => `${sourceId} ${title}`)
  const [push] = await data.store.pushes({ limit: 1 })
  return { titles: titles.sort(), pushes: push?.pushes ?? 0 }
}

it('two nodes that follow all of each other have every item and edit, and come to rest', async () => {
  const shown = [['a'], ['b']] as const
  const documents = shown.map((guids) => ({ guids: [...guids] as string[], edit: '' }))
  const nodes: NetworkNode[] = []
  const urls: string[] = []
  for (const document of documents) {
    const site = await startServer((_request, response) =>
      response.end(rss('', document.guids).replaceAll('<title>a</title>', `<title>a${document.edit}</title>`)),
    )
    closing.push(() => site.close())
    urls.push(site.url('/feed'))
    const node = await startNetworkNode({ budget: '50/s' })
    closing.push(() => node.stop())
    nodes.push(node)
  }
  for (const [k, { node }] of nodes.entries()) {
    const other = nodes[1 - k]?.url
    const own = [urls[k] ?? '', `${other}/feeds/all.atom`].map((url) => withSourceDefaults({ url }))
    await node.data.store.addSources(own, systemClock.now())
  }
  const isActive = async ({ node }: NetworkNode) => (await node.data.store.pushes({ limit: 1 }))[0]?.status === 'active'
  expect(await eventually(async () => (await Promise.all(nodes.map(isActive))).every(Boolean))).toBe(true)
  const [first, second] = nodes
  if (first === undefined || second === undefined) throw new Error('both were started')
  documents[0]?.guids.unshift('c')
  await first.node.data.store.requestRefresh([1], systemClock.now())
  expect(await eventually(async () => (await stateOf(second)).titles.includes('2 c'))).toBe(true)
  Object.assign(documents[0] ?? {}, { edit: ' corrected' })
  await first.node.data.store.requestRefresh([1], systemClock.now())
  expect(await eventually(async () => (await stateOf(second)).titles.includes('2 a corrected'))).toBe(true)
  // Longer than an edition of a busy feed waits, and than its source may be looked at again.
  const rests = async () => {
    const before = await Promise.all(nodes.map(stateOf))
    await systemClock.sleep(6 * SECOND_MS)
    return JSON.stringify(before) === JSON.stringify(await Promise.all(nodes.map(stateOf)))
  }
  expect(await eventually(rests)).toBe(true)
})
