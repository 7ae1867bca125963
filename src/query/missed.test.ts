import { describe, expect, it } from 'vitest'
import {
  addOne,
  memoryAdapter,
  newItem,
  type OpenStore,
  record,
  START,
  sqliteAdapter,
} from '../../test/contract/store.fixture.ts'
import { MINUTE_MS, type Source } from '../model/index.ts'
import { systemClock } from '../runtime/clock.ts'
import { QUERY_READER } from '../store/query-feeds.ts'
import type { Store } from '../store/store.ts'
import { runQueries } from './query-pipeline.ts'

const READER = { owner: 'm1', expiresAfterMs: MINUTE_MS }
const FEEDS = {
  every: 'RETURN ALL',
  ice: 'RETURN ALL WHERE TITLE CONTAINS ice',
  again: 'RETURN ice WHERE TITLE CONTAINS sea',
}

/** Queries that ask as a process of several, which is not waited for when it is away. */
async function stage(adapter: typeof memoryAdapter) {
  let awayMs = 0
  const clock = { ...systemClock, now: () => systemClock.now() + awayMs }
  const opened: OpenStore & { end(): Promise<void> } = await adapter.open({ bufferCapacity: 4, clock })
  const { store, buffer, notifier } = opened
  const source: Source = await addOne(store, 'http://a/')
  let count = 0
  const arrive = (...titles: string[]) =>
    store.recordRefresh(record(source, { newItems: titles.map((title) => newItem(`${++count}`, { title })) }))
  const isSettled = async () => {
    const isWaiting = (await store.queryFeeds()).some(({ catchUpAfter }) => catchUpAfter !== null)
    return !isWaiting && (await buffer.read(QUERY_READER, 1).catch(() => ['not there'])).length === 0
  }
  const run = async (over: Partial<Store> = {}) => {
    const stop = new AbortController()
    const review = async () => []
    const deps = {
      store: { ...store, ...over },
      buffer,
      notifier,
      clock,
      review,
      reader: READER,
      batchSize: 3,
      lookEveryMs: 1,
    }
    const running = runQueries(deps, stop.signal)
    let isOver = false
    running
      .catch(() => {})
      .finally(() => {
        isOver = true
      })
    // What was missed is read before anything of the buffer is: when that is read, all of it is.
    do await systemClock.sleep(2)
    while (!isOver && !(await isSettled()))
    stop.abort()
    await running
  }
  const publishedItems = async (name: keyof typeof FEEDS) => {
    const { id } = (await store.queryFeed(name))!
    return (await store.publicationsAfter(id, { after: 0, limit: 1_000 })).map(({ itemSeq }) => itemSeq)
  }
  for (const [name, query] of Object.entries(FEEDS)) {
    const text = `CREATE FEED ${name} AS ${query}`
    const change = { kind: 'save-feed', name, title: null, limit: null, text, catchUp: 'from now' } as const
    await store.changeQueries([change], await store.queryRevision(), START)
  }
  const away = () => {
    awayMs += MINUTE_MS
  }
  return { store, buffer, arrive, run, publishedItems, away, end: opened.end }
}

describe.each([memoryAdapter, sqliteAdapter])('queries that were away for too long: $name', (adapter) => {
  it('publish what they missed, once and as news', async () => {
    const { buffer, arrive, run, publishedItems, away, end } = await stage(adapter)
    await run()
    await arrive('ice 1', 'sea 2')
    await run()
    away()
    await buffer.waitForRoom()
    await arrive('ice sea 3', 'sea 4', 'ice 5', 'ice sea 6')
    await arrive('sea 7', 'ice 8', 'ice sea 9', 'sea 10')
    await run()
    await arrive('ice 11')
    await run()
    expect(await publishedItems('every')).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    expect(await publishedItems('ice')).toEqual([1, 3, 5, 6, 8, 9, 11])
    expect(await publishedItems('again')).toEqual([3, 6, 9])
    await end()
  })

  it.each([1, 2, 3])('lose and double nothing when they are killed at the batch %i of it', async (nth) => {
    const { store, arrive, run, publishedItems, away, end } = await stage(adapter)
    await run()
    await arrive('ice 1')
    await run()
    away()
    for (let k = 2; k <= 13; k += 3) await arrive(`ice ${k}`, `sea ice ${k + 1}`, `sea ${k + 2}`)
    let calls = 0
    const publish: Store['publish'] = async (given) => {
      const result = await store.publish(given)
      if (++calls === nth) throw new Error('killed')
      return result
    }
    await expect(run({ publish })).rejects.toThrow('killed')
    away()
    await run()
    expect(await publishedItems('every')).toEqual(Array.from({ length: 13 }, (_, k) => k + 1))
    expect(await publishedItems('again')).toEqual([3, 6, 9, 12])
    await end()
  })

  it('stop when they are no longer waited for, and begin again', async () => {
    const { store, arrive, run, publishedItems, away, end } = await stage(adapter)
    await run()
    await arrive('ice 1', 'ice 2')
    const publish: Store['publish'] = async (given) => {
      away()
      return store.publish(given)
    }
    await expect(run({ publish })).rejects.toMatchObject({ code: 'READER_EXPIRED' })
    expect(await publishedItems('ice')).toEqual([])
    await run()
    expect(await publishedItems('ice')).toEqual([1, 2])
    await end()
  })
})
