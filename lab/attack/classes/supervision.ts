import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AttackClass } from '../attack.ts'
import { rss } from '../documents.ts'
import { failingDatabase } from '../preloads.ts'
import { type AttackedNode, type AttackStage, NEAR } from '../stage.ts'

/** Writes of one layer after the other, by what their SQL looks like. */
const LAYERS: readonly (readonly [string, string])[] = [
  ['checkpoints of models', 'INTO model'],
  ['state of the node', 'INTO node_state'],
  ['refreshes', 'INTO observation'],
  ['items', 'INTO item'],
  ['the buffer of items', 'INTO buffer_|UPDATE buffer_|DELETE FROM buffer_'],
  ['what query feeds publish', 'INTO publication'],
  ['deliveries', 'UPDATE subscription'],
  ['what is read', 'INTO feed_read'],
  ['the text index', 'INTO item_text'],
  ['every write', '^\\s*(INSERT|UPDATE|DELETE|REPLACE)'],
]

export const supervision: AttackClass = {
  name: 'supervision',
  promise: 'Whatever write fails in whatever layer, the node serves, says so, goes on by itself, and loses nothing',
  async run(stage, effort) {
    // A refresh that could not be stored is made again after a minute, so the short form leaves those out.
    const layers = effort === 'full' ? LAYERS : LAYERS.slice(0, 2)
    const faults = join(stage.folder, 'faults')
    writeFileSync(faults, '')
    let published = 0
    const server = await stage.startServer((_request, response) => {
      published += 1
      const items = Array.from({ length: Math.min(100, published) }, (_, i) => ({ id: `item ${published - i}` }))
      response.writeHead(200, { 'content-type': 'application/xml' }).end(rss('growing', items))
    })
    const node = await stage.startNode({
      flags: [...NEAR, ...LIVELY],
      env: { HEADWATER_CHECKPOINT: '500ms' },
      nodeArgs: failingDatabase(faults),
    })
    await node.owner.must('POST', '/api/queries', { text: 'CREATE FEED out AS RETURN ALL;' })
    await node.owner.must('POST', '/api/subscriptions', { feed: 'out', output: { kind: 'file', path: 'out.jsonl' } })
    await node.owner.must('POST', '/api/sources', { url: server.url('/'), discover: false, intervalMs: 1_000 })
    await stage.eventually(() => server.requests.length > 2)
    const hits: string[] = []
    for (const [what, pattern] of layers) {
      writeFileSync(faults, pattern)
      node.process.signal('SIGUSR2')
      await hold(stage, node, what, hits)
      writeFileSync(faults, '')
      node.process.signal('SIGUSR2')
      if (!node.process.isRunning()) return { tries: layers.length, hits: [...hits, `the node ended: ${what}`] }
    }
    await recovers(stage, node, () => server.requests.length, hits)
    // A layer is well again after a minute.
    if (effort === 'full' && !(await stage.eventually(() => isCalm(node)))) hits.push('a layer is still failing')
    if ((await failures(node)) === 0) throw new Error('no write has failed')
    return { tries: layers.length, hits, figures: { failures: await failures(node), requests: server.requests.length } }
  },
}

const LIVELY = ['--budget', '1200/min', '--min-interval', '500ms', '--strategy', 'uniform']
/** Long enough for every layer to have met it; nothing is decided by it. */
const BLOCKED_FOR_MS = 2_500

/** Feeds, liveness and readiness are requested while the writes fail. */
async function hold(stage: AttackStage, node: AttackedNode, what: string, hits: string[]): Promise<void> {
  const looks = 5
  for (let look = 0; look < looks; look++) {
    await stage.sleep(BLOCKED_FOR_MS / looks)
    for (const path of ['/health', '/api/health', '/feeds/all.rss', '/feeds/out.atom', '/metrics']) {
      const { status } = await node.ask('GET', path)
      if (status !== 200) hits.push(`${path} answers ${status} while ${what} cannot be written`)
    }
  }
}

/** All that was published in the end is there once: in the archive and in what was sent. */
async function recovers(stage: AttackStage, node: AttackedNode, requests: () => number, hits: string[]): Promise<void> {
  const before = requests()
  if (!(await stage.eventually(() => requests() > before + 2))) hits.push('fetching does not go on')
  const { body } = await node.owner.ask('GET', '/api/items?limit=200')
  const titles: string[] = body.items.map(({ title }: { title: string }) => title)
  const numbers = titles.map((title) => Number(/\d+/.exec(title)?.[0])).sort((a, b) => b - a)
  const doubled = numbers.filter((number, i) => number === numbers[i + 1])
  if (doubled.length > 0) hits.push(`${doubled.length} items are there twice`)
  const newest = numbers[0] ?? 0
  const expected = Math.min(newest, 100, numbers.length)
  const missing = Array.from({ length: expected }, (_, i) => newest - i).filter((number) => !numbers.includes(number))
  if (newest === 0 || missing.length > 0) hits.push(`${missing.length} items are lost`)
}

async function isCalm(node: AttackedNode): Promise<boolean> {
  const { alarms } = (await node.ask('GET', '/api/health')).body
  return !alarms.some(({ code }: { code: string }) => code === 'LAYER_FAILING')
}

async function failures(node: AttackedNode): Promise<number> {
  const { layers } = (await node.ask('GET', '/api/health')).body
  return layers.reduce((sum: number, layer: { failures: number }) => sum + layer.failures, 0)
}
