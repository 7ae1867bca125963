import { describe, expect, it } from 'vitest'
import { memoryAdapter, newItem, record, START, settings, sqliteAdapter } from '../../test/contract/store.fixture.ts'
import { eventually } from '../../test/support/patience.ts'
import { DAY_MS } from '../model/index.ts'
import { systemClock } from '../runtime/clock.ts'
import type { CatchUpStart } from '../store/query-feeds.ts'
import { runQueries } from './query-pipeline.ts'

describe.each([
  ['memory', memoryAdapter],
  ['sqlite', sqliteAdapter],
])('a feed that waits for pages, made before anybody follows the buffer (%s)', (_name, adapter) => {
  it('waits for the pages of what has come since, and not for those of what was there', async () => {
    const { store, buffer, notifier } = await adapter.open()
    const [added] = await store.addSources([settings('https://a.org/feed')], START)
    const arrive = (title: string) => {
      const at = systemClock.now()
      const item = newItem(title, { title, link: `https://a.org/${title}`, firstSeenAt: at, sortAt: at })
      return store.recordRefresh(record(added!.source, { newItems: [item] }))
    }
    const save = async (name: string, catchUp: CatchUpStart) => {
      const text = `CREATE FEED ${name} AS RETURN ALL FULLTEXT FETCH WAIT 1 DAY;`
      const change = { kind: 'save-feed', name, title: null, limit: null, text, catchUp } as const
      await store.changeQueries([change], await store.queryRevision(), START)
    }
    const shown = async (name: string): Promise<readonly number[]> => {
      const feed = (await store.queryFeed(name))!
      const entries = await store.publicationsAfter(feed.id, { after: 0, limit: 10, withHistory: true })
      return entries.map(({ itemSeq }) => itemSeq)
    }
    await arrive('before')
    await save('news', 'from now')
    await save('whole', { after: 0 })
    await arrive('since')

    const stop = new AbortController()
    const deps = { store, buffer, notifier, clock: systemClock, review: async () => [], lookEveryMs: 1 }
    const running = runQueries(deps, stop.signal)
    const isCaughtUp = async () => (await store.queryFeeds()).every(({ catchUpAfter }) => catchUpAfter === null)
    expect(await eventually(isCaughtUp)).toBe(true)
    expect([await shown('news'), await shown('whole')]).toEqual([[], [1]])
    const due = await store.duePages(systemClock.now(), { limit: 9 })
    expect(due.map(({ url }) => url)).toEqual(['https://a.org/since'])

    const given = { status: 404, failure: 'HTTP_NOT_FOUND', found: null } as const
    await store.recordPage({ seq: 2, attempts: 1, dueAt: null, fetchedAt: START + DAY_MS, ...given })
    expect(await eventually(async () => (await shown('news')).length === 1)).toBe(true)
    expect(await eventually(async () => (await shown('whole')).length === 2)).toBe(true)
    stop.abort()
    await running
    await store.close()
  })
})
