import { bury } from './bury.ts'
import { changing, fits, gate } from './expected.ts'
import { type Account, canAdmin, type Input, mayHold, sees } from './oracle.ts'
import type { AccessWorld, Bearer } from './world.ts'

export function inputText(input: Input, world: AccessWorld): string {
  if (input.kind === 'feed') return input.name
  if (input.kind === 'source') return world.sources[input.index]!.name
  return input.kind === 'category' ? `CATEGORY "${input.name}"` : 'ALL'
}

export async function create(world: AccessWorld, who = world.pick(world.bearers)): Promise<void> {
  // A new feed of an old name is another one; it reads no feeds, which might go in a circle with those that wait for the name.
  const isAgain = world.former.length > 0 && world.random() < 0.3
  const name = isAgain ? world.pick(world.former) : world.newName()
  const reads = Array.from({ length: 1 + Math.floor(world.random() * 2) }, () => anInput(world, !isAgain))
  const text = `CREATE FEED ${name} AS RETURN ${reads.map((input) => inputText(input, world)).join(' | ')};`
  const answer = await world.ask(who, 'POST', '/api/queries', { text, backFill: 'all' })
  const closed = gate(who, 'write')
  if (closed !== null) return world.check(answer.status === closed, `${who.words} may not apply ${text}`, answer)
  const isUnknown = reads.some((input) => input.kind === 'feed' && !sees(who, world.feeds.get(input.name)))
  if (isUnknown) return world.check(answer.body?.code === 'QUERY_INVALID', `${who.words} reads unseen: ${text}`, answer)
  const owner = who.account!
  const isPrivate = !reads.every((input) => mayHold(owner, true, input, world))
  const isRight = answer.status === 200
  world.check(isRight, `${who.words} creates ${text}`, answer)
  if (!isRight) return
  if (isAgain) world.former.splice(world.former.indexOf(name), 1)
  world.feeds.set(name, { name, id: world.newFeedId(), owner, isPrivate, reads })
  world.isSettled = false
}

function anInput(world: AccessWorld, mayBeFeed: boolean): Input {
  const names = [...world.feeds.keys()]
  const kind = world.pick(['feed', 'feed', 'feed', 'source', 'category', 'all'] as const)
  if (kind === 'feed' && mayBeFeed && names.length > 0) return { kind, name: world.pick(names) }
  if (kind === 'category') return { kind, name: world.pick(['News', 'Arts']) }
  return kind === 'all' ? { kind } : { kind: 'source', index: Math.floor(world.random() * world.sources.length) }
}

/** Of a feed, or once in a while one that nobody has. */
export function someName(world: AccessWorld): string {
  const names = [...world.feeds.keys()]
  return names.length === 0 || world.random() < 0.1 ? world.newName() : world.pick(names)
}

/** People, what they have made of each other's feeds, and what of it they keep to themselves. */
export async function begin(world: AccessWorld): Promise<void> {
  const sessions = world.bearers.filter(({ scope }) => scope === 'session')
  for (let n = 0; n < FIRST_FEEDS; n++) await create(world, world.pick(sessions))
  for (let n = 0; n < FIRST_FEEDS / 2; n++) await share(world)
}

const FIRST_FEEDS = 4

export async function share(world: AccessWorld): Promise<void> {
  const name = someName(world)
  const feed = world.feeds.get(name)
  const who = world.likely(feed)
  const isPrivate = world.random() < 0.6
  const answer = await world.ask(who, 'PATCH', `/api/queries/${name}`, { isPrivate })
  let expected = changing(who, feed, 'QUERY_NOT_FOUND')
  const isPublished = expected === 'done' && feed!.isPrivate && !isPrivate
  if (isPublished && !feed!.reads.every((input) => mayHold(feed!.owner, true, input, world))) expected = 'RIGHT_MISSING'
  const isRight = fits(expected, answer)
  world.check(isRight, `${who.words} makes ${name} ${isPrivate ? 'private' : 'public'}, wanted ${expected}`, answer)
  if (!isRight || expected !== 'done') return
  world.feeds.set(name, { ...feed!, isPrivate })
  world.isSettled = false
}

export async function drop(world: AccessWorld): Promise<void> {
  const name = someName(world)
  const feed = world.feeds.get(name)
  const who = world.likely(feed)
  const isStatement = world.random() < 0.5
  const answer = isStatement
    ? await world.ask(who, 'POST', '/api/queries', { text: `DROP FEED ${name};` })
    : await world.ask(who, 'DELETE', `/api/queries/${name}`)
  const expected = changing(who, feed, isStatement ? 'QUERY_INVALID' : 'QUERY_NOT_FOUND')
  const isRight = fits(expected, answer)
  world.check(isRight, `${who.words} drops ${name}, wanted ${expected}`, answer)
  if (!isRight || expected !== 'done') return
  world.feeds.delete(name)
  world.outputs.delete(feed!.id)
  world.former.push(name)
  world.isSettled = false
  await bury(
    world,
    world.bearers.filter(({ only }) => only === name),
    'its feed was dropped',
  )
}

