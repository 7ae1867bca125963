import { createHash } from 'node:crypto'
import type { AttackAnswer, AttackRequest } from '../client.ts'
import type { AttackUser } from '../people.ts'
import { isDone, type MembersScene, SECRET } from './scene.ts'

/** Apps number query feeds from here. */
const FEEDS_FROM = 1_000_000_000
const STATE = 'state/com.google'

interface Password {
  readonly id: number
  readonly secret: string
}

async function passwordOf(person: AttackUser, scope: 'app' | 'fever'): Promise<Password> {
  const { secret, token } = await person.must('POST', '/api/tokens', { scope, feed: null })
  return { id: token.id, secret }
}

const byGoogleReader = (secret: string): AttackRequest => ({
  isBare: true,
  headers: { authorization: `GoogleLogin auth=${secret}` },
})
const byMiniflux = (secret: string): AttackRequest => ({ isBare: true, headers: { 'x-auth-token': secret } })
const byFever = (name: string, secret: string, form = ''): AttackRequest => ({
  isBare: true,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: `api_key=${createHash('md5').update(`${name}:${secret}`).digest('hex')}&${form}`,
})

/** Fever says in the answer whether it let somebody in. */
const isLetIn = (answer: AttackAnswer) => (answer.body?.auth === undefined ? isDone(answer) : answer.body.auth === 1)

/** The doors of reader apps: what is another's is not there, numbers do not help, and each password opens its own door alone. */
export async function readByApps(scene: MembersScene): Promise<void> {
  const { ann, bob } = scene
  const [app, fever] = [await passwordOf(bob, 'app'), await passwordOf(bob, 'fever')]
  const annId = (await ann.must('GET', '/api/session')).user.id as number
  await readSecrets(scene, app.secret, fever.secret, annId)
  await changeMarks(scene, app.secret, fever.secret, annId)
  await crossDoors(scene, app.secret, fever.secret)
  await bob.must('DELETE', `/api/tokens/${app.id}`)
  await bob.must('DELETE', `/api/tokens/${fever.id}`)
  await openTakenBack(scene, app.secret, fever.secret)
}

async function readSecrets({ node, attempt }: MembersScene, app: string, fever: string, annId: number) {
  const numbers = Array.from({ length: 6 }, (_, index) => FEEDS_FROM + 1 + index)
  const label = encodeURIComponent(`user/-/label/${SECRET}`)
  const lists = ['tag/list', 'subscription/list', 'unread-count', 'stream/contents?n=100']
  const streams = [
    label,
    encodeURIComponent(`user/${annId}/label/${SECRET}`),
    encodeURIComponent(`user/${annId}/${STATE}/starred`),
    encodeURIComponent(`user/${annId}/${STATE}/reading-list`),
  ]
  for (const path of [...lists, ...numbers.map((number) => `stream/contents/feed/${number}`)]) {
    const answer = await node.ask('GET', `/reader/api/0/${path}`, byGoogleReader(app))
    attempt(answer.text.includes(SECRET), `an app of bob learns of what is ann's by ${path}`, answer)
  }
  for (const stream of streams) {
    for (const path of [`api/0/stream/contents/${stream}`, `api/0/stream/items/ids?s=${stream}`, `atom/${stream}`]) {
      const answer = await node.ask('GET', `/reader/${path}`, byGoogleReader(app))
      attempt(isDone(answer), `an app of bob opens ${path}`, answer)
    }
  }
  const feeds = numbers.flatMap((number) => [
    `/v1/feeds/${number}`,
    `/v1/feeds/${number}/entries`,
    `/v1/icons/${number}`,
  ])
  for (const path of ['/v1/feeds', '/v1/categories', '/v1/entries?limit=100', '/v1/feeds/counters', ...feeds]) {
    const answer = await node.ask('GET', path, byMiniflux(app))
    attempt(answer.text.includes(SECRET), `a Miniflux app of bob learns of what is ann's by ${path}`, answer)
  }
  for (const what of ['feeds&groups&favicons&links', 'items&since_id=0', 'unread_item_ids&saved_item_ids']) {
    const answer = await node.ask('POST', `/fever/?api&${what}`, byFever('bob', fever))
    attempt(answer.text.includes(SECRET), `a Fever app of bob learns of what is ann's by ${what}`, answer)
  }
}

