import { afterEach, describe, expect, it } from 'vitest'
import { addOne, newItem, type Opening, record } from '../../../test/contract/store.fixture.ts'
import { postgresAdapter } from '../../../test/support/postgres-adapter.ts'
import { NODE_READER } from '../../buffer/buffer.ts'

const WRITERS = 8
const ROUNDS = 12

/** What no reader may ever see: a number, and later a smaller one that was not there before. */
describe('the log with many writers', () => {
  let opening: Opening
  afterEach(() => opening.end())

  const start = async () => {
    opening = await postgresAdapter.open()
    const { store, buffer, again } = opening
    await buffer.register('reader', { from: 'start', ...NODE_READER })
    const writers = await Promise.all(Array.from({ length: WRITERS }, () => again()))
    const sources = await Promise.all(writers.map((_, index) => addOne(store, `http://${index}/`)))
    const write = async (index: number) => {
      for (let round = 0; round < ROUNDS; round++) {
        // Of different sizes: the large ones take longer from their number to their commit.
        const newItems = Array.from({ length: 1 + ((index * 7 + round) % 9) }, (_, item) =>
          newItem(`${index}-${round}-${item}`, { content: 'x'.repeat(((index + round) % 5) * 20_000) }),
        )
        await writers[index]!.store.recordRefresh(record(sources[index]!, { newItems }))
      }
    }
    const written = Promise.all(writers.map((_, index) => write(index)))
    return { store, buffer, sources, written }
  }

  it('shows no number before all smaller ones', async () => {
    const { store, buffer, written } = await start()
    let isDone = false
    const end = () => {
      isDone = true
    }
    void written.then(end, end)
    const titles: (string | null)[] = []
    for (let after = 0, isLast = false; !isLast; ) {
      isLast = isDone
      const last = await store.lastItemSeq()
      const entries = await buffer.read('reader', 1_000, { after, parts: 'labels' })
      expect(entries.map(({ cursor }) => cursor)).toEqual(entries.map((_, index) => after + index + 1))
      expect(entries.map(({ item }) => item.seq)).toEqual(entries.map(({ cursor }) => cursor))
      after += entries.length
      expect(after).toBeGreaterThanOrEqual(last)
      titles.push(...entries.map(({ item }) => item.title))
    }
    await written
    const { items } = await store.counts()
    expect(items).toBeGreaterThan(WRITERS * ROUNDS)
    expect(new Set(titles).size).toBe(items)
    expect(titles).toHaveLength(items)
  })

  it('gives each source its own items, whoever writes at the same time', async () => {
    const { store, sources, written } = await start()
    await written
    for (const [index, { id }] of sources.entries()) {
      const items = await store.arrivals({ kind: 'source', sourceId: id }, 1_000)
      expect(items.every(({ title }) => title?.startsWith(`${index}-`))).toBe(true)
      expect(await store.itemCount(id)).toBe(items.length)
    }
  })
})
