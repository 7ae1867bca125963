import { request } from 'node:http'
import type { AttackRequest } from '../client.ts'
import { type AttackUser, logIn, PASSWORD } from '../people.ts'
import { BOBS_FEED, isDone, type MembersScene, SECRET, TITLE } from './scene.ts'

const LOOKS = [
  '/api/sources',
  '/api/items',
  '/api/queries',
  '/api/tokens',
  '/api/sessions',
  '/api/audit',
  '/api/users',
  '/api/settings',
  '/api/backup',
  '/api/subscriptions',
  `/feeds/${SECRET}.json`,
]

/** What was taken back opens nothing, from the next question on; who was listening hears nothing more. */
export async function useRevokedKeys(scene: MembersScene): Promise<void> {
  const { node, ann, attempt } = scene
  const dead = async (options: AttackRequest, words: string) => {
    for (const path of LOOKS) {
      const answer = await node.ask('GET', path, options)
      attempt(isDone(answer), `${words} still opens ${path}`, answer)
    }
  }
  const phone = await logIn(node, 'ann')
  const listener = listen(node.port, phone.cookie)
  await listener.opening
  const { sessions } = await phone.must('GET', '/api/sessions')
  const { id } = sessions.find(({ isThis }: { isThis: boolean }) => isThis)
  await ann.must('DELETE', `/api/sessions/${id}`)
  await dead({ cookie: phone.cookie }, 'a session that was ended')
  // The stream says that it lives every 25 s: it must end before it does so again.
  const beats = listener.beats()
  await scene.stage.eventually(() => listener.isOver() || listener.beats() > beats)
  attempt(listener.beats() > beats, 'a session that was ended goes on hearing events')
  listener.close()
  for (const scope of ['read', 'write', 'feed'] as const) {
    const { secret, token } = await ann.must('POST', '/api/tokens', { scope, feed: null })
    await ann.must('DELETE', `/api/tokens/${token.id}`)
    await dead({ token: secret }, `a ${scope} token that was taken back`)
    await dead({ cookie: `headwater_session=${secret}` }, `a ${scope} token that was taken back, as a session`)
  }
  const ofFeed = await ann.must('POST', `/api/queries/${SECRET}/tokens`, {})
  await ann.must('DELETE', `/api/queries/${SECRET}/tokens/${ofFeed.id}`)
  await dead({ token: ofFeed.secret }, 'a token of a feed that was taken back')
  await changePassword(scene, dead)
}

async function changePassword(
  { node, attempt }: MembersScene,
  dead: (options: AttackRequest, words: string) => Promise<void>,
): Promise<void> {
  const carl = await node.member('carl')
  const elsewhere = await logIn(node, 'carl', process.platform === 'linux' ? { from: '127.0.7.251' } : {})
  await carl.must('PUT', '/api/session/password', { current: PASSWORD, password: `${PASSWORD}, and new` })
  await dead({ cookie: elsewhere.cookie }, 'a session from before a change of password')
  const old = await node.ask('POST', '/api/session', { body: { name: 'carl', password: PASSWORD } })
  attempt(isDone(old), 'the password from before opens a session', old)
  attempt((await carl.ask('GET', '/api/tokens')).status !== 200, 'who changed the password was shut out')
}

/** Events as a browser hears them. */
function listen(port: number, cookie: string) {
  let isOver = false
  let text = ''
  const asking = request({ port, host: '127.0.0.1', path: '/api/events', headers: { cookie } })
  const opening = new Promise<void>((resolve, reject) => {
    asking.once('error', reject).once('response', (response) => {
      response.on('data', (chunk) => {
        text += chunk
      })
      response.once('close', () => {
        isOver = true
      })
      resolve()
    })
  })
  asking.end()
  const beats = () => text.split(/^: $/m).length - 1
  return { opening, beats, isOver: () => isOver, close: () => asking.destroy() }
}

