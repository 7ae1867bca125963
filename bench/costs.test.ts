import { expect, it } from 'vitest'
import { testDatabase } from '../test/support/postgres.ts'
import { benchCosts } from './costs.ts'

const positive = (of: Record<string, unknown>) =>
  Object.entries(of).filter(([, value]) => typeof value !== 'number' || !(value > 0))

it('bench costs measures every unit, and leaves nothing behind', async () => {
  await expect(benchCosts({})).rejects.toMatchObject({ code: 'USAGE' })
  const database = await testDatabase()
  const figures = await benchCosts({ store: database.url, feeds: 16, corpora: 'nothing-there' })
  const { crawler, matcher, server, bytesPerRow } = figures
  // With so few feeds a difference of two passes, or of two heaps, may be nothing.
  const { cpuMicrosPerDocument: _documents, heapBytesPerSource: _heap, ...crawling } = crawler
  const { cpuMicrosPerItem: _items, logBytesPerItem: _log, ...serving } = server
  const { heapBytesPerQuery: _queries, ...matching } = matcher
  for (const part of [crawling, matching, serving, bytesPerRow]) expect(positive(part)).toEqual([])
  expect(crawler.itemsPerDocument).toBeGreaterThan(0)
  expect(
    await database.run("SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"),
  ).toEqual([])
  await database.run('CREATE TABLE somebody (a integer)')
  await expect(benchCosts({ store: database.url })).rejects.toMatchObject({ code: 'USAGE' })
  expect(await database.run('SELECT a FROM somebody')).toEqual([])
  await database.drop()
})
