import { canAdmin, canRead, canWrite, changes, type Input, type ModelFeed, mayHold, sees } from './oracle.ts'
import type { Answered } from './stage.ts'
import type { Bearer, World } from './world.ts'

const WEBHOOK = { kind: 'webhook', url: 'http://127.0.0.1:8099/hook' }

/** What is refused before anything is looked at. */
function gate(who: Bearer, right: 'read' | 'write' | 'admin'): number | null {
  if (who.account === null) return 401
  const has = right === 'read' ? canRead(who) : right === 'write' ? canWrite(who) : canAdmin(who)
  return has ? null : 403
}

/** Something that somebody does; the model does the same where the oracle allows it. */
export async function changeSomething(world: World): Promise<void> {
  await world.pick([create, create, create, share, share, drop, makeToken, makeFeedToken, revoke, hide, alter])(world)
}

export function inputText(input: Input, world: World): string {
  if (input.kind === 'feed') return input.name
  if (input.kind === 'source') return world.sources[input.index]!.name
  return input.kind === 'category' ? `CATEGORY "${input.name}"` : 'ALL'
}

export async function create(world: World): Promise<void> {
  const who = world.pick(world.bearers)
  const name = world.newName()
  const reads = Array.from({ length: 1 + Math.floor(world.random() * 2) }, () => anInput(world))
  const text = `CREATE FEED ${name} AS RETURN ${reads.map((input) => inputText(input, world)).join(' | ')};`
  const answer = await world.ask(who, 'POST', '/api/queries', { text, backFill: 'all' })
  const closed = gate(who, 'write')
  if (closed !== null) return world.check(answer.status === closed, `${who.words} may not apply ${text}`, answer)
  const isUnknown = reads.some((input) => input.kind === 'feed' && !sees(who, world.feeds.get(input.name)))
  if (isUnknown) return world.check(answer.body?.code === 'QUERY_INVALID', `${who.words} reads unseen: ${text}`, answer)
  const owner = who.account!
  const isPrivate = !reads.every((input) => mayHold(owner, true, input, world.state))
  const isRight = answer.status === 200
  world.check(isRight, `${who.words} creates ${text}`, answer)
  if (!isRight) return
  world.feeds.set(name, { name, id: world.newFeedId(), owner, isPrivate, reads })
  world.isSettled = false
}

function anInput(world: World): Input {
  const names = [...world.feeds.keys()]
  const kind = world.pick(['feed', 'feed', 'source', 'category', 'all'] as const)
  if (kind === 'feed' && names.length > 0) return { kind, name: world.pick(names) }
  if (kind === 'category') return { kind, name: world.pick(['News', 'Arts']) }
  return kind === 'all' ? { kind } : { kind: 'source', index: Math.floor(world.random() * world.sources.length) }
}

/** `done` where the caller may change it, else as it must be refused. */
function expected(who: Bearer, feed: ModelFeed | undefined, unseen: string): 'done' | number | string {
  const closed = gate(who, 'write')
  if (closed !== null) return closed
  if (feed === undefined || !sees(who, feed)) return unseen
  return changes(who, feed) ? 'done' : 'RIGHT_MISSING'
}

function fits(wanted: 'done' | number | string, { status, body }: Answered): boolean {
  if (wanted === 'done') return status < 300
  return typeof wanted === 'number' ? status === wanted : body?.code === wanted
}

function someName(world: World): string {
  const names = [...world.feeds.keys()]
  return names.length === 0 || world.random() < 0.1 ? world.newName() : world.pick(names)
}

export async function share(world: World): Promise<void> {
  const who = world.pick(world.bearers)
  const name = someName(world)
  const feed = world.feeds.get(name)
  const isPrivate = world.random() < 0.6
  const answer = await world.ask(who, 'PATCH', `/api/queries/${name}`, { isPrivate })
  let wanted = expected(who, feed, 'QUERY_NOT_FOUND')
  const isPublished = wanted === 'done' && feed!.isPrivate && !isPrivate
  if (isPublished && !feed!.reads.every((input) => mayHold(feed!.owner, true, input, world.state)))
    wanted = 'RIGHT_MISSING'
  const isRight = fits(wanted, answer)
  world.check(isRight, `${who.words} makes ${name} ${isPrivate ? 'private' : 'public'}, wanted ${wanted}`, answer)
  if (!isRight || wanted !== 'done') return
  world.feeds.set(name, { ...feed!, isPrivate })
  world.isSettled = false
}

export async function drop(world: World): Promise<void> {
  if (world.random() < 0.5) return
  const who = world.pick(world.bearers)
  const name = someName(world)
  const feed = world.feeds.get(name)
  const isStatement = world.random() < 0.5
  const answer = isStatement
    ? await world.ask(who, 'POST', '/api/queries', { text: `DROP FEED ${name};` })
    : await world.ask(who, 'DELETE', `/api/queries/${name}`)
  const wanted = expected(who, feed, isStatement ? 'QUERY_INVALID' : 'QUERY_NOT_FOUND')
  const isRight = fits(wanted, answer)
  world.check(isRight, `${who.words} drops ${name}, wanted ${wanted}`, answer)
  if (!isRight || wanted !== 'done') return
  world.feeds.delete(name)
  world.isSettled = false
}

