import { readByApp, readByFever, readByMiniflux } from './app-looks.ts'
import { fits, gate } from './expected.ts'
import { read } from './feed-looks.ts'
import { canAdmin, opensHiddenFeeds, sees } from './oracle.ts'
import { BACKUP } from './stage.ts'
import type { AccessWorld, Bearer } from './world.ts'

/** Some of what there is beside feeds. */
export async function lookAtNode(world: AccessWorld, who: Bearer): Promise<void> {
  for (const look of world.some(LOOKS, 3)) await look(world, who)
}

const LOOKS: readonly ((world: AccessWorld, who: Bearer) => Promise<void>)[] = [
  lookAtBuiltIn,
  lookAtBuiltIn,
  listFeeds,
  listWords,
  listPublished,
  askWhatUsersMay,
  askWhatAdminsMay,
  lookAtAudit,
  takeBackup,
  readByApp,
  readByMiniflux,
  readByFever,
]

async function lookAtBuiltIn(world: AccessWorld, who: Bearer): Promise<void> {
  const sources = world.sources.map(({ path }) => path)
  const path = world.pick(['/feeds/all', '/feeds/category/News', '/feeds/category/Arts', ...sources])
  const isHidden = world.hidden.has(path) || (path.startsWith('/feeds/source/') && world.hidden.has('/feeds/source/*'))
  const answer = await read(world, who, `${path}.${world.pick(['rss', 'atom', 'json'])}`)
  const expected = !isHidden || opensHiddenFeeds(who) ? 200 : 401
  world.check(answer.status === expected, `${who.words} opens ${path}, wanted ${expected}`, answer)
  const id = /^\/feeds\/source\/(\d+)$/.exec(path)?.[1]
  const search = id !== undefined ? `sourceId=${id}` : path === '/feeds/all' ? '' : `category=${path.split('/').at(-1)}`
  const items = await world.ask(who, 'GET', `/api/items?${search}`)
  world.check(items.status === (gate(who, 'read') ?? 200), `${who.words} lists items of ${path}`, items)
}

async function checkList(
  world: AccessWorld,
  who: Bearer,
  path: string,
  namesOf: (body: never) => readonly string[],
): Promise<void> {
  const visible = [...world.feeds.values()].filter((feed) => sees(who, feed)).map(({ name }) => name)
  const answer = await world.ask(who, 'GET', path)
  const closed = gate(who, 'read')
  const isOpen = answer.status === 200 && same(namesOf(answer.body as never), visible)
  const isRight = closed === null ? isOpen : answer.status === closed
  world.check(isRight, `${who.words} lists ${path}, wanted ${visible}`, answer)
}

function listFeeds(world: AccessWorld, who: Bearer): Promise<void> {
  return checkList(world, who, '/api/queries', ({ feeds }: { feeds: { name: string }[] }) =>
    feeds.map(({ name }) => name),
  )
}

function listWords(world: AccessWorld, who: Bearer): Promise<void> {
  return checkList(world, who, '/api/queries/words?begins=q&limit=100', ({ feeds }: { feeds: string[] }) => feeds)
}

async function listPublished(world: AccessWorld, who: Bearer): Promise<void> {
  const published = await world.ask(who, 'GET', '/feeds.json')
  const open = [...world.feeds.values()].filter(({ isPrivate }) => !isPrivate).map(({ name }) => name)
  const feeds = published.body.feeds as { kind: string; name: string }[]
  const names = feeds.filter(({ kind }) => kind === 'query').map(({ name }) => name)
  if (world.isSettled) world.check(same(names, open), `${who.words} lists what is published, wanted ${open}`, published)
}

const USERS_LISTS = [
  '/api/overview',
  '/api/follows',
  '/api/dead-letters',
  '/api/sources',
  '/api/feeds',
  '/api/opml',
  '/api/queries/graph',
  '/api/items/unread',
  '/api/sources/1',
  '/api/icons?sources=1,2',
  '/api/subscriptions',
  '/api/tokens',
]

/** Names of what is private are looked for in every answer (World.ask). */
async function askWhatUsersMay(world: AccessWorld, who: Bearer): Promise<void> {
  const list = world.pick(USERS_LISTS)
  const answer = await world.ask(who, 'GET', list)
  world.check(answer.status === (gate(who, 'read') ?? 200), `${who.words} asks ${list}`, answer)
}

async function askWhatAdminsMay(world: AccessWorld, who: Bearer): Promise<void> {
  const list = world.pick(['/api/users', '/api/settings', '/api/cluster', '/api/network'])
  const answer = await world.ask(who, 'GET', list)
  world.check(answer.status === (gate(who, 'admin') ?? 200), `${who.words} asks ${list}`, answer)
}

async function takeBackup(world: AccessWorld, who: Bearer): Promise<void> {
  const expected = gate(who, 'admin') ?? 200
  const answer = await world.ask(who, 'GET', '/api/backup')
  world.check(answer.status === expected, `${who.words} takes a backup, wanted ${expected}`, answer)
  world.check(answer.text.includes(BACKUP) === (expected === 200), `${who.words} has the backup`, answer)
  const type = { 'content-type': 'application/octet-stream' }
  const restored = await world.ask(who, 'POST', '/api/restore', BACKUP, type)
  world.check(
    fits(gate(who, 'admin') ?? 'done', restored),
    `${who.words} restores a backup, wanted ${expected}`,
    restored,
  )
}

/** Everybody finds what they did themselves; the admin finds everything. */
async function lookAtAudit(world: AccessWorld, who: Bearer): Promise<void> {
  const answer = await world.ask(who, 'GET', '/api/audit?limit=1000')
  const closed = gate(who, 'read')
  if (closed !== null) return world.check(answer.status === closed, `${who.words} reads the audit log`, answer)
  const entries = answer.body.entries as { userId: number | null }[]
  const isRight = canAdmin(who) || entries.every(({ userId }) => userId === who.account!.id)
  world.check(isRight, `${who.words} reads what others did`, answer)
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return [...a].sort().join() === [...b].sort().join()
}
