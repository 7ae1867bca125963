import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { seededRandom } from '../../../src/runtime/random.ts'
import type { AttackClass } from '../attack.ts'
import { rss } from '../documents.ts'
import { type AttackedNode, NEAR, type Stage } from '../stage.ts'

const FEEDS = 8
/** Items in a document: each is shown so often that a few lost requests lose nothing. */
const WINDOW = 60

export const kills: AttackClass = {
  name: 'kills',
  promise: 'Whenever the process is killed, no item is lost or doubled, in the archive or in what was published',
  async run(stage, effort) {
    const count = effort === 'full' ? 15 : 2
    const random = seededRandom(14)
    // A document is a function of how often it was asked for, never of time: what must be there is known exactly.
    const shown = Array.from({ length: FEEDS }, () => 0)
    let isGrowing = true
    const server = await stage.startServer((request, response) => {
      const feed = Number(/\d+/.exec(request.url ?? '')?.[0] ?? 0) % FEEDS
      if (isGrowing) shown[feed]! += 3
      const newest = shown[feed]!
      const items = Array.from({ length: Math.min(WINDOW, newest) }, (_, i) => ({
        id: `feed ${feed} item ${newest - i}`,
      }))
      response.writeHead(200, { 'content-type': 'application/xml' }).end(rss(`feed ${feed}`, items))
    })
    const flags = [
      ...NEAR,
      '--budget',
      '1200/min',
      '--min-interval',
      '100ms',
      '--host-concurrency',
      '8',
      '--strategy',
      'uniform',
    ]
    const node = await stage.startNode({ flags })
    await node.owner.must('POST', '/api/queries', { text: 'CREATE FEED out AS RETURN ALL;' })
    const output = { kind: 'file', path: 'out.jsonl' }
    await node.owner.must('POST', '/api/subscriptions', { feed: 'out', output })
    for (let i = 0; i < FEEDS; i++) {
      await node.owner.must('POST', '/api/sources', { url: server.url(`/${i}`), discover: false, intervalMs: 1_000 })
    }
    for (let kill = 0; kill < count; kill++) {
      const before = server.requests.length
      await stage.eventually(() => server.requests.length > before + FEEDS)
      await stage.sleep(random() * 1_000)
      await node.kill()
      await node.start()
    }
    isGrowing = false
    const hits = await verdict(stage, node, shown, () => server.requests.length)
    return {
      tries: count,
      hits,
      figures: { items: shown.reduce((sum, items) => sum + items, 0), requests: server.requests.length },
    }
  },
}

async function verdict(
  stage: Stage,
  node: AttackedNode,
  shown: readonly number[],
  requests: () => number,
): Promise<string[]> {
  const hits: string[] = []
  const expected = shown.flatMap((count, feed) => Array.from({ length: count }, (_, i) => `feed ${feed} item ${i + 1}`))
  const before = requests()
  await stage.eventually(() => requests() > before + 3 * FEEDS)
  const isStored = async () => (await node.owner.must('GET', '/api/overview')).counts.items >= expected.length
  await stage.eventually(isStored, 30_000)
  hits.push(...compare('the archive', expected, await archived(node)))
  const file = join(node.dataDir, 'files', 'out.jsonl')
  const lines = () =>
    existsSync(file)
      ? readFileSync(file, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
      : []
  await stage.eventually(() => lines().length >= expected.length, 30_000)
  hits.push(
    ...compare(
      'the file of a subscription',
      expected,
      lines().map((line) => JSON.parse(line).item.title),
    ),
  )
  return hits
}

function compare(where: string, expected: readonly string[], found: readonly string[]): string[] {
  const there = new Set(found)
  const missing = expected.filter((title) => !there.has(title))
  const doubled = found.length - there.size
  return [
    ...(missing.length === 0 ? [] : [`${missing.length} items are missing in ${where}, as ${missing[0]}`]),
    ...(doubled === 0 ? [] : [`${doubled} items are in ${where} twice`]),
  ]
}

async function archived(node: AttackedNode): Promise<readonly string[]> {
  const titles: string[] = []
  for (let cursor = ''; ; ) {
    const { items, next } = await node.owner.must('GET', `/api/items?limit=200${cursor}`)
    titles.push(...items.map(({ title }: { title: string }) => title))
    if (next === null) return titles
    cursor = `&cursor=${encodeURIComponent(next)}`
  }
}
