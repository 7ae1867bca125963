import { describe, expect, it } from 'vitest'
import { addOne, START, settings } from '../../../test/contract/store.fixture.ts'
import { Payments } from '../../crawler/payments.ts'
import { MINUTE_MS, SECOND_MS, type SourceId, type UserId } from '../../model/index.ts'
import type { Scheduler } from '../../refresh/scheduler/scheduler.ts'
import { systemClock } from '../../runtime/clock.ts'
import { createMemoryStore } from '../../store/memory/index.ts'
import { feedPayer } from '../crawling/wishers.ts'
import { applyQueries } from '../queries/apply.ts'
import { findPayers } from './payers.ts'
import { feedOrigins } from './queries.ts'

/** An owner, three members and four sources: two in News, one of them below it. */
async function openNode() {
  const { store } = createMemoryStore({ clock: systemClock })
  const add = async (name: string, role: 'owner' | 'member' = 'member') =>
    (await store.addUser({ name, role, passwordHash: null, invitation: null }, START))!.id
  const [owner, ann, bob, eve] = [await add('owner', 'owner'), await add('ann'), await add('bob'), await add('eve')]
  const a = await addOne(store, 'http://a/', { name: 'a', categories: ['News/Local'] })
  const b = await addOne(store, 'http://b/', { name: 'b', categories: ['News'] })
  const c = await addOne(store, 'http://c/', { name: 'c' })
  const [added] = await store.addSources([settings('http://d/', { name: 'd' })], START, eve)
  const ids = [a.id, b.id, c.id, added!.source.id]
  const find = findPayers(store, () => feedOrigins(store))
  const payers = async () => {
    const map = await find()
    return ids.map((id) => map.of(id).toSorted((x, y) => x - y))
  }
  const follow = (userId: UserId, feed: string) => store.follow({ userId, feed, since: START })
  const query = async (userId: UserId, text: string) => {
    const [done] = await applyQueries(text, store, { now: START })
    await store.setQueryFeedOwner((await store.queryFeed(done!.name))!.id, userId)
  }
  return { store, owner, ann, bob, eve, ids, find, payers, follow, query }
}

describe('a source is paid for', () => {
  it('by the owner if nobody follows it, and by the member who added it', async () => {
    const { store, owner, eve, payers } = await openNode()
    expect(await payers()).toEqual([[owner], [owner], [owner], [eve]])
    await store.removeUser(eve)
    expect(await payers()).toEqual([[owner], [owner], [owner], [owner]])
  })

  it('by all who follow it, each once, by source, category, feed or everything', async () => {
    const { owner, ann, bob, eve, ids, payers, follow, query } = await openNode()
    await follow(ann, `/feeds/source/${ids[0]}`)
    await follow(ann, '/feeds/category/News')
    await follow(bob, '/feeds/category/News/Local')
    expect(await payers()).toEqual([[ann, bob], [ann], [owner], [eve]])
    await query(owner, 'CREATE FEED f AS RETURN c | d')
    await follow(bob, '/feeds/f')
    expect(await payers()).toEqual([[ann, bob], [ann], [owner, bob], [owner, bob]])
    await follow(eve, '/feeds/all')
    expect(await payers()).toEqual([
      [ann, bob, eve],
      [ann, eve],
      [owner, bob, eve],
      [owner, bob, eve],
    ])
  })

  it('by those whose queries read it, also in a join and through other feeds', async () => {
    const { owner, ann, bob, eve, payers, query } = await openNode()
    await query(ann, 'CREATE FEED inner AS RETURN a')
    await query(bob, 'CREATE FEED outer AS RETURN inner | CATEGORY "News"')
    expect(await payers()).toEqual([[ann, bob], [bob], [owner], [eve]])
    await query(
      eve,
      'CREATE FEED both AS RETURN c AS $v JOIN LAST 3 HOURS ON b AS $w WITH $v[TITLE SIMILAR $w.TITLE > 0.6]',
    )
    expect(await payers()).toEqual([[ann, bob], [bob, eve], [eve], [eve]])
  })

  it('by a query feed that has a wish, in place of its user, also where there is one user only', async () => {
    const { store, owner, ann, bob, eve, ids, payers, follow, query } = await openNode()
    await follow(ann, '/feeds/category/News')
    await follow(bob, `/feeds/source/${ids[0]}`)
    await query(ann, 'CREATE FEED f AS RETURN a | d')
    const { id } = (await store.queryFeed('f'))!
    expect(await payers()).toEqual([[ann, bob], [ann], [owner], [ann]])
    await store.updateQueryFeed(id, { wish: { completeness: 0.9, meanDelayMs: null } })
    expect(await payers()).toEqual([[feedPayer(id), bob], [ann], [owner], [feedPayer(id)]])
    for (const user of [bob, eve]) await store.removeUser(user)
    expect(await payers()).toEqual([[feedPayer(id)], [ann], [owner], [feedPayer(id)]])
    await store.removeUser(ann)
    expect(await payers()).toEqual([[feedPayer(id)], [owner], [owner], [feedPayer(id)]])
  })

  it('by the only user, who is never looked for again', async () => {
    const { store, owner, ann, bob, eve, ids, find } = await openNode()
    for (const id of [ann, bob, eve]) await store.removeUser(id)
    const map = await find()
    expect(ids.map((id) => map.of(id))).toEqual(ids.map(() => [owner]))
    expect(await find()).toBe(map)
  })
})

describe('the scheduler knows who pays', () => {
  it('every minute, and within seconds of a new source', async () => {
    const { find, ids, owner, ann, follow } = await openNode()
    const payersBySource = new Map<SourceId, readonly UserId[]>()
    let finds = 0
    const payments = new Payments({
      scheduler: {
        setPayers: (id: SourceId, payers: readonly UserId[]) => void payersBySource.set(id, payers),
      } as Scheduler<unknown>,
      payers: () => {
        finds++
        return find()
      },
    })
    await payments.follow(START, ids)
    expect(payersBySource.get(ids[0]!)).toEqual([owner])
    await follow(ann, `/feeds/source/${ids[0]}`)
    await payments.follow(START + MINUTE_MS - 1, ids)
    expect(payersBySource.get(ids[0]!)).toEqual([owner])
    await payments.follow(START + MINUTE_MS, ids)
    expect(payersBySource.get(ids[0]!)).toEqual([ann])
    expect(payments.of({ id: ids[0]!, addedAt: START })).toEqual({ payers: [ann] })
    await payments.follow(START + MINUTE_MS + 6 * SECOND_MS, ids)
    expect(finds).toBe(2)
    payments.of({ id: 99, addedAt: START + MINUTE_MS + SECOND_MS })
    await payments.follow(START + MINUTE_MS + 6 * SECOND_MS, ids)
    expect(finds).toBe(3)
  })
})