async function alter(world: World): Promise<void> {
  const who = world.pick(world.bearers)
  if (world.random() < 0.4) return alterSource(world, who)
  const name = someName(world)
  const text = `ALTER FEED ${name} TITLE "t${Math.floor(world.random() * 1e6)}";`
  const answer = await world.ask(who, 'POST', '/api/queries', { text })
  const wanted = expected(who, world.feeds.get(name), 'QUERY_INVALID')
  world.check(fits(wanted, answer), `${who.words} alters ${name}, wanted ${wanted}`, answer)
}

/** What all share is the admin's, also under the address of a source. */
async function alterSource(world: World, who: Bearer): Promise<void> {
  const index = Math.floor(world.random() * world.sources.length)
  const text = world.pick([
    `ALTER FEED source${index} WEIGHT ${1 + Math.floor(world.random() * 9)};`,
    `REGISTER FEED "http://s${index}.invalid/" AS source${index} WEIGHT ${10 + Math.floor(world.random() * 9)};`,
  ])
  const answer = await world.ask(who, 'POST', '/api/queries', { text })
  const closed = gate(who, 'write')
  const wanted = closed ?? (canAdmin(who) ? 'done' : 'RIGHT_MISSING')
  world.check(fits(wanted, answer), `${who.words} changes a source: ${text}, wanted ${wanted}`, answer)
}

async function makeToken(world: World): Promise<void> {
  const who = world.pick(world.bearers)
  const scope = world.pick(['read', 'write', 'admin', 'feed', 'feed'] as const)
  const only = scope === 'feed' && world.random() < 0.7 ? someName(world) : null
  const answer = await world.ask(who, 'POST', '/api/tokens', { scope, feed: only })
  const closed = gate(who, 'write')
  const isMore = scope === 'admin' && !canAdmin(who)
  const isUnseen = only !== null && !sees(who, world.feeds.get(only))
  const wanted = closed ?? (isMore ? 'RIGHT_MISSING' : isUnseen ? 'QUERY_NOT_FOUND' : 'done')
  const isRight = fits(wanted, answer)
  world.check(isRight, `${who.words} makes a token of ${scope} for ${only}, wanted ${wanted}`, answer)
  if (!isRight || wanted !== 'done') return
  keep(
    world,
    { ...who, scope, only, feedId: null },
    `a ${scope} token${only ? ` for ${only}` : ''} by ${who.words}`,
    answer,
  )
}

async function makeFeedToken(world: World): Promise<void> {
  const who = world.pick(world.bearers)
  const name = someName(world)
  const isToken = world.random() < 0.7
  const answer = isToken
    ? await world.ask(who, 'POST', `/api/queries/${name}/tokens`, {})
    : await world.ask(who, 'POST', '/api/subscriptions', { feed: name, output: WEBHOOK })
  const feed = world.feeds.get(name)
  const wanted = expected(who, feed, 'QUERY_NOT_FOUND')
  const isRight = fits(wanted, answer)
  world.check(isRight, `${who.words} lets others have ${name}, wanted ${wanted}`, answer)
  if (!isRight || wanted !== 'done' || !isToken) return
  keep(world, { account: null, scope: 'feed', only: name, feedId: feed!.id }, `a token of ${name}`, answer)
}

type Kept = Pick<Bearer, 'account' | 'scope' | 'only' | 'feedId'>

function keep(world: World, { account, scope, only, feedId }: Kept, words: string, { body }: Answered): void {
  const headers = { authorization: `Bearer ${body.secret}` }
  if (world.bearers.length < 14)
    world.bearers.push({ account, scope, only, feedId, words, headers, secret: body.secret })
}

/** What is taken back opens nothing from that moment on. */
async function revoke(world: World): Promise<void> {
  const tokens = world.bearers.filter(({ secret, account }) => secret !== null && account !== null)
  if (tokens.length === 0) return
  const gone = world.pick(tokens)
  const owner = world.bearers.find(({ scope, account }) => scope === 'session' && account?.id === gone.account!.id)!
  const own = (await world.ask(owner, 'GET', '/api/tokens')).body.tokens as { id: number }[]
  const before = new Set(own.map(({ id }) => id))
  for (const { id } of own) {
    const answer = await world.ask(owner, 'DELETE', `/api/tokens/${id}`)
    world.check(answer.status === 204, `${owner.words} takes token ${id} back`, answer)
  }
  const dead = world.bearers.filter((one) => one.secret !== null && one.account?.id === gone.account!.id)
  world.bearers = world.bearers.filter((one) => !dead.includes(one))
  if (before.size === 0) world.differences.push(`${owner.words} has tokens that are not listed`)
  for (const one of dead) {
    const answer = await world.ask(one, 'GET', '/api/tokens')
    world.check(answer.status === 401, `${one.words} was taken back`, answer)
  }
}

async function hide(world: World): Promise<void> {
  const who = world.pick(world.bearers)
  const feed = world.pick(['/feeds/all', '/feeds/category/News', '/feeds/source/*', world.sources[0]!.path])
  const isPrivate = world.random() < 0.6
  const answer = await world.ask(who, 'PUT', '/api/feeds/access', { feed, isPrivate })
  const wanted = gate(who, 'admin') ?? 'done'
  const isRight = fits(wanted, answer)
  world.check(isRight, `${who.words} hides ${feed}, wanted ${wanted}`, answer)
  if (!isRight || wanted !== 'done') return
  const hidden = new Set(world.hidden)
  if (isPrivate) hidden.add(feed)
  else hidden.delete(feed)
  world.hidden = hidden
  world.isSettled = false
}

export { gate }
