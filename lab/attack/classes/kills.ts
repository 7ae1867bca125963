import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { seededRandom } from '../../../src/runtime/random.ts'
import type { AttackClass } from '../attack.ts'
import { archivedTitles, compareTitles, growingFeeds } from '../growing-feeds.ts'
import { type AttackedNode, type AttackStage, NEAR } from '../stage.ts'

const FEEDS = 8
export const kills: AttackClass = {
  name: 'kills',
  promise: 'Whenever the process is killed, no item is lost or doubled, in the archive or in what was published',
  async run(stage, effort) {
    const count = effort === 'full' ? 15 : 2
    const random = seededRandom(14)
    const feeds = await growingFeeds(stage, FEEDS)
    const { server } = feeds
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
    await feeds.follow(node, 1_000)
    for (let kill = 0; kill < count; kill++) {
      const before = server.requests.length
      await stage.eventually(() => server.requests.length > before + FEEDS)
      await stage.sleep(random() * 1_000)
      await node.kill()
      await node.start()
    }
    feeds.stop()
    const hits = await verdict(stage, node, feeds.titles(), () => server.requests.length)
    return {
      tries: count,
      hits,
      figures: { items: feeds.titles().length, requests: server.requests.length },
    }
  },
}

async function verdict(
  stage: AttackStage,
  node: AttackedNode,
  expected: readonly string[],
  requests: () => number,
): Promise<string[]> {
  const hits: string[] = []
  const before = requests()
  await stage.eventually(() => requests() > before + 3 * FEEDS)
  const isStored = async () => (await node.owner.must('GET', '/api/overview')).counts.items >= expected.length
  await stage.eventually(isStored, 30_000)
  hits.push(...compareTitles('the archive', expected, await archivedTitles(node)))
  const file = join(node.dataDir, 'files', 'out.jsonl')
  const lines = () =>
    existsSync(file)
      ? readFileSync(file, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
      : []
  await stage.eventually(() => lines().length >= expected.length, 30_000)
  hits.push(
    ...compareTitles(
      'the file of a subscription',
      expected,
      lines().map((line) => JSON.parse(line).item.title),
    ),
  )
  return hits
}
