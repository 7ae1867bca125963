import { gate } from './changes.ts'
import { canRead, changes, contents, hidesAnything, opens, opensHidden, sees } from './oracle.ts'
import type { Answered } from './stage.ts'
import type { Bearer, World } from './world.ts'

/** Everything that somebody may look at, by one feed. */
export async function lookAround(world: World): Promise<void> {
  const who = world.pick(world.bearers)
  const names = [...world.feeds.keys()]
  if (names.length > 0) await lookAtFeed(world, who, world.pick(names))
  await lookAtBuiltIns(world, who)
  await lookAtLists(world, who)
}

/** Once with a word in the address, once in a header: the doors of feeds know both. */
function read(world: World, who: Bearer, path: string): Promise<Answered> {
  if (who.secret === null || world.random() < 0.5) return world.ask(who, 'GET', path)
  return world.ask({ ...who, headers: {} }, 'GET', `${path}${path.includes('?') ? '&' : '?'}token=${who.secret}`)
}

export async function lookAtFeed(world: World, who: Bearer, name: string): Promise<void> {
  await openDocuments(world, who, name)
  await askApi(world, who, name)
  await compareWithMissing(world, who, name)
}

async function openDocuments(world: World, who: Bearer, name: string): Promise<void> {
  const feed = world.feeds.get(name)!
  const absent = hidesAnything(world.state) ? 401 : 404
  for (const [ending, rest] of [
    ['rss', ''],
    ['atom', ''],
    ['json', ''],
    ['json', '?archive=1'],
    ['atom', '?after=0'],
  ] as const) {
    const answer = await read(world, who, `/feeds/${name}.${ending}${rest}`)
    const what = `${who.words} opens ${name}.${ending}${rest}`
    if (!opens(who, feed)) world.check(answer.status === absent, `${what}, which is closed`, answer)
    else if (world.isSettled) world.check(answer.status !== 401, what, answer)
    world.check(holdsOnly(world, name, answer.text), `${what} and sees what it must not show`, answer)
    if (rest === '' && world.isSettled && opens(who, feed))
      world.check(answer.status === 200 && holdsAll(world, name, answer.text), `${what} and misses something`, answer)
  }
}

function titlesIn(world: World, text: string): readonly string[] {
  return world.sources.flatMap(({ titles }) => titles).filter((title) => text.includes(title))
}

function holdsOnly(world: World, name: string, text: string): boolean {
  const allowed = contents(world.feeds.get(name)!, world.state)
  return titlesIn(world, text).every((title) => allowed.has(title))
}

function holdsAll(world: World, name: string, text: string): boolean {
  return titlesIn(world, text).length === contents(world.feeds.get(name)!, world.state).size
}

const BY_NAME = [
  ['show', 'GET', (name: string) => `/api/queries/${name}`, null],
  ['quality', 'GET', (name: string) => `/api/quality?scope=feed:${name}`, null],
  ['series', 'GET', (name: string) => `/api/quality/series?scope=feed:${name}`, null],
  ['items', 'GET', (name: string) => `/api/items?feed=${name}&limit=50`, null],
  ['search', 'GET', (name: string) => `/api/items?feed=${name}&text=title`, null],
  ['mark', 'POST', () => '/api/items/mark-all-read', (name: string) => ({ feed: name, upTo: 1 })],
  ['follow', 'PUT', () => '/api/follows', (name: string) => ({ feed: `/feeds/${name}` })],
  ['check', 'POST', () => '/api/queries/check', (name: string) => ({ text: `CREATE FEED qnew AS RETURN ${name};` })],
  ['preview', 'POST', () => '/api/queries/preview', (name: string) => ({ text: `RETURN ${name}`, over: 'all' })],
  ['subscribed', 'GET', (name: string) => `/api/subscriptions?feed=${name}`, null],
] as const

const NEEDS_WRITE: ReadonlySet<string> = new Set(['mark', 'follow'])
/** These need what it holds, which is not shown while it is made anew. */
const NEEDS_SHOWN: ReadonlySet<string> = new Set(['quality', 'series', 'items', 'search', 'mark'])

async function askApi(world: World, who: Bearer, name: string): Promise<void> {
  const feed = world.feeds.get(name)!
  for (const [kind, method, path, body] of BY_NAME) {
    const answer = await world.ask(who, method, path(name), body?.(name))
    const what = `${who.words} asks ${kind} of ${name}`
    const closed = gate(who, NEEDS_WRITE.has(kind) ? 'write' : 'read')
    if (closed !== null) world.check(answer.status === closed, what, answer)
    else if (kind === 'check') world.check(answer.body.ok === sees(who, feed), what, answer)
    else if (kind === 'preview') {
      const matches = sees(who, feed) ? contents(feed, world.state).size : 0
      const isRight = answer.body.feeds?.[0]?.matches === matches
      world.check(isRight || (!world.isSettled && holdsOnly(world, name, answer.text)), `${what}: ${matches}`, answer)
    } else if (kind === 'subscribed') {
      world.check(
        answer.status === 200 &&
          (changes({ ...who, scope: 'session' }, feed) || answer.body.subscriptions.length === 0),
        what,
        answer,
      )
    } else if (!sees(who, feed)) world.check(answer.body?.code === 'QUERY_NOT_FOUND', `${what}, unseen`, answer)
    else if (world.isSettled || !NEEDS_SHOWN.has(kind)) world.check(answer.status < 300, what, answer)
    if (kind === 'items' && sees(who, feed)) {
      world.check(holdsOnly(world, name, answer.text), `${what} and sees too much`, answer)
      if (world.isSettled) world.check(holdsAll(world, name, answer.text), `${what} and misses something`, answer)
    }
  }
}

