import type { AttackClass } from '../attack.ts'
import { rss } from '../documents.ts'
import { type AttackedNode, type AttackStage, NEAR } from '../stage.ts'

const HEAP_MB = 96
const MIB = 1024 ** 2
/** More than is stored of a text with so small a heap, and less than the longest body that it takes. */
const ITEM_BYTES = 3.5 * MIB
const ITEMS = { short: 12, full: 40 } as const
/** An answer is read up to there; documents are cut short by their texts, not by this. */
const MOST_BYTES = 64 * MIB
const FLAGS = [...NEAR, '--budget', '6000/min', '--min-interval', '1s', '--strategy', 'uniform']
const MOST_REPETITIONS = 5
const QUERY = 'CREATE FEED long AS RETURN ALL WHERE TITLE CONTAINS "item"'
const PREVIEWS = ['RETURN ALL WHERE CONTENT MATCHES /word$/', 'RETURN ALL WHERE ITEM CONTAINS "long word"'] as const

/** A source that publishes one very long item at a time: each fits, all of them together do not. */
export const longItems: AttackClass = {
  name: 'long-items',
  promise: `With ${HEAP_MB} MB of heap very long items, each stored, can be read, queried and searched by everybody, and end no node`,
  async run(stage, effort) {
    const itemCount = ITEMS[effort]
    const node = await stage.startNode({ flags: FLAGS, nodeArgs: [`--max-old-space-size=${HEAP_MB}`] })
    await node.owner.must('POST', '/api/queries', { text: QUERY })
    const url = await growingSource(stage, itemCount)
    await node.owner.must('POST', '/api/sources', { url, discover: false, intervalMs: 1_000 })
    const stored = async () => ((await node.ask('GET', '/api/health')).body?.items ?? 0) as number
    const isStored = await stage.eventually(async () => !node.process.isRunning() || (await stored()) >= itemCount)
    const hits = isStored ? [] : [`only ${await stored()} of ${itemCount} items were stored`]
    let tries = itemCount
    for (let round = 0; round < 2; round++) tries += await readAll(node, itemCount, hits)
    if (!node.process.isRunning()) hits.push(`the node ended: ${node.process.output().slice(-400)}`)
    return { tries, hits, figures: { items: itemCount, peakMib: node.process.peakBytes() / MIB } }
  },
}

/** A new item with every answer, until there are enough; only the newest is shown. */
async function growingSource(stage: AttackStage, items: number): Promise<string> {
  let count = 0
  const html = 'long word '.repeat(ITEM_BYTES / 10)
  const server = await stage.startServer((_request, response) => {
    if (count < items) count++
    response.writeHead(200, { 'content-type': 'application/xml' })
    response.end(rss('long', [{ id: `item ${count}`, html }]))
  })
  return server.url('/long')
}

/** Returns the number of requests. */
async function readAll(node: AttackedNode, items: number, hits: string[]): Promise<number> {
  const feeds = ['all', 'source/1', 'long'].flatMap((feed) => ['rss', 'atom', 'json'].map((as) => `${feed}.${as}`))
  for (const feed of feeds) {
    if (!node.process.isRunning()) return feeds.length
    const { status, text } = await node.ask('GET', `/feeds/${feed}`, { mostBytes: MOST_BYTES })
    const titles = new Set(text.match(/(?<=[>"])item \d+(?=[<"])/g) ?? [])
    if (status !== 200) hits.push(`/feeds/${feed} answers ${status}`)
    else if (titles.size < items) hits.push(`/feeds/${feed} has ${titles.size} of ${items} items`)
  }
  const requests = [
    ...PREVIEWS.map((text) => ['POST', '/api/queries/preview', { text, over: 'all', most: 1_000_000 }] as const),
    ['GET', '/api/items?limit=100', undefined] as const,
    ['GET', `/api/items?limit=100&text=${encodeURIComponent('"long word"')}`, undefined] as const,
  ]
  for (const [method, path, body] of requests) {
    if (!node.process.isRunning()) break
    const ask = () => node.owner.ask(method, path, body === undefined ? {} : { body })
    let answer = await ask()
    // On a busy machine a search may come too late for its deadline; the node says so, and to come back.
    for (let again = 0; answer.status === 503 && again < MOST_REPETITIONS; again++) answer = await ask()
    if (answer.status !== 200) hits.push(`${path} answers ${answer.status}: ${answer.text.slice(0, 80)}`)
  }
  return feeds.length + requests.length
}
