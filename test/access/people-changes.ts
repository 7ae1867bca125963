import type { AccessAnswer } from './asking.ts'
import { bury } from './bury.ts'
import { changing, fits, gate } from './expected.ts'
import { someName } from './feed-changes.ts'
import { type Account, canAdmin, isWhole, sees } from './oracle.ts'
import { type AccessWorld, type Bearer, PASSWORD } from './world.ts'

const MOST_BEARERS = 16
/** Feeds of somebody who was removed are nobody's, and so the node owner's. */
const NOBODYS: Account = { id: 0, isNodeOwner: true }

export async function makeToken(world: AccessWorld): Promise<void> {
  const who = world.pick(world.bearers)
  const scope = world.pick(['read', 'write', 'admin', 'feed', 'feed'] as const)
  const only = scope === 'feed' && world.random() < 0.7 ? someName(world) : null
  const answer = await world.ask(who, 'POST', '/api/tokens', { scope, feed: only })
  const closed = gate(who, 'write')
  const isMore = scope === 'admin' && !canAdmin(who)
  const isUnseen = only !== null && !sees(who, world.feeds.get(only))
  const expected = closed ?? (isMore ? 'RIGHT_MISSING' : isUnseen ? 'QUERY_NOT_FOUND' : 'done')
  const isRight = fits(expected, answer)
  world.check(isRight, `${who.words} makes a token of ${scope} for ${only}, wanted ${expected}`, answer)
  if (!isRight || expected !== 'done') return
  const words = `a ${scope} token${only ? ` for ${only}` : ''} by ${who.words}`
  keep(world, { account: who.account, scope, only, feedId: null }, words, answer)
}

export async function makeFeedToken(world: AccessWorld): Promise<void> {
  const name = someName(world)
  const feed = world.feeds.get(name)
  const who = world.likely(feed)
  const answer = await world.ask(who, 'POST', `/api/queries/${name}/tokens`, {})
  const expected = changing(who, feed, 'QUERY_NOT_FOUND')
  const isRight = fits(expected, answer)
  world.check(isRight, `${who.words} makes a token of ${name}, wanted ${expected}`, answer)
  if (!isRight || expected !== 'done') return
  keep(world, { account: null, scope: 'feed', only: name, feedId: feed!.id }, `a token of ${name}`, answer)
}

type StoredBearer = Pick<Bearer, 'account' | 'scope' | 'only' | 'feedId'>

function keep(world: AccessWorld, bearer: StoredBearer, words: string, { body }: AccessAnswer): void {
  const headers = { authorization: `Bearer ${body.secret}` }
  if (world.bearers.length < MOST_BEARERS) world.bearers.push({ ...bearer, words, headers, secret: body.secret })
}

function sessionsOf(world: AccessWorld, { id }: Account): readonly Bearer[] {
  return world.bearers.filter(({ scope, account }) => scope === 'session' && account?.id === id)
}

function tokensOf(world: AccessWorld, { id }: Account): readonly Bearer[] {
  return world.bearers.filter(({ secret, account }) => secret !== null && account?.id === id)
}

export async function revokeTokens(world: AccessWorld): Promise<void> {
  const holders = world.accounts.filter((account) => tokensOf(world, account).length > 0)
  if (holders.length === 0) return
  const account = world.pick(holders)
  const owner = sessionsOf(world, account)[0]!
  const own = (await world.ask(owner, 'GET', '/api/tokens')).body.tokens as { id: number }[]
  if (own.length === 0) world.differences.push(`${owner.words} has tokens that are not listed`)
  const other = world.pick(world.accounts.filter((one) => one !== account))
  const foreign = await world.ask(sessionsOf(world, other)[0]!, 'DELETE', `/api/tokens/${own[0]?.id ?? 1}`)
  world.check(foreign.body?.code === 'TOKEN_NOT_FOUND', `${other.name} takes a token of ${account.name} back`, foreign)
  if (world.random() < 0.5) {
    const answer = await world.ask(owner, 'DELETE', '/api/tokens')
    world.check(answer.body?.removed === own.length, `${owner.words} takes all ${own.length} tokens back`, answer)
  } else {
    for (const { id } of own) {
      const answer = await world.ask(owner, 'DELETE', `/api/tokens/${id}`)
      world.check(answer.status === 204, `${owner.words} takes token ${id} back`, answer)
    }
  }
  await bury(world, tokensOf(world, account), 'its token was taken back')
}

/** A node lets nobody try often. */
const MOST_LOG_INS = 4