/** To who may not see it, a private feed is as one that is not there: the same answer but for the name. */
async function compareWithMissing(world: World, who: Bearer, name: string): Promise<void> {
  const feed = world.feeds.get(name)!
  const missing = world.newName()
  const same = async (
    what: string,
    method: string,
    path: (name: string) => string,
    body?: (name: string) => unknown,
  ) => {
    const there = await world.ask(who, method, path(name), body?.(name))
    const gone = await world.ask(who, method, path(missing), body?.(missing))
    const isSame = there.status === gone.status && plain(there.text, name) === plain(gone.text, missing)
    world.check(isSame, `${who.words} tells ${name} from a missing one by ${what}: ${gone.status} ${gone.text}`, there)
  }
  if (!sees(who, feed)) {
    for (const [kind, method, path, body] of BY_NAME) await same(kind, method, path, body ?? undefined)
    await same(
      'patch',
      'PATCH',
      (one) => `/api/queries/${one}`,
      () => ({ weight: 2 }),
    )
    await same('drop', 'DELETE', (one) => `/api/queries/${one}`)
    await same(
      'tokens',
      'POST',
      (one) => `/api/queries/${one}/tokens`,
      () => ({}),
    )
    await same(
      'token',
      'POST',
      () => '/api/tokens',
      (one) => ({ scope: 'feed', feed: one }),
    )
    await same(
      'alter',
      'POST',
      () => '/api/queries',
      (one) => ({ text: `ALTER FEED ${one} TITLE "x";` }),
    )
    await same(
      'use',
      'POST',
      () => '/api/queries',
      (one) => ({ text: `CREATE FEED qother AS RETURN ${one};` }),
    )
    await same(
      'subscribe',
      'POST',
      () => '/api/subscriptions',
      (one) => ({
        feed: one,
        output: { kind: 'webhook', url: 'http://127.0.0.1:8099/x' },
      }),
    )
  }
  if (!opens(who, feed))
    for (const rest of ['.rss', '.atom', '.json', '.json?archive=1', '.json?after=0', '.json?archive=x'])
      await same(`feed${rest}`, 'GET', (one) => `/feeds/${one}${rest}`)
}

function plain(text: string, name: string): string {
  return text.replaceAll(name, '§').replace(/"(at|from|to)":("[^"]*"|\d+)/g, '')
}

async function lookAtBuiltIns(world: World, who: Bearer): Promise<void> {
  const places = [
    '/feeds/all',
    '/feeds/category/News',
    '/feeds/category/Arts',
    ...world.sources.map(({ path }) => path),
  ]
  const path = world.pick(places)
  const isHidden = world.hidden.has(path) || (path.startsWith('/feeds/source/') && world.hidden.has('/feeds/source/*'))
  const answer = await read(world, who, `${path}.${world.pick(['rss', 'atom', 'json'])}`)
  const wanted = !isHidden || opensHidden(who) ? 200 : 401
  world.check(answer.status === wanted, `${who.words} opens ${path}, wanted ${wanted}`, answer)
  const id = /^\/feeds\/source\/(\d+)$/.exec(path)?.[1]
  const search = id !== undefined ? `sourceId=${id}` : path === '/feeds/all' ? '' : `category=${path.split('/').at(-1)}`
  const items = await world.ask(who, 'GET', `/api/items?${search}`)
  world.check(items.status === (gate(who, 'read') ?? 200), `${who.words} lists items of ${path}`, items)
}

const PLAIN_LISTS = ['/api/overview', '/api/follows', '/api/dead-letters', '/api/sources', '/api/feeds', '/api/opml']

async function lookAtLists(world: World, who: Bearer): Promise<void> {
  const seen = [...world.feeds.values()].filter((feed) => sees(who, feed)).map(({ name }) => name)
  const listed = async (path: string, namesOf: (body: never) => readonly string[]) => {
    const answer = await world.ask(who, 'GET', path)
    const closed = gate(who, 'read')
    const isRight = closed === null ? same(namesOf(answer.body as never), seen) : answer.status === closed
    world.check(isRight, `${who.words} lists ${path}, wanted ${seen}`, answer)
  }
  await listed('/api/queries', ({ feeds }: { feeds: { name: string }[] }) => feeds.map(({ name }) => name))
  await listed('/api/queries/words?begins=q&limit=100', ({ feeds }: { feeds: string[] }) => feeds)
  const list = world.pick(PLAIN_LISTS)
  const plainList = await world.ask(who, 'GET', list)
  world.check(plainList.status === (gate(who, 'read') ?? 200), `${who.words} asks ${list}`, plainList)
  const published = await world.ask(who, 'GET', '/feeds.json')
  const open = [...world.feeds.values()].filter(({ isPrivate }) => !isPrivate).map(({ name }) => name)
  const names = (published.body.feeds as { kind: string; name: string }[]).filter(({ kind }) => kind === 'query')
  if (world.isSettled)
    world.check(
      same(
        names.map(({ name }) => name),
        open,
      ),
      `${who.words} lists what is published, wanted ${open}`,
      published,
    )
  const closed = await world.ask(who, 'GET', world.pick(['/api/users', '/api/settings']))
  world.check(closed.status === (gate(who, 'admin') ?? 200), `${who.words} asks what is the admin's`, closed)
  if (canRead(who)) await world.ask(who, 'GET', '/api/queries/graph')
  if (canRead(who)) await world.ask(who, 'GET', '/api/items/unread')
  if (canRead(who)) await world.ask(who, 'GET', `/api/sources/${world.sources[0]!.path.split('/').at(-1)}`)
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return [...a].sort().join() === [...b].sort().join()
}
