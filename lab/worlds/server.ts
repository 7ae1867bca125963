import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Clock, systemClock } from '../../src/runtime/clock.ts'
import { BodyCache } from './body-cache.ts'
import { answerControl } from './control.ts'
import { HostCounters } from './counters.ts'
import type { FaultName, FaultSpec } from './faults/fault.ts'
import { FeedSet, type FeedSlot } from './feed-set.ts'
import { hostNameOf, routeOf } from './routes.ts'
import type { Running } from './running.ts'
import { statsOf, truthOf } from './truth.ts'
import { type VirtualTime, virtualTime } from './virtual-time.ts'
import { answerVisit } from './visits.ts'
import type { World, WorldOptions } from './world.ts'

export type { World } from './world.ts'

const DEFAULT_CACHE_BYTES = 256 * 1024 * 1024
const NO_QUERY = new URLSearchParams()

/**
 * A web of synthetic feeds on 127.0.0.1, each under a host name of its own (`feed-17.localhost`; RFC 6761 §6.3 keeps
 * these names on the loopback). It keeps counters but no history: what a feed shows follows from seed and virtual time.
 */
export async function startWorld(options: WorldOptions): Promise<World> {
  const clock = options.clock ?? systemClock
  const time = timeOf(options, clock)
  const server = createServer({ keepAliveTimeout: 30_000, noDelay: true })
  const port = () => (server.address() as AddressInfo).port
  const cache = new BodyCache(options.cacheBytes ?? DEFAULT_CACHE_BYTES)
  const ending = new AbortController()
  const running: Running = {
    clock,
    time,
    feeds: new FeedSet(options, time, port),
    hosts: new HostCounters(),
    articles: options.articles ?? null,
    answer: { time, cache, maxAgeS: options.maxAgeS ?? null },
    ending: ending.signal,
  }
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const world = worldOf(running, server, port(), ending)
  server.on('request', (request, response) => receive(request, response, running, world))
  return world
}

function worldOf(running: Running, server: Server, port: number, ending: AbortController): World {
  const { feeds, time, hosts } = running
  const slot = (index: number): FeedSlot => {
    const found = feeds.slot(index)
    if (found === null) throw new RangeError(`No feed ${index} in a world of ${feeds.count}`)
    return found
  }
  const closed = new Promise<void>((resolve) => server.once('close', resolve))
  const url = `http://127.0.0.1:${port}`
  return {
    port,
    url,
    opmlUrl: `${url}/opml`,
    feedCount: feeds.count,
    plan: (index) => slot(index).feed.plan,
    feedUrl: (index) => slot(index).feed.url,
    siteUrl: (index) => slot(index).feed.context.siteUrl,
    faultUrl: (name, parameters) => faultUrl(name, port, parameters),
    now: time.now,
    advance: time.advance,
    setSpeed: time.setSpeed,
    setFault(index, fault) {
      const target = slot(index)
      target.fault = typeof fault === 'string' ? { name: fault } : fault
      target.turns = 0
    },
    stats: () => statsOf(running),
    pageVisits: (index) => slot(index).pageVisits,
    truth: (index) => truthOf(slot(index), time),
    resetCounters() {
      hosts.reset()
      feeds.resetCounters()
    },
    closed,
    async close() {
      ending.abort()
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function faultUrl(name: FaultName, port: number, parameters: Omit<FaultSpec, 'name'> = {}): string {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(parameters)) query.set(key, String(value))
  return `http://fault-${name}.localhost:${port}/feed.xml${query.size > 0 ? `?${query}` : ''}`
}

function receive(request: IncomingMessage, response: ServerResponse, running: Running, world: World): void {
  const host = hostNameOf(request.headers.host)
  const target = request.url ?? '/'
  const queryAt = target.indexOf('?')
  const path = queryAt < 0 ? target : target.slice(0, queryAt)
  const query = queryAt < 0 ? NO_QUERY : new URLSearchParams(target.slice(queryAt + 1))
  const route = routeOf(host, path)
  if (route.kind === 'control') {
    answerControl(request, response, route.name, query, world).catch(() => response.destroy())
    return
  }
  const done = running.hosts.start(host, running.clock.monotonicMs())
  response.once('close', () => done(response.writableFinished ? response.statusCode : 'aborted'))
  if (request.method === 'GET' || request.method === 'HEAD') answerVisit(route, { request, response, query }, running)
  else response.writeHead(405, { allow: 'GET, HEAD' }).end()
}

function timeOf(options: WorldOptions, clock: Clock): VirtualTime {
  const now = clock.now()
  return virtualTime({
    clock,
    speed: options.speed ?? 1,
    startAt: options.startAt ?? now,
    realStartAt: options.realStartAt ?? now,
    dates: options.dates ?? 'real',
  })
}
