import type { AccessAnswer, Headers } from './asking.ts'
import { gate } from './expected.ts'
import { inputText } from './feed-changes.ts'
import { changes, contents, hidesAnything, lacking, opens, sees } from './oracle.ts'
import type { AccessWorld, Bearer } from './world.ts'

/** Once with a word in the address, once in a header: the doors of feeds know both. */
export function read(world: AccessWorld, who: Bearer, path: string, headers: Headers = {}): Promise<AccessAnswer> {
  if (who.secret === null || world.random() < 0.5) return world.ask(who, 'GET', path, undefined, headers)
  const asNobody = { ...who, headers: {} }
  return world.ask(asNobody, 'GET', `${path}${path.includes('?') ? '&' : '?'}token=${who.secret}`, undefined, headers)
}

/** Some of the requests for a feed, chosen at random. */
export async function lookAtFeed(world: AccessWorld, who: Bearer, name: string): Promise<void> {
  for (const rest of world.some(DOCUMENTS, 2)) await openDocument(world, who, name, rest)
  await openDelta(world, who, name)
  for (const question of world.some(BY_NAME, 2)) await askApi(world, who, name, question)
  await compareWithMissing(world, who, name)
}

const DOCUMENTS = ['.rss', '.atom', '.json', '.json?archive=1', '.atom?after=0'] as const

async function openDocument(
  world: AccessWorld,
  who: Bearer,
  name: string,
  rest: (typeof DOCUMENTS)[number],
): Promise<void> {
  const feed = world.feeds.get(name)!
  const answer = await read(world, who, `/feeds/${name}${rest}`)
  const what = `${who.words} opens ${name}${rest}`
  if (!opens(who, feed)) world.check(answer.status === absent(world), `${what}, which is closed`, answer)
  else if (world.isSettled) world.check(answer.status !== 401, what, answer)
  world.check(holdsOnly(world, name, answer.text), `${what} and sees what it must not show`, answer)
  if (!rest.includes('?') && world.isSettled && opens(who, feed))
    world.check(answer.status === 200 && holdsAll(world, name, answer.text), `${what} and misses something`, answer)
  if (rest === '.json' && answer.headers.etag !== undefined) world.etags.set(name, answer.headers.etag)
}

/** A reader with an old ETag gets what is new (RFC 3229), and no more than others. */
async function openDelta(world: AccessWorld, who: Bearer, name: string): Promise<void> {
  const etag = world.etags.get(name)
  if (etag === undefined) return
  const feed = world.feeds.get(name)!
  const answer = await read(world, who, `/feeds/${name}.json`, { 'if-none-match': etag, 'a-im': 'feed' })
  const what = `${who.words} asks what is new in ${name}`
  if (!opens(who, feed)) world.check(answer.status === absent(world), `${what}, which is closed`, answer)
  else if (world.isSettled) world.check([200, 226, 304].includes(answer.status), what, answer)
  world.check(holdsOnly(world, name, answer.text), `${what} and sees what it must not show`, answer)
}

function absent(world: AccessWorld): number {
  return hidesAnything(world) ? 401 : 404
}

function titlesIn(world: AccessWorld, text: string): readonly string[] {
  return world.sources.flatMap(({ titles }) => titles).filter((title) => text.includes(title))
}

function holdsOnly(world: AccessWorld, name: string, text: string): boolean {
  const allowed = contents(world.feeds.get(name)!, world)
  return titlesIn(world, text).every((title) => allowed.has(title))
}

function holdsAll(world: AccessWorld, name: string, text: string): boolean {
  return titlesIn(world, text).length === contents(world.feeds.get(name)!, world).size
}

type Question = readonly [string, string, (name: string) => string, ((name: string) => unknown) | null]

const BY_NAME: readonly Question[] = [
  ['show', 'GET', (name) => `/api/queries/${name}`, null],
  ['quality', 'GET', (name) => `/api/quality?scope=feed:${name}`, null],
  ['series', 'GET', (name) => `/api/quality/series?scope=feed:${name}`, null],
  ['items', 'GET', (name) => `/api/items?feed=${name}&limit=50`, null],
  ['search', 'GET', (name) => `/api/items?feed=${name}&text=title`, null],
  ['mark', 'POST', () => '/api/items/mark-all-read', (name) => ({ feed: name, upTo: 1 })],
  ['follow', 'PUT', () => '/api/follows', (name) => ({ feed: `/feeds/${name}` })],
  ['check', 'POST', () => '/api/queries/check', (name) => ({ text: `CREATE FEED qnew AS RETURN ${name};` })],
  ['preview', 'POST', () => '/api/queries/preview', (name) => ({ text: `RETURN ${name}`, over: 'all' })],
  ['subscribed', 'GET', (name) => `/api/subscriptions?feed=${name}`, null],
]