export async function logIn(world: AccessWorld): Promise<void> {
  if (world.logIns++ >= MOST_LOG_INS) return
  const account = world.pick(world.accounts)
  const isRight = world.random() < 0.7
  const body = { name: account.name, password: isRight ? PASSWORD : 'wrong words here' }
  const answer = await world.ask(world.bearers[0]!, 'POST', '/api/session', body)
  const expected = isRight ? 'done' : 'LOGIN_FAILED'
  world.check(fits(expected, answer), `somebody logs in as ${account.name}, wanted ${expected}`, answer)
  const cookie = /headwater_session=[^;]+/.exec(answer.headers['set-cookie'] ?? '')?.[0]
  if (!isRight) world.check(cookie === undefined, 'a wrong password opens a session', answer)
  else if (answer.status === 200 && cookie !== undefined) world.enter(account, cookie)
}

export async function endSession(world: AccessWorld): Promise<void> {
  const ended = world.pick(world.bearers.filter(({ scope }) => scope === 'session'))
  const all = sessionsOf(world, ended.account!)
  const listed = await world.ask(ended, 'GET', '/api/sessions')
  const sessions = listed.body?.sessions as { id: string; isThis: boolean }[] | undefined
  world.check(sessions?.length === all.length, `${ended.words} lists ${all.length} sessions`, listed)
  const who = world.pick(world.bearers)
  const isOwn = who.account?.id === ended.account!.id
  if (isOwn && all.length === 1) return
  const id = sessions?.find(({ isThis }) => isThis)?.id
  const answer = await world.ask(who, 'DELETE', `/api/sessions/${id}`)
  const expected = gate(who, 'write') ?? (isOwn ? 'done' : 'SESSION_NOT_FOUND')
  world.check(fits(expected, answer), `${who.words} ends ${ended.words}, wanted ${expected}`, answer)
  if (expected === 'done' && answer.status < 300) await bury(world, [ended], 'it was ended')
}

/** Hashing a new one takes its time, so in few worlds only. */
const PASSWORD_WORLDS = 40

/** Ends all other sessions. */
export async function changePassword(world: AccessWorld): Promise<void> {
  if (world.seed % PASSWORD_WORLDS !== 0 || world.logIns >= MOST_LOG_INS) return
  const who = world.pick(world.bearers.filter(({ scope }) => scope === 'session'))
  world.logIns = MOST_LOG_INS
  const answer = await world.ask(who, 'PUT', '/api/session/password', {
    current: PASSWORD,
    password: `new ${PASSWORD}`,
  })
  world.check(answer.status === 204, `${who.words} changes the password`, answer)
  const others = sessionsOf(world, who.account!).filter((one) => one !== who)
  await bury(world, others, 'the password was changed')
}

export async function listenToEvents(world: AccessWorld): Promise<void> {
  const who = world.pick(world.bearers)
  const stream = await world.stage.listen(who.headers)
  const expected = gate(who, 'read') ?? 200
  if (stream.status !== expected) world.differences.push(`${who.words} listens: ${stream.status}, wanted ${expected}`)
  if (stream.status === 200) world.listeners.push({ who, stream })
  else stream.close()
}

/** Feeds stay and become the node owner's; whom the user let in, and where the user sent them, ends. */
export async function removeUser(world: AccessWorld): Promise<void> {
  const removedAccount = world.pick(world.accounts)
  const who = world.likely(undefined)
  const answer = await world.ask(who, 'DELETE', `/api/users/${removedAccount.id}`)
  const expected = gate(who, 'admin') ?? (removedAccount.isNodeOwner ? 'RIGHT_MISSING' : 'done')
  const isRight = fits(expected, answer)
  world.check(isRight, `${who.words} removes ${removedAccount.name}, wanted ${expected}`, answer)
  if (!isRight || expected !== 'done') return
  const feeds = [...world.feeds.values()].filter(({ owner }) => owner.id === removedAccount.id)
  const ids = new Set(feeds.map(({ id }) => id))
  // What was made without something would now be made with it.
  const inherited = feeds.map((feed) => ({
    ...feed,
    owner: NOBODYS,
    isPrivate: feed.isPrivate || !isWhole(feed, world),
  }))
  for (const feed of inherited) {
    world.feeds.set(feed.name, feed)
    world.outputs.delete(feed.id)
  }
  world.accounts = world.accounts.filter((one) => one !== removedAccount)
  world.isSettled = false
  const isTheirs = ({ account, feedId }: Bearer) =>
    account?.id === removedAccount.id || (feedId !== null && ids.has(feedId))
  await bury(world, world.bearers.filter(isTheirs), 'its user was removed')
  // Another of the same name is somebody else.
  if (world.random() < 0.7) await world.join(removedAccount.name)
}
