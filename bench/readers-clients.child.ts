import { Agent, request } from 'node:http'
import { entryAt } from '../src/model/entry-at.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { APP_PASSWORD } from './readers-data.ts'
import { median, roundToPrecision } from './rounds.ts'

/** What one app asks for when it synchronises, in its order; contents of what it has found. */
const SYNC = [
  'user-info',
  'subscription/list?output=json',
  'tag/list?output=json',
  'unread-count?output=json',
  'stream/items/ids?output=json&n=10000&s=user/-/state/com.google/reading-list&xt=user/-/state/com.google/read',
  'stream/items/ids?output=json&n=10000&s=user/-/state/com.google/starred',
  'stream/contents/user/-/state/com.google/reading-list?output=json&n=100&xt=user/-/state/com.google/read',
]

export interface ClientsAnswer {
  readonly requests: number
  readonly failed: number
  readonly medianMs: number
  readonly mostMs: number
}

/** So many apps, each of which synchronises once, spread evenly over some time. */
async function synchronise(url: string, clients: number, overMs: number): Promise<ClientsAnswer> {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  const times: number[] = []
  let failed = 0
  const start = systemClock.monotonicMs()
  const one = async (index: number) => {
    await systemClock.sleep((index * overMs) / clients - (systemClock.monotonicMs() - start))
    for (const path of SYNC) {
      const sentAt = systemClock.monotonicMs()
      if ((await get(`${url}/reader/api/0/${path}`, agent)) !== 200) failed++
      times.push(systemClock.monotonicMs() - sentAt)
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, index) => one(index)))
  agent.destroy()
  return {
    requests: times.length,
    failed,
    medianMs: roundToPrecision(median(times)),
    mostMs: roundToPrecision(Math.max(...times)),
  }
}

function get(url: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `GoogleLogin auth=${APP_PASSWORD}` }
    const sent = request(url, { agent, headers }, (answer) => {
      answer.resume()
      answer.once('end', () => resolve(answer.statusCode ?? 0))
      answer.once('error', reject)
    })
    sent.once('error', reject)
    sent.end()
  })
}

process.on('message', ({ clients, overMs }: { readonly clients: number; readonly overMs: number }) => {
  void synchronise(entryAt(process.argv, 2), clients, overMs).then((answer) => process.send?.(answer))
})
process.send?.('ready')