const NEEDS_WRITE: ReadonlySet<string> = new Set(['mark', 'follow'])
/** These need what it holds, which is not shown while it is rebuilt. */
const NEEDS_SHOWN: ReadonlySet<string> = new Set(['quality', 'series', 'items', 'search', 'mark'])

async function askApi(
  world: AccessWorld,
  who: Bearer,
  name: string,
  [kind, method, path, body]: Question,
): Promise<void> {
  const feed = world.feeds.get(name)!
  const answer = await world.ask(who, method, path(name), body?.(name))
  const what = `${who.words} asks ${kind} of ${name}`
  const closed = gate(who, NEEDS_WRITE.has(kind) ? 'write' : 'read')
  if (closed !== null) world.check(answer.status === closed, what, answer)
  else if (kind === 'check') world.check(answer.body.ok === sees(who, feed), what, answer)
  else if (kind === 'preview') {
    const matches = sees(who, feed) ? contents(feed, world).size : 0
    const isRight = answer.body.feeds?.[0]?.matches === matches
    world.check(isRight || (!world.isSettled && holdsOnly(world, name, answer.text)), `${what}: ${matches}`, answer)
  } else if (kind === 'subscribed') {
    const isTheirs = changes({ ...who, scope: 'session' }, feed)
    world.check(answer.status === 200 && (isTheirs || answer.body.subscriptions.length === 0), what, answer)
  } else if (!sees(who, feed)) world.check(answer.body?.code === 'QUERY_NOT_FOUND', `${what}, unseen`, answer)
  else if (world.isSettled || !NEEDS_SHOWN.has(kind)) world.check(answer.status < 300, what, answer)
  if (kind === 'show' && answer.status === 200) checkLacks(world, who, name, answer)
  if (kind !== 'items' || !sees(who, feed)) return
  world.check(holdsOnly(world, name, answer.text), `${what} and sees too much`, answer)
  if (world.isSettled) world.check(holdsAll(world, name, answer.text), `${what} and misses something`, answer)
}

/** Only users who may change a feed see what it is made without. */
function checkLacks(world: AccessWorld, who: Bearer, name: string, answer: AccessAnswer): void {
  const feed = world.feeds.get(name)!
  const isTheirs = changes(who, feed)
  const lacks = isTheirs ? [...new Set(lacking(feed, world).map((input) => inputText(input, world)))] : []
  const actualLacks = [...(answer.body.lacks as string[])]
  world.check(
    actualLacks.sort().join() === lacks.sort().join(),
    `${who.words} sees what ${name} lacks: ${lacks}`,
    answer,
  )
}

/** Beside those that it may be asked by name. */
const CHANGING: readonly Question[] = [
  ['patch', 'PATCH', (name) => `/api/queries/${name}`, () => ({ weight: 2 })],
  ['drop', 'DELETE', (name) => `/api/queries/${name}`, null],
  ['tokens', 'POST', (name) => `/api/queries/${name}/tokens`, () => ({})],
  ['token', 'POST', () => '/api/tokens', (name) => ({ scope: 'feed', feed: name })],
  ['alter', 'POST', () => '/api/queries', (name) => ({ text: `ALTER FEED ${name} TITLE "x";` })],
  ['use', 'POST', () => '/api/queries', (name) => ({ text: `CREATE FEED qother AS RETURN ${name};` })],
  [
    'subscribe',
    'POST',
    () => '/api/subscriptions',
    (name) => ({ feed: name, output: { kind: 'webhook', url: 'http://127.0.0.1:8099/x' } }),
  ],
]

const CLOSED = ['.rss', '.atom', '.json', '.json?archive=1', '.json?after=0', '.json?archive=x']

/** To who may not see it, a private feed is as one that is not there: the same answer but for the name. */
async function compareWithMissing(world: AccessWorld, who: Bearer, name: string): Promise<void> {
  const feed = world.feeds.get(name)!
  const missing = world.newName()
  const same = async ([what, method, path, body]: Question) => {
    const there = await world.ask(who, method, path(name), body?.(name))
    const missingAnswer = await world.ask(who, method, path(missing), body?.(missing))
    const isSame = plain(there, name) === plain(missingAnswer, missing)
    world.check(
      isSame,
      `${who.words} can distinguish ${name} from a missing one by ${what}: ${missingAnswer.status} ${missingAnswer.text}`,
      there,
    )
  }
  if (!sees(who, feed)) for (const question of world.some([...BY_NAME, ...CHANGING], 2)) await same(question)
  if (!opens(who, feed))
    for (const rest of world.some(CLOSED, 1)) await same([`feed${rest}`, 'GET', (one) => `/feeds/${one}${rest}`, null])
}

/** Names are of one length, so that the lengths must be the same, too. */
function plain({ status, headers, text }: AccessAnswer, name: string): string {
  const all = `${status} ${JSON.stringify(headers)} ${text}`
  return all.replaceAll(name, '§').replace(/"(at|from|to)":("[^"]*"|\d+)/g, '')
}