export async function alter(world: AccessWorld): Promise<void> {
  if (world.random() < 0.4) return alterSource(world, world.pick(world.bearers))
  const name = someName(world)
  const who = world.likely(world.feeds.get(name))
  const text = `ALTER FEED ${name} TITLE "t${Math.floor(world.random() * 1e6)}";`
  const answer = await world.ask(who, 'POST', '/api/queries', { text })
  const expected = changing(who, world.feeds.get(name), 'QUERY_INVALID')
  world.check(fits(expected, answer), `${who.words} alters ${name}, wanted ${expected}`, answer)
}

/** What all share is the admin's, also under the address of a source. */
async function alterSource(world: AccessWorld, who: Bearer): Promise<void> {
  const index = Math.floor(world.random() * world.sources.length)
  const weight = 1 + Math.floor(world.random() * 9)
  const text = world.pick([
    `ALTER FEED source${index} WEIGHT ${weight};`,
    `REGISTER FEED "http://s${index}.invalid/" AS source${index} WEIGHT ${weight + 10};`,
    null,
  ])
  const answer =
    text === null
      ? await world.ask(who, 'PATCH', `/api/sources/${world.sources[index]!.path.split('/').at(-1)}`, { weight })
      : await world.ask(who, 'POST', '/api/queries', { text })
  const closed = gate(who, text === null ? 'admin' : 'write')
  const expected = closed ?? (canAdmin(who) ? 'done' : 'RIGHT_MISSING')
  world.check(fits(expected, answer), `${who.words} changes a source: ${text}, wanted ${expected}`, answer)
}

export async function hide(world: AccessWorld): Promise<void> {
  const who = world.likely(undefined)
  const paths = ['/feeds/all', '/feeds/category/News', '/feeds/source/*', world.sources[0]!.path]
  const isShown = world.hidden.size > 0 && world.random() < 0.4
  const feed = world.pick(isShown ? [...world.hidden] : paths)
  const isPrivate = !isShown
  const answer = await world.ask(who, 'PUT', '/api/feeds/access', { feed, isPrivate })
  const expected = gate(who, 'admin') ?? 'done'
  const isRight = fits(expected, answer)
  world.check(isRight, `${who.words} hides ${feed}, wanted ${expected}`, answer)
  if (!isRight || expected !== 'done') return
  const hidden = new Set(world.hidden)
  if (isPrivate) hidden.add(feed)
  else hidden.delete(feed)
  world.hidden = hidden
  world.isSettled = false
}

const WEBHOOK = { kind: 'webhook', url: 'http://127.0.0.1:8099/hook' }
/** Some are other writings of one path. */
const PATHS = ['news.rss', 'NEWS.rss', './news.rss', 'x/../news.rss', 'news.rss.new', 'other.rss']
const fileOf = (path: string) => (path === 'other.rss' ? 'other' : 'news')

/** A path belongs to whose feed took it first. */
export async function send(world: AccessWorld): Promise<void> {
  const name = someName(world)
  const feed = world.feeds.get(name)
  const who = world.likely(feed)
  const path = world.random() < 0.8 ? world.pick(PATHS) : null
  const output = path === null ? WEBHOOK : { kind: 'file', path }
  const isStatement = path !== null && world.random() < 0.3
  const answer = isStatement
    ? await world.ask(who, 'POST', '/api/queries', { text: `SUBSCRIBE TO ${name} OUTPUT FILE "${path}";` })
    : await world.ask(who, 'POST', '/api/subscriptions', { feed: name, output })
  let expected = changing(who, feed, isStatement ? 'QUERY_INVALID' : 'QUERY_NOT_FOUND')
  if (expected === 'done' && path !== null && isTakenFrom(feed!.owner, path, world)) expected = 'FILE_TAKEN'
  const isRight = fits(expected, answer)
  world.check(isRight, `${who.words} sends ${name} to ${path ?? 'a webhook'}, wanted ${expected}`, answer)
  if (isRight && expected === 'done' && path !== null)
    world.outputs.set(feed!.id, [...(world.outputs.get(feed!.id) ?? []), path])
}

/** Whether a feed of somebody else is written there; what nobody owns is the node owner's. */
function isTakenFrom(owner: Account, path: string, world: AccessWorld): boolean {
  return [...world.feeds.values()].some(({ id, owner: taker }) => {
    const isTheirs = taker.id === owner.id || (taker.isNodeOwner && owner.isNodeOwner)
    return !isTheirs && world.outputs.get(id)?.some((one) => fileOf(one) === fileOf(path)) === true
  })
}