/** Ann has one item, starred and unread: bob's apps must leave it so. */
async function changeMarks({ node, ann, attempt }: MembersScene, app: string, fever: string, annId: number) {
  const { items } = await ann.must('GET', '/api/items?limit=1')
  const seq = items[0].seq as number
  await ann.must('POST', '/api/items/mark', { seqs: [seq], isStarred: true, isRead: false })
  const own = async () => {
    const { items: now } = await ann.must('GET', '/api/items?limit=1')
    return now[0].isStarred === true && now[0].isRead === false
  }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const post = (path: string, body: string) => {
    const { headers, isBare } = byGoogleReader(app)
    return node.ask('POST', `/reader/api/0/${path}`, {
      isBare: isBare === true,
      headers: { ...headers, ...form },
      body,
    })
  }
  const ways: readonly (readonly [string, () => Promise<AttackAnswer>])[] = [
    ['edit-tag', () => post('edit-tag', `i=${seq}&a=user/${annId}/${STATE}/read&r=user/${annId}/${STATE}/starred`)],
    ['mark-all', () => post('mark-all-as-read', `s=user/${annId}/${STATE}/reading-list`)],
    ['of a user', () => node.ask('PUT', `/v1/users/${annId}/mark-all-as-read`, byMiniflux(app))],
    [
      'entries',
      () => node.ask('PUT', '/v1/entries', { ...byMiniflux(app), body: { entry_ids: [seq], status: 'read' } }),
    ],
    ['bookmark', () => node.ask('PUT', `/v1/entries/${seq}/bookmark`, byMiniflux(app))],
    ['fever', () => node.ask('POST', '/fever/?api', byFever('bob', fever, `mark=item&as=unsaved&id=${seq}`))],
    ['fever, as ann', () => node.ask('POST', '/fever/?api', byFever('ann', fever, 'mark=group&as=read&id=0'))],
  ]
  for (const [words, change] of ways) {
    const answer = await change()
    attempt(!(await own()), `an app of bob changes what ann has read: ${words}`, answer)
  }
}

function appDoors(secret: string): (readonly [string, AttackRequest])[] {
  const basic = `Basic ${Buffer.from(`bob:${secret}`).toString('base64')}`
  return [
    ['/reader/api/0/tag/list', byGoogleReader(secret)],
    ['/v1/me', byMiniflux(secret)],
    ['/v1/me', { isBare: true, headers: { authorization: basic } }],
  ]
}

/** A password of one kind at the doors of another, and what is no app password at the doors of apps. */
async function crossDoors({ node, bob, attempt }: MembersScene, app: string, fever: string) {
  const others = [await bob.token('read'), await bob.token('write'), await bob.token('feed')]
  const doors = (secret: string, isApp: boolean, isFever: boolean): (readonly [string, AttackRequest])[] => [
    ...(isApp ? [] : appDoors(secret)),
    ...(isFever ? [] : [['/fever/?api&items', byFever('bob', secret)] as const]),
    ['/api/items', { token: secret }],
    ['/api/tokens', { cookie: `headwater_session=${secret}` }],
  ]
  const tries = [
    ...doors(app, true, false),
    ...doors(fever, false, true),
    ...others.flatMap((secret) => doors(secret, false, false).slice(0, 4)),
  ]
  for (const [path, options] of tries) {
    const answer = await node.ask(options.body === undefined ? 'GET' : 'POST', path, options)
    attempt(isLetIn(answer), `a password of another kind opens ${path}`, answer)
  }
  for (const path of ['/reader/api/0/tag/list', '/v1/me', '/fever/?api&items']) {
    const answer = await node.ask('GET', path, { cookie: bob.cookie })
    attempt(isLetIn(answer), `a session opens ${path}`, answer)
  }
}

async function openTakenBack({ node, attempt }: MembersScene, app: string, fever: string): Promise<void> {
  const answers = [
    await node.ask('GET', '/reader/api/0/tag/list', byGoogleReader(app)),
    await node.ask('GET', '/v1/feeds', byMiniflux(app)),
    await node.ask('POST', '/fever/?api&feeds', byFever('bob', fever)),
    await node.ask('POST', `/accounts/ClientLogin?Email=bob&Passwd=${app}`, { isBare: true }),
  ]
  for (const answer of answers)
    attempt(isLetIn(answer), 'a password that was taken back opens the door of an app', answer)
}
