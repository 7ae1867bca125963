import type { DurationMs } from '../../src/model/index.ts'
import { OWNER_PASSWORD } from './members.ts'

const HEADERS = { 'x-headwater': '1', 'content-type': 'application/json' }
/** Hashing a password takes long on a busy machine; whoever has given up by then would not tell anything of the cluster. */
const ANSWER_WITHIN_MS: DurationMs = 120_000
const FORMATS = ['rss', 'atom', 'json']

/** As the owner does at an API. */
export async function postQueries(url: string, text: string): Promise<void> {
  const logIn = await post(`${url}/api/session`, { name: 'owner', password: OWNER_PASSWORD }, '')
  const cookie = logIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const applied = await post(`${url}/api/queries`, { text }, cookie)
  if (!applied.ok) throw new Error(`the queries were refused: ${applied.status} ${await applied.text()}`)
}

function post(url: string, body: object, cookie: string): Promise<Response> {
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
  return fetch(url, { method: 'POST', headers: { ...HEADERS, cookie }, body: JSON.stringify(body), signal })
}

/** Feeds that two replicas serve under different ETags, or in different words; one that cannot be read differs from all. */
export async function countDifferences(urls: readonly string[], feeds: readonly string[]): Promise<number> {
  let count = 0
  for (const path of feeds.flatMap((feed) => FORMATS.map((format) => `/feeds/${feed}.${format}`))) {
    const answers = await Promise.all(urls.map((url, replica) => readFeed(`${url}${path}`, replica)))
    if (new Set(answers).size > 1) count++
  }
  return count
}

async function readFeed(url: string, replica: number): Promise<string> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
    if (!answer.ok) throw new Error(`${answer.status}`)
    return `${answer.headers.get('etag')} ${await answer.text()}`
  } catch (error) {
    return `${replica}: ${error}`
  }
}
