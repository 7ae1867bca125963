import { createServer } from 'node:http'
import { systemClock } from '../src/runtime/clock.ts'
import { cpuMsOfProcess } from './child-process.ts'
import { feedDocument, latencyOf, type TerminalsWorld } from './terminals-world.ts'

/** The sites, in a process of their own: a host name for each feed, and the round that the bench tells. */
const world: TerminalsWorld = JSON.parse(process.argv[2] ?? '')
let round = 0

const server = createServer(async ({ headers }, response) => {
  const feed = Number(/^feed-(\d+)\./.exec(headers.host ?? '')?.[1])
  const body = feedDocument(world, feed, round)
  const latencyMs = latencyOf(world, feed, round)
  if (latencyMs > 0) await systemClock.sleep(latencyMs)
  // Rounds are minutes apart in truth: nobody finds a connection open.
  response.writeHead(200, { 'content-type': 'application/rss+xml', connection: 'close' })
  response.end(body)
})

process.on('message', (message: { readonly round?: number }) => {
  round = message.round ?? round
  process.send?.({ cpuMs: cpuMsOfProcess() })
})
process.once('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' ? address?.port : undefined })
})
