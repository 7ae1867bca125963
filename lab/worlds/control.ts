import type { IncomingMessage, ServerResponse } from 'node:http'
import { readFault } from './faults/fault.ts'
import type { World } from './world.ts'

const MAX_MESSAGE_BYTES = 64 * 1024

/**
 * The world seen from another process: GET /__world/stats, GET /__world/truth?feed=17, POST /__world/control with any of
 * `{"fault":{"feed":3,"name":"500"|null,…},"advanceMs":60000,"speed":0,"resetCounters":true,"stop":true}`.
 */
export async function answerControl(
  request: IncomingMessage,
  response: ServerResponse,
  name: string,
  query: URLSearchParams,
  world: World,
): Promise<void> {
  if (name === 'stats' && request.method === 'GET') return sendJson(response, 200, world.stats())
  if (name === 'truth' && request.method === 'GET') {
    const index = Number(query.get('feed') ?? Number.NaN)
    if (!hasFeed(world, index)) return sendJson(response, 404, { error: 'no such feed' })
    return sendJson(response, 200, world.truth(index))
  }
  if (name === 'control' && request.method === 'POST') {
    const message = await readMessage(request)
    const error = message === null ? 'not a JSON object' : obey(message, world)
    sendJson(response, error === null ? 200 : 400, error === null ? { now: world.now() } : { error })
    if (error === null && message?.['stop'] === true) response.once('finish', () => void world.close())
    return
  }
  sendJson(response, 404, { error: 'stats, truth?feed=N or control' })
}

function obey(message: Readonly<Record<string, unknown>>, world: World): string | null {
  const { fault, advanceMs, speed, resetCounters } = message
  if (fault !== undefined) {
    if (!isRecord(fault) || !hasFeed(world, Number(fault['feed']))) return 'fault.feed: no such feed'
    const { name } = fault
    const spec = name === null ? null : readFault(String(name), (key) => fault[key])
    if (name !== null && spec === null) return 'fault.name: no such fault'
    world.setFault(Number(fault['feed']), spec)
  }
  if (advanceMs !== undefined) {
    if (typeof advanceMs !== 'number' || !(advanceMs >= 0)) return 'advanceMs: not a length of time'
    world.advance(advanceMs)
  }
  if (speed !== undefined) {
    if (typeof speed !== 'number' || !(speed >= 0)) return 'speed: not a number'
    world.setSpeed(speed)
  }
  if (resetCounters === true) world.resetCounters()
  return null
}

function hasFeed(world: World, index: number): boolean {
  return Number.isInteger(index) && index >= 0 && index < world.feedCount
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

async function readMessage(request: IncomingMessage): Promise<Record<string, unknown> | null> {
  let text = ''
  for await (const chunk of request) {
    text += String(chunk)
    if (text.length > MAX_MESSAGE_BYTES) return null
  }
  try {
    const message: unknown = JSON.parse(text)
    return isRecord(message) ? message : null
  } catch {
    return null
  }
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
