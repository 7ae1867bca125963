import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addOne, hex, newItem, observation, record, START } from '../../../test/contract/store.fixture.ts'
import { DAY_MS, HOUR_MS, NO_COUNTS, type Source } from '../../model/index.ts'
import { systemClock } from '../../runtime/clock.ts'
import type { Store } from '../store.ts'
import { type Connection, openConnection } from './database/connection.ts'
import { openSqliteStore } from './open.ts'

// More than one step takes at a time: what is removed must be all of it, and nothing else.
const MANY = 1_234

describe('work in steps', () => {
  let folder: string
  let store: Store
  let other: Connection
  let [source, bystander]: Source[] = []

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'headwater-steps-'))
    const path = join(folder, 'headwater.db')
    store = (await openSqliteStore({ path, clock: systemClock })).store
    other = openConnection({ path })
    source = await addOne(store, 'http://a/')
    bystander = await addOne(store, 'http://b/')
    await arrive(source, MANY)
    await arrive(bystander, 3)
    await store.items({ scope: { kind: 'all' }, text: 'word', limit: 1 })
  })
  afterEach(async () => {
    other.close()
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const arrive = (of: Source, count: number) => {
    const newItems = Array.from({ length: count }, (_, index) => {
      return newItem(`${of.id}-${index}`, { title: `word ${index}`, sortAt: START + index })
    })
    return store.recordRefresh(record(of, { newItems }))
  }
  const rows = (from: string) => other.sql(`SELECT count(*) FROM ${from}`).pluck().get()
  const makeFeed = async (name: string) => {
    const change = { name, title: null, limit: null, text: `CREATE FEED ${name} AS RETURN ALL` }
    await store.changeQueries(
      [{ kind: 'save-feed', catchUp: 'from now', ...change }],
      await store.queryRevision(),
      START,
    )
    const { id: feedId, version } = (await store.queryFeed(name))!
    const seqs = Array.from({ length: MANY + 3 }, (_, index) => index + 1)
    const publications = seqs.map((itemSeq) => ({ feedId, version, itemSeq, joined: [] }))
    const itemCounts = new Map([[source!.id, MANY]])
    const matches = [{ feedId, version, sourceId: source!.id, items: MANY }]
    await store.publish({ cursor: 0, publications, itemCounts, matches, at: START })
    return feedId
  }

  it('removes a source with all of its items', async () => {
    await makeFeed('f')
    expect(await store.removeSource(source!.id)).toBe(true)
    expect(await store.counts()).toMatchObject({ sources: 1, items: 3 })
    for (const table of ['item', 'item_text', 'publication']) expect([table, rows(table)]).toEqual([table, 3])
    expect(await store.itemCount(bystander!.id)).toBe(3)
    expect(await store.removeSource(source!.id)).toBe(false)
  })

  it('drops a feed with all that it has published, and nothing of another', async () => {
    const [removedFeed, stays] = [await makeFeed('f'), await makeFeed('g')]
    await store.changeQueries([{ kind: 'drop-feed', name: 'f' }], await store.queryRevision(), START)
    expect(rows(`publication WHERE feed_id = ${removedFeed}`)).toBe(0)
    expect(rows('kept_share')).toBe(1)
    expect(rows('publication_count')).toBe(1)
    expect(await store.publicationState(stays)).toMatchObject({ count: MANY + 3 })
  })

  it('shows nothing of a feed whose drop was cut short by a kill, and goes on when it tidies', async () => {
    const removedFeed = await makeFeed('f')
    other.sql("DELETE FROM query_feed WHERE name = 'f'").run()
    expect(await store.selectivities()).toEqual([])
    await store.prune({ maxAgeMs: null, maxItemsPerSource: null, maxObservationAgeMs: null }, START)
    expect(rows(`publication WHERE feed_id = ${removedFeed}`)).toBe(0)
    expect(rows('kept_share') as number).toBe(0)
  })

  it('removes what is too many or too old, of each source', async () => {
    const observed = Array.from({ length: MANY }, (_, index) => observation(source!.id, START + index))
    for (const one of observed) await store.recordRefresh(record(source!, { observation: one }))
    const policy = { maxAgeMs: null, maxItemsPerSource: 5, maxObservationAgeMs: DAY_MS }
    const removed = await store.prune(policy, START + 2 * DAY_MS)
    expect(removed).toEqual({ items: MANY - 5, observations: MANY })
    expect(await store.counts()).toMatchObject({ items: 8, observations: 0 })
    const items = await store.items({ scope: { kind: 'source', sourceId: source!.id }, limit: 10 })
    expect(items.map(({ title }) => title)).toEqual([1, 2, 3, 4, 5].map((back) => `word ${MANY - back}`))
    const known = await store.knownItems(source!.id, [hex(`${source!.id}-0`)])
    expect(known.size).toBe(1)
  })

  it('forgets old sums of quality and marks of items that are gone', async () => {
    const tally = { ...NO_COUNTS, requests: 1, delays: [{ bucket: 3, items: 1 }] }
    const insert = other.db.prepare(
      `INSERT INTO quality_hour SELECT hour, ?, requests, failures, useful, unchanged, bytes, items, lost, lost_at_least,
         lost_at_most, repaired, saturated, delay_ms, guessed_delays, watched_ms, stale_ms
       FROM quality_hour WHERE source_id = 1`,
    )
    await store.recordRefresh(record(source!, { observation: observation(source!.id, START), quality: tally }))
    other.db.transaction(() => {
      for (let id = 1_000; id < 1_000 + 2 * MANY; id++) insert.run(id)
    })()
    const owner = { name: 'owner', role: 'owner' as const, passwordHash: null, invitation: null }
    const user = (await store.addUser(owner, START))!
    const seqs = Array.from({ length: MANY + 3 }, (_, index) => index + 1)
    await store.markItems(user.id, seqs, { isStarred: true })
    const policy = { maxAgeMs: null, maxItemsPerSource: 1, maxObservationAgeMs: null }
    await store.prune(policy, START + 10 * DAY_MS)
    expect(rows('quality_hour WHERE source_id > 0')).toBe(0)
    expect(rows('quality_delay WHERE source_id > 0')).toBe(0)
    expect(await store.quality({ kind: 'node' }, START, START + HOUR_MS)).toMatchObject({ requests: 1 })
    expect(rows('item_mark')).toBe(2)
  })
})
