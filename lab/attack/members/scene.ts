import type { AttackEffort } from '../attack.ts'
import type { AttackAnswer, AttackRequest } from '../client.ts'
import { rss, serving } from '../documents.ts'
import type { AttackUser } from '../people.ts'
import { type AttackedNode, type AttackStage, NEAR } from '../stage.ts'

/** Names are of one length, so that answers about them must be, too. */
export const SECRET = 'ann_secrets'
export const OPEN = 'ann_in_open'
export const BOBS_FEED = 'bob_his_own'
/** What all of them hold. */
export const TITLE = 'seen by ann alone'

/** What somebody comes with. */
export interface MemberKey {
  readonly words: string
  readonly options: AttackRequest
}

/** A node with two members: ann has something private, bob wants it. */
export interface MembersScene {
  readonly stage: AttackStage
  readonly node: AttackedNode
  readonly effort: AttackEffort
  readonly ann: AttackUser
  readonly bob: AttackUser
  readonly sourceId: number
  readonly sourceUrl: string
  /** All that can be come with, but by ann and the owner. */
  readonly strangeKeys: readonly MemberKey[]
  /** Counts a try; what is said is written down where it did harm. */
  attempt(isHit: boolean, what: string, answer?: AttackAnswer): void
  /** So many of them in the short form, all in the full one. */
  some<T>(all: readonly T[], count: number): readonly T[]
}

export interface AttemptCounts {
  tries: number
  readonly hits: string[]
}

export async function openMembersScene(
  stage: AttackStage,
  effort: AttackEffort,
  tally: AttemptCounts,
): Promise<MembersScene> {
  const server = await stage.startServer(serving(() => rss('news', [{ id: '1', title: TITLE }])))
  const node = await stage.startNode({ flags: [...NEAR, '--min-interval', '1s'] })
  const [ann, bob] = [await node.member('ann'), await node.member('bob')]
  const added = await node.owner.must('POST', '/api/sources', { url: server.url('/news'), discover: false })
  const sourceId = added.source.id as number
  await node.owner.must('PATCH', `/api/sources/${sourceId}`, { name: 'news', categories: ['News'] })
  const create = (person: AttackUser, name: string) =>
    person.must('POST', '/api/queries', {
      text: `CREATE FEED ${name} AS RETURN "${server.url('/news')}";`,
      backFill: 'all',
    })
  await create(ann, SECRET)
  await create(ann, OPEN)
  await create(bob, BOBS_FEED)
  await ann.must('PATCH', `/api/queries/${SECRET}`, { isPrivate: true })
  await stage.eventually(async () => (await ann.ask('GET', `/feeds/${SECRET}.json`)).text.includes(TITLE))
  await stage.eventually(async () => (await bob.ask('GET', `/feeds/${BOBS_FEED}.json`)).text.includes(TITLE))
  return {
    stage,
    node,
    effort,
    ann,
    bob,
    sourceId,
    sourceUrl: server.url('/news'),
    strangeKeys: await keysOf(ann, bob),
    attempt(isHit, what, answer) {
      tally.tries++
      if (isHit) tally.hits.push(answer === undefined ? what : `${what}: ${answer.status} ${answer.text.slice(0, 200)}`)
    },
    some: (all, count) =>
      effort === 'full' ? all : all.filter((_, index) => index % Math.ceil(all.length / count) === 0),
  }
}

async function keysOf(ann: AttackUser, bob: AttackUser): Promise<readonly MemberKey[]> {
  const ofOpen = (await ann.must('POST', `/api/queries/${OPEN}/tokens`, {})).secret as string
  return [
    { words: 'a stranger', options: {} },
    { words: "bob's session", options: { cookie: bob.cookie } },
    { words: "bob's read token", options: { token: await bob.token('read') } },
    { words: "bob's write token", options: { token: await bob.token('write') } },
    { words: "bob's feed token", options: { token: await bob.token('feed') } },
    { words: "bob's token for his feed", options: { token: await bob.token('feed', BOBS_FEED) } },
    { words: "a token of ann's open feed", options: { token: ofOpen } },
    { words: 'a token that nobody made', options: { token: `${ofOpen.slice(0, -4)}xxxx` } },
  ]
}

export function isDone({ status }: AttackAnswer): boolean {
  return status >= 200 && status < 400
}
