import { createHash } from 'node:crypto'
import { secretHash } from '../../src/api/access/principal.ts'
import type { AccessAnswer } from './asking.ts'
import { contents, type ModelFeed, sees } from './oracle.ts'
import type { AccessWorld, Bearer } from './world.ts'

/** Apps number query feeds from here. */
const FEEDS_FROM = 1_000_000_000

type Account = AccessWorld['accounts'][number]

/** An app of somebody, with a password of its own. */
async function appOf(world: AccessWorld, account: Account, kind: 'app' | 'miniflux' | 'fever'): Promise<Bearer> {
  const secret = `${kind} ${account.name} ${world.random()}`.replaceAll(' ', '-')
  const key = createHash('md5').update(`${account.name}:${secret}`).digest('hex')
  const isFever = kind === 'fever'
  const hash = secretHash(isFever ? key : secret)
  const scope = isFever ? ('fever' as const) : ('app' as const)
  await world.stage.store.addApiToken({ userId: account.id, label: null, scope, feed: null, hash }, 1)
  const headers: Readonly<Record<typeof kind, Bearer['headers']>> = {
    app: { authorization: `GoogleLogin auth=${secret}` },
    miniflux: { 'x-auth-token': secret },
    fever: { 'content-type': 'application/x-www-form-urlencoded' },
  }
  const plain = { scope: 'session' as const, only: null, feedId: null, secret: isFever ? key : null }
  return { ...plain, account, words: `an app (${kind}) of ${account.name}`, headers: headers[kind] }
}

function checkTitles(world: AccessWorld, what: string, feed: ModelFeed, answer: AccessAnswer): void {
  const allowed = contents(feed, world)
  const titles = world.sources.flatMap(({ titles: all }) => all).filter((title) => answer.text.includes(title))
  world.check(
    titles.every((title) => allowed.has(title)),
    `${what} and sees too much`,
    answer,
  )
}

/**
 * A reader app has the labels of those query feeds that its user sees, and of each no more than the feed may hold; what it does not
 * see is like what is missing. Other tokens, sessions and strangers are not let in at all.
 */
export async function readByApp(world: AccessWorld, who: Bearer): Promise<void> {
  const closed = await world.ask(who, 'GET', '/reader/api/0/tag/list')
  world.check(closed.status === 401, `${who.words} asks as an app without its password`, closed)
  const app = await appOf(world, world.pick(world.accounts), 'app')
  const tags = await world.ask(app, 'GET', '/reader/api/0/tag/list')
  const labels = (tags.body?.tags as { id: string; type?: string }[] | undefined)
    ?.filter(({ type }) => type === 'tag')
    .map(({ id }) => id.slice('user/-/label/'.length))
  const visible = [...world.feeds.values()].filter((feed) => sees(app, feed)).map(({ name }) => name)
  const isRight = world.isSettled
    ? [...(labels ?? ['?'])].sort().join() === visible.sort().join()
    : labels?.every((label) => visible.includes(label)) === true
  world.check(isRight, `${app.words} lists labels, wanted ${visible}`, tags)
  for (const feed of world.some([...world.feeds.values()], 2)) {
    const stream = await world.ask(app, 'GET', `/reader/api/0/stream/contents/user%2F-%2Flabel%2F${feed.name}?n=100`)
    const reading = `${app.words} reads ${feed.name}`
    if (!sees(app, feed)) world.check(stream.status === 404, `${reading}, unseen`, stream)
    else if (world.isSettled) world.check(stream.status === 200, reading, stream)
    checkTitles(world, reading, feed, stream)
  }
  const items = await world.ask(app, 'GET', '/reader/api/0/stream/contents?n=100')
  world.check(items.status === 200, `${app.words} reads everything`, items)
}

/** Somebody follows one query feed and nothing else while the look lasts. */
async function following(
  world: AccessWorld,
  look: (account: Account, feed: ModelFeed, number: number) => Promise<void>,
): Promise<void> {
  const feed = world.pick([...world.feeds.values()])
  const account = world.pick(world.accounts)
  const { store } = world.stage
  const stored = feed && (await store.queryFeeds()).find(({ name }) => name === feed.name)
  if (stored === undefined) return
  const before = await store.follows(account.id)
  for (const one of before) await store.unfollow(account.id, one.feed)
  await store.follow({ userId: account.id, feed: `/feeds/${feed.name}`, since: 1 })
  await look(account, feed, FEEDS_FROM + stored.id)
  await store.unfollow(account.id, `/feeds/${feed.name}`)
  for (const one of before) await store.follow(one)
}

/** By the Miniflux API: a followed query feed is a feed where its user sees it, and is not there otherwise. */
export async function readByMiniflux(world: AccessWorld, who: Bearer): Promise<void> {
  const closed = await world.ask(who, 'GET', '/v1/feeds')
  world.check(closed.status === 401, `${who.words} asks as a Miniflux app without its password`, closed)
  await following(world, async (account, feed, number) => {
    const app = await appOf(world, account, 'miniflux')
    const isSeen = sees(app, feed)
    const feeds = await world.ask(app, 'GET', '/v1/feeds')
    const numbers = ((feeds.body ?? []) as { id: number }[]).map(({ id }) => id)
    const isRight = isSeen ? !world.isSettled || numbers.join() === String(number) : numbers.length === 0
    world.check(feeds.status === 200 && isRight, `${app.words} lists ${feed.name}, seen: ${isSeen}`, feeds)
    for (const path of [`/v1/feeds/${number}/entries`, `/v1/feeds/${number}`, `/v1/entries?feed_id=${number}`]) {
      const answer = await world.ask(app, 'GET', path)
      const isOpen = answer.status === 200
      world.check(isSeen ? isOpen || !world.isSettled : answer.status === 404, `${app.words} asks ${path}`, answer)
      checkTitles(world, `${app.words} asks ${path}`, feed, answer)
    }
    const entries = await world.ask(app, 'GET', '/v1/entries?limit=100')
    checkTitles(world, `${app.words} reads all entries`, feed, entries)
    world.check(isSeen || entries.body?.total === 0, `${app.words} reads what it does not see`, entries)
  })
}

/** By Fever, whose answers say whether somebody was let in. */
export async function readByFever(world: AccessWorld, who: Bearer): Promise<void> {
  const closed = await world.ask(who, 'GET', '/fever/?api&feeds&items')
  world.check(closed.body?.auth === 0, `${who.words} asks as a Fever app without its key`, closed)
  await following(world, async (account, feed, number) => {
    const app = await appOf(world, account, 'fever')
    const isSeen = sees(app, feed)
    const answer = await world.ask(
      app,
      'POST',
      '/fever/?api&feeds&groups&items&unread_item_ids',
      `api_key=${app.secret}`,
    )
    world.check(answer.body?.auth === 1, `${app.words} is let in`, answer)
    const numbers = ((answer.body?.feeds ?? []) as { id: number }[]).map(({ id }) => id)
    const isRight = isSeen ? !world.isSettled || numbers.join() === String(number) : numbers.length === 0
    world.check(isRight, `${app.words} lists ${feed.name}, seen: ${isSeen}`, answer)
    checkTitles(world, `${app.words} reads items`, feed, answer)
    world.check(isSeen || answer.body?.items.length === 0, `${app.words} reads what it does not see`, answer)
  })
}
