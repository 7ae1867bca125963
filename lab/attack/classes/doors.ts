import { connect, type Socket } from 'node:net'
import type { AttackClass } from '../attack.ts'
import { type AttackAnswer, createClient } from '../client.ts'
import { rss, serving } from '../documents.ts'
import { inParallel } from '../in-parallel.ts'
import { type AttackedNode, type AttackStage, NEAR } from '../stage.ts'

/**
 * Of the whole process, while strangers log in. One hash takes 50 to 100 ms of CPU, so that 300 of them would take 15 to 30 s;
 * most are refused without one. That not all are checked is counted besides.
 */
const MOST_CPU_MS = 30_000

export const doors: AttackClass = {
  name: 'doors',
  promise:
    'A client that holds connections, sends slowly or connects again and again keeps no reader out, and costs little work',
  async run(stage, effort) {
    const server = await stage.startServer(serving(() => rss('plain', [{ id: 'one' }, { id: 'two' }])))
    const node = await stage.startNode({ flags: NEAR })
    await node.owner.must('POST', '/api/sources', { url: server.url('/'), discover: false })
    await stage.eventually(async () => (await node.owner.must('GET', '/api/overview')).counts.items === 2)
    const hits: string[] = []
    const isFull = effort === 'full'
    const startMs = node.process.cpuMs()
    const floods = await flood(node, isFull ? 300 : 100, hits)
    const floodCpuMs = node.process.cpuMs() - startMs
    if (floodCpuMs > MOST_CPU_MS) hits.push(`${floods} log-ins took ${floodCpuMs} ms of CPU`)
    const connections = isFull ? 1_500 : 1_100
    for (const way of isFull ? WAYS : WAYS.slice(0, 2)) await hold(stage, node, way, connections, hits)
    const ways = isFull ? WAYS.length : 2
    if (!node.process.isRunning()) hits.push('the node ended')
    return {
      tries: floods + ways * connections,
      hits,
      figures: { cpuMsOfLogIns: floodCpuMs, connections: connections },
    }
  },
}

/** Strangers log in from everywhere at once; a reader gets the feed meanwhile, and the work is bounded. */
async function flood(node: AttackedNode, count: number, hits: string[]): Promise<number> {
  let isOver = false
  let served = 0
  const readers = (async () => {
    while (!isOver || served < 3) {
      const { status } = await node.ask('GET', '/feeds/all.rss', { from: '127.0.9.9' })
      if (status !== 200) hits.push(`a reader gets ${status} while strangers log in`)
      served += 1
    }
  })()
  const attempts = Array.from({ length: count }, (_, i) => i)
  let tries = 0
  await inParallel(100, attempts, async (i) => {
    const body = { name: i % 2 === 0 ? 'owner' : `nobody${i}`, password: `guess ${i}` }
    const answer = await node.ask('POST', '/api/session', { body, from: `127.0.${10 + (i % 5)}.${1 + (i % 250)}` })
    if (answer.status === 200) hits.push('a wrong password was taken')
    if (answer.body?.code === 'LOGIN_FAILED') tries += 1
    if (answer.status === 0 || ![401, 429, 503].includes(answer.status)) hits.push(`a log-in got ${answer.status}`)
  })
  isOver = true
  await readers
  if (tries === count) hits.push(`all of ${count} parallel log-ins were checked`)
  return count
}

interface Way {
  readonly name: string
  readonly bytes: string
}

const HOST = 'Host: 127.0.0.1\r\n'
const WAYS: readonly Way[] = [
  { name: 'headers that never end', bytes: `GET /feeds/all.rss HTTP/1.1\r\n${HOST}X-A: ` },
  {
    name: 'bodies that never come',
    bytes: `POST /api/session HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nX-Headwater: 1\r\nContent-Length: 900\r\n\r\n{`,
  },
  { name: 'nothing at all', bytes: '' },
  { name: 'answers that nobody reads', bytes: `GET /api/openapi.json HTTP/1.1\r\n${HOST}\r\n`.repeat(20) },
]

/** On a connection of its own: one kept alive since before may be among those that made room. */
async function readFeed(port: number): Promise<AttackAnswer> {
  const client = createClient('127.0.0.1', port)
  try {
    return await client.ask('GET', '/feeds/all.rss')
  } finally {
    client.close()
  }
}

/** More connections than the node has room for, all held; then readers come, each with a connection of its own. */
async function hold(stage: AttackStage, node: AttackedNode, way: Way, count: number, hits: string[]): Promise<void> {
  const sockets: Socket[] = []
  try {
    await inParallel(50, Array.from({ length: count }), async () => void sockets.push(await opened(node.port, way)))
    for (let reader = 0; reader < 5; reader++) {
      const { status, text } = await readFeed(node.port)
      if (status !== 200)
        hits.push(`with ${count} connections of ${way.name} a reader gets ${status}: ${text.slice(0, 80)}`)
      await stage.sleep(50)
    }
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}

/** Resolves when it is open, or was refused. */
function opened(port: number, { bytes }: Way): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.pause()
    socket.once('connect', () => {
      if (bytes !== '') socket.write(bytes)
      resolve(socket)
    })
    socket.once('close', () => resolve(socket))
  })
}