/** Things of others by their numbers, and what others did. */
export async function guessIds({ node, ann, bob, attempt, some }: MembersScene): Promise<void> {
  const token = await ann.token('read')
  await ann.must('POST', `/api/queries/${SECRET}/tokens`, {})
  const { sessions } = await ann.must('GET', '/api/sessions')
  const numbers = some(
    Array.from({ length: 40 }, (_, index) => index + 1),
    20,
  )
  const own = new Set((await bob.must('GET', '/api/tokens')).tokens.map(({ id }: { id: number }) => id))
  const paths = [
    ...numbers.filter((id) => !own.has(id)).map((id) => `/api/tokens/${id}`),
    ...numbers.map((id) => `/api/subscriptions/${id}`),
    ...numbers.map((id) => `/api/queries/${BOBS_FEED}/tokens/${id}`),
    ...numbers.map((id) => `/api/users/${id}`),
    ...sessions.map(({ id }: { id: string }) => `/api/sessions/${id}`),
  ]
  for (const path of paths) {
    const answer = await bob.ask('DELETE', path)
    attempt(isDone(answer), `bob removes ${path}, which is another's`, answer)
  }
  attempt((await node.ask('GET', '/api/tokens', { token })).status !== 200, "ann's token was taken back by bob")
  await readAudit(bob, attempt)
}

async function readAudit(bob: AttackUser, attempt: MembersScene['attempt']): Promise<void> {
  const { user } = await bob.must('GET', '/api/session')
  const cursors = [
    '',
    ...[1, 5, 50, 1e9].map((id) => `&cursor=${Buffer.from(JSON.stringify([id])).toString('base64url')}`),
  ]
  for (const rest of cursors) {
    const answer = await bob.ask('GET', `/api/audit?limit=1000${rest}`)
    const entries = (answer.body?.entries ?? []) as { userId: number }[]
    attempt(
      entries.some(({ userId }) => userId !== user.id),
      'bob reads what others did',
      answer,
    )
  }
}

/** A removed user is gone with every key; a later user of the same name is somebody else. */
export async function comeBack({ node, attempt }: MembersScene): Promise<void> {
  const { owner } = node
  const dora = await node.member('dora')
  const name = 'dora_secret'
  await dora.must('POST', '/api/queries', { text: `CREATE FEED ${name} AS RETURN news;`, backFill: 'all' })
  await dora.must('PATCH', `/api/queries/${name}`, { isPrivate: true })
  await dora.must('POST', '/api/subscriptions', { feed: name, output: { kind: 'file', path: 'dora.rss' } })
  const keys = await everyKey(dora, name)
  const { users } = await owner.must('GET', '/api/users')
  await owner.must('DELETE', `/api/users/${users.find((one: { name: string }) => one.name === 'dora').id}`)
  for (const options of keys)
    for (const path of [...LOOKS, `/feeds/${name}.json`]) {
      const answer = await node.ask('GET', path, options)
      const isIn = isDone(answer) || answer.text.includes(TITLE)
      attempt(isIn, `who was removed still opens ${path}`, answer)
    }
  const later = await node.member('dora')
  attempt(isDone(await later.ask('GET', `/feeds/${name}.json`)), 'who came later opens what the one before had')
  attempt((await later.must('GET', '/api/audit')).entries.length > 2, 'who came later reads what the one before did')
  attempt((await later.must('GET', '/api/subscriptions')).subscriptions.length > 0, 'subscriptions outlive their user')
  const answer = await later.ask('GET', `/api/queries/${name}`)
  attempt(isDone(answer), 'who came later sees the feed of the one before', answer)
}

async function everyKey(user: AttackUser, feed: string): Promise<AttackRequest[]> {
  const ofFeed = (await user.must('POST', `/api/queries/${feed}/tokens`, {})).secret as string
  const keys: AttackRequest[] = [{ cookie: user.cookie }, { token: ofFeed }]
  for (const scope of ['read', 'write', 'feed'] as const) keys.push({ token: await user.token(scope) })
  return [...keys, { token: await user.token('feed', feed) }]
}
