import type { AttackClass } from '../attack.ts'
import { rss, serving } from '../documents.ts'
import type { AttackUser } from '../people.ts'
import { type AttackedNode, type AttackStage, NEAR } from '../stage.ts'

/** Requests of the node in a second. */
const PER_SECOND = 8
const OTHERS = ['follower', 'asker', 'adder'] as const
const SOURCES = 4
/**
 * What each of the others wants, in quarters of that: more than one, because a source's interval begins with its last refresh. On a
 * busy machine, where every refresh is a little late, who wants one quarter needs less of it.
 */
const WANTED_QUARTERS = 1.5
const INTERVAL_MS = (1_000 * SOURCES * (OTHERS.length + 1)) / (PER_SECOND * WANTED_QUARTERS)
const GREEDY_SOURCES = 20
/** Requested by hand at a time. */
const REQUESTS = 5
const LEAST = 0.9
const FLAGS = [...NEAR, '--budget', `${60 * PER_SECOND}/min`, '--min-interval', '1s', '--host-concurrency', '16']

export const greedy: AttackClass = {
  name: 'greedy',
  promise: 'No member takes what the budget gives to others: by short intervals, many sources, or refreshes by hand',
  async run(stage, effort) {
    const requests = effort === 'full' ? 200 : 100
    const server = await stage.startServer(serving(() => rss('feed', [{ id: '1' }])))
    const node = await stage.startNode({ flags: FLAGS, env: { HEADWATER_CHECKPOINT: '2s' } })
    const url = (name: string, index: number) => server.url(`/${name}/${index}`)
    for (const name of OTHERS) await settle(node, name, await node.member(name), url)
    const greedyOne = await node.member('greedy')
    const greedyIds: number[] = []
    for (let index = 0; index < GREEDY_SOURCES; index++)
      greedyIds.push(await add(greedyOne, url('greedy', index), 1_000))
    const hits: string[] = []
    const figures: Record<string, number> = {}
    const look = async (name: string, ask: () => Promise<unknown>) => {
      // Who pays for new sources is known within seconds, and what was requested at first is paid for.
      const shares = await sharesOf(stage, server, PER_SECOND * 8, requests, ask)
      const least = Math.round(100 * (OTHERS.length + 1) * Math.min(...OTHERS.map((one) => shares(one)))) / 100
      figures[`${name}LeastOfQuarter`] = least
      if (least < LEAST) hits.push(`${name}: one of the others has ${least} of its quarter`)
    }
    const ask = askAgain(greedyOne, greedyIds)
    await look('byHand', ask)
    if (effort === 'short') return { tries: 1, hits, figures }
    await look('intervals', async () => {})
    await node.kill()
    await node.start()
    await look('afterKill', ask)
    return { tries: 3, hits, figures }
  },
}

async function add(person: AttackUser, url: string, intervalMs: number): Promise<number> {
  return (await person.must('POST', '/api/sources', { url, discover: false, intervalMs })).source.id
}

/** Each of the others has its sources in another way. */
async function settle(
  node: AttackedNode,
  name: (typeof OTHERS)[number],
  person: AttackUser,
  url: (name: string, index: number) => string,
): Promise<void> {
  const adder = name === 'adder' ? person : node.owner
  for (let index = 0; index < SOURCES; index++) {
    const id = await add(adder, url(name, index), INTERVAL_MS)
    if (name === 'follower') await person.must('PUT', '/api/follows', { feed: `/feeds/source/${id}` })
  }
  const addresses = Array.from({ length: SOURCES }, (_, index) => `"${url(name, index)}"`)
  if (name === 'asker')
    await person.must('POST', '/api/queries', { text: `CREATE FEED mine AS RETURN ${addresses.join(' | ')};` })
}

/** Asks for some more at each call. */
function askAgain(person: AttackUser, ids: readonly number[]): () => Promise<void> {
  let requests = 0
  return async () => {
    for (let i = 0; i < REQUESTS; i++) await person.must('POST', `/api/sources/${ids[requests++ % ids.length]}/refresh`)
  }
}

/** The share of each member among the next requests, after some that do not count. */
async function sharesOf(
  stage: AttackStage,
  server: { readonly requests: readonly string[] },
  before: number,
  count: number,
  doing: () => Promise<unknown>,
): Promise<(name: string) => number> {
  const from = server.requests.length + before
  await stage.eventually(async () => {
    await doing()
    return server.requests.length >= from + count
  })
  const requests = server.requests.slice(from, from + count)
  return (name) => requests.filter((path) => path.startsWith(`/${name}/`)).length / requests.length
}
