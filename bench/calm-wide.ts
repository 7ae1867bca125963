import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../src/runtime/clock.ts'
import { TOKEN } from './calm-data.ts'
import { type CalmNode, startCalmNode } from './calm-node.ts'
import { fillWideData, LARGE_FEED, LARGE_FOLDER } from './calm-wide-data.ts'

export interface OperationFigures {
  readonly what: string
  readonly status: number
  /** Of the longest turn of the event loop meanwhile, by the main thread's own CPU time. */
  readonly turnCpuMsMost: number
  readonly cpuMs: number
  readonly bytes: number
}

interface Question {
  readonly what: string
  readonly method?: string
  readonly body?: string | Uint8Array
  readonly type?: string
  /** What goes on after the answer: until the node has nothing to do any more. */
  readonly goesOn?: boolean
}

/** Longer than a list of sources is kept (src/api/handlers/source-directory.ts). */
const PAUSE_MS = 2_200
const IMPORTED = 5_000

function questions(sources: number): readonly Question[] {
  const reads = [
    '/api/health',
    '/metrics',
    '/api/overview?over=week',
    '/api/quality?scope=node&over=week',
    `/api/quality?scope=category:${LARGE_FOLDER}&over=week`,
    `/api/quality?scope=feed:${LARGE_FEED}&over=week`,
    `/api/quality/series?scope=category:${LARGE_FOLDER}&over=week`,
    `/api/quality/series?scope=feed:${LARGE_FEED}&over=week`,
    '/api/budget',
    '/api/feeds',
    '/api/settings',
    '/api/sources/table',
    '/api/sources?limit=200&sort=name',
    '/api/sources/2',
    '/api/sources/2/model',
    '/api/sources/2/refreshes',
    '/api/categories',
    '/api/opml',
    '/opml',
    '/feeds',
    '/feeds.json',
    '/feeds.opml',
    '/',
    '/api/items?limit=500',
    '/api/items?limit=500&unread=true',
    `/api/items?limit=50&category=${LARGE_FOLDER}`,
    `/api/items?limit=50&feed=${LARGE_FEED}`,
    '/api/items?limit=50&starred=true',
    '/api/items/unread',
    '/api/queries',
    '/api/queries/graph',
    `/api/queries/${LARGE_FEED}`,
    '/api/follows',
    '/api/users',
    '/feeds/all.rss',
    `/feeds/category/${LARGE_FOLDER}.atom`,
    `/feeds/${LARGE_FEED}.json`,
    '/api/backup',
  ]
  const json = (what: string, method: string, body: object): Question => {
    return { what, method, body: JSON.stringify(body), type: 'application/json', goesOn: true }
  }
  const list = Array.from({ length: IMPORTED }, (_, index) => {
    return `<outline text="New ${index}" category="/Imported/${index % 50}" xmlUrl="http://127.0.0.1:9/new/${index}"/>`
  })
  const opml = `<opml version="2.0"><body>${list.join('\n')}</body></opml>`
  return [
    ...reads.map((what) => ({ what })),
    json('/api/items/mark-all-read', 'POST', {}),
    json('/api/items/mark-all-read', 'POST', { category: LARGE_FOLDER }),
    json('/api/follows', 'PUT', { feed: `/feeds/category/${LARGE_FOLDER}` }),
    json('/api/overview?over=day', 'GET', {}),
    json('/api/users', 'POST', { name: 'second' }),
    json('/api/queries/preview', 'POST', {
      text: 'RETURN ALL WHERE ITEM CONTAINS "water"',
      over: 'all',
      most: 1_000_000,
    }),
    json('/api/queries', 'POST', { text: 'CREATE FEED second AS RETURN ALL', backFill: 'all' }),
    { what: '/api/opml', method: 'POST', body: opml, type: 'text/x-opml', goesOn: true },
    json('/api/settings', 'PATCH', { keepItems: 100_000 }),
    json('/api/categories/rename', 'POST', { from: LARGE_FOLDER, to: 'Wide' }),
    { what: `/api/queries/${LARGE_FEED}`, method: 'DELETE', goesOn: true },
    { what: '/api/sources/1', method: 'DELETE', goesOn: true },
    { what: `/api/sources/${sources}`, method: 'DELETE', goesOn: true },
  ]
}

/** Everything that can be asked, one by one, of a node with very many sources that does nothing else. */
export async function surveyOperations(sources: number, items: number): Promise<readonly OperationFigures[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'headwater-bench-wide-'))
  try {
    await fillWideData(dataDir, sources, items)
    const node = await startCalmNode(dataDir, false)
    try {
      await quiet(node)
      const figures: OperationFigures[] = []
      for (const question of questions(sources)) figures.push(await measured(node, question))
      return figures
    } finally {
      await node.stop()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function measured(
  node: CalmNode,
  { what, method = 'GET', body, type, goesOn }: Question,
): Promise<OperationFigures> {
  await systemClock.sleep(PAUSE_MS)
  node.begin()
  const answer = await fetch(`${node.url}${what}`, {
    method,
    headers: {
      authorization: `Bearer ${TOKEN}`,
      ...(type === undefined ? {} : { 'content-type': type }),
    },
    redirect: 'manual',
    ...(body === undefined || method === 'GET' ? {} : { body }),
  })
  const { byteLength } = await answer.arrayBuffer()
  if (goesOn === true) await quiet(node)
  const { turns, cpuMs } = await node.end()
  return {
    what: method === 'GET' ? what : `${method} ${what}`,
    status: answer.status,
    turnCpuMsMost: turns.cpuMs.most,
    cpuMs: Math.round(cpuMs),
    bytes: byteLength,
  }
}

/** A node that does nothing takes hardly any CPU time. */
async function quiet(node: CalmNode): Promise<void> {
  for (let calm = 0; calm < 3; ) {
    const before = await node.cpuMs()
    await systemClock.sleep(500)
    calm = (await node.cpuMs()) - before < 25 ? calm + 1 : 0
  }
}
