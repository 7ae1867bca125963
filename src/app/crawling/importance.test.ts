import { expect, it } from 'vitest'
import { addOne, START } from '../../../test/contract/store.fixture.ts'
import { Weights } from '../../crawler/weights.ts'
import { DAY_MS, MINUTE_MS } from '../../model/index.ts'
import { Scheduler } from '../../refresh/scheduler/scheduler.ts'
import { systemClock } from '../../runtime/clock.ts'
import { createMemoryStore } from '../../store/memory/index.ts'
import { createImportance, sourceRelevance, withTrust } from './importance.ts'
import { strategyFor } from './strategy.ts'

const ARCHIVE_SHARE = 0.1

it('weighs what is read by the trust of the users, and never below what archiving asks for', async () => {
  const { store } = createMemoryStore({ clock: systemClock })
  const [a, b, c] = [
    await addOne(store, 'http://a/'),
    await addOne(store, 'http://b/'),
    await addOne(store, 'http://c/'),
  ]
  const member = { role: 'member' as const, passwordHash: null, invitation: null }
  const ann = (await store.addUser({ ...member, name: 'ann' }, START))!.id
  const bob = (await store.addUser({ ...member, name: 'bob' }, START))!.id
  const relevance = withTrust(async () => ({ of: new Map([[a.id, 0.8]]), others: 1 }), store, ARCHIVE_SHARE)
  expect((await relevance(START)).of).toEqual(new Map([[a.id, 0.8]]))
  await store.setTrust(ann, a.id, 0)
  await store.setTrust(ann, b.id, 0)
  await store.setTrust(bob, b.id, 0)
  const { of, others } = await relevance(START)
  expect(of).toEqual(
    new Map([
      [a.id, 0.4],
      [b.id, ARCHIVE_SHARE],
    ]),
  )
  expect([of.get(c.id), others]).toEqual([undefined, 1])
})

it('counts a user once, in however many ways a source is followed', async () => {
  const { store } = createMemoryStore({ clock: systemClock })
  const a = await addOne(store, 'http://a/', { categories: ['News/Local'] })
  const b = await addOne(store, 'http://b/', { categories: ['News'] })
  const member = { role: 'member' as const, passwordHash: null, invitation: null }
  const ann = (await store.addUser({ ...member, name: 'ann' }, START))!.id
  const bob = (await store.addUser({ ...member, name: 'bob' }, START))!.id
  for (const feed of ['/feeds/category/News', `/feeds/source/${a.id}`, '/feeds/gone']) {
    await store.follow({ userId: ann, feed, since: START })
  }
  await store.follow({ userId: bob, feed: '/feeds/category/News/Local', since: START })
  const importance = createImportance(store, sourceRelevance(store, ARCHIVE_SHARE), systemClock)
  const { of } = await importance()
  expect([of.get(a.id)?.subscribers, of.get(b.id)?.subscribers]).toEqual([2, 1])
})

it('reaches the scheduler: trust, a query and what is read move when a source is due', async () => {
  const { store } = createMemoryStore({ clock: systemClock })
  const [a, b] = [await addOne(store, 'http://a/'), await addOne(store, 'http://b/')]
  const scheduler = new Scheduler<unknown>({
    strategy: strategyFor({ strategy: 'two-steps', estimator: 'hybrid' }),
    budget: { requests: 48, perMs: DAY_MS },
    burst: 1,
    minIntervalMs: 0,
    random: () => 0.5,
    now: START,
  })
  const weights = new Weights({ scheduler, relevance: sourceRelevance(store, ARCHIVE_SHARE) })
  await weights.follow(START)
  for (const { id } of [a, b]) {
    const facts = { id, weight: weights.of({ id, weight: 2 }), cost: 1, windowSize: 20, addedAt: START }
    scheduler.upsert({ facts: { ...facts, lastRefreshAt: START }, dueAt: null, paused: false, retired: false })
  }
  const intervals = () => [a, b].map(({ id }) => scheduler.explain(id, START)!.nextAt! - START)
  const [before, same] = intervals()
  expect(same).toBe(before)
  const ann = (await store.addUser({ name: 'ann', role: 'owner', passwordHash: null, invitation: null }, START))!.id
  await store.setTrust(ann, b.id, 0.25)
  await weights.follow(START + 2 * MINUTE_MS)
  const [stays, later] = intervals()
  expect(stays).toBe(before)
  // Intervals go with the root of the weight.
  expect(later! / before!).toBeCloseTo(2, 1)
})

it('counts who gets the items of a source: subscriptions, and whose feed it is', async () => {
  const { store } = createMemoryStore({ clock: systemClock })
  const source = await addOne(store, 'http://a/')
  const other = await addOne(store, 'http://b/')
  const user = { name: 'ann', role: 'owner' as const, passwordHash: null, invitation: null }
  const { id: userId } = (await store.addUser(user, START))!
  const saved = {
    kind: 'save-feed' as const,
    name: 'f',
    title: null,
    limit: null,
    text: 'x',
    catchUp: 'from now' as const,
  }
  const output = { kind: 'mail' as const, address: 'a@b.example' }
  const subscribed = { kind: 'subscribe' as const, feed: 'f', output, everyMs: null, secret: 's' }
  await store.changeQueries([saved, subscribed], await store.queryRevision(), START)
  const { id: feedId } = (await store.queryFeed('f'))!
  await store.setQueryFeedOwner(feedId, userId)
  const itemCounts = new Map([source, other].map(({ id }) => [id, 4]))
  const matches = [{ feedId, version: 1, sourceId: source.id, items: 2 }]
  await store.publish({ cursor: 0, publications: [], itemCounts, matches, at: START })
  const importance = createImportance(store, async () => ({ of: new Map(), others: 1 }), { now: () => START })
  expect(await importance()).toEqual({
    of: new Map([[source.id, { relevance: 1, subscribers: 2 }]]),
    others: { relevance: 1, subscribers: 0 },
  })
})
