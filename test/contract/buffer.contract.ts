import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ItemBuffer, NODE_READER } from '../../src/buffer/buffer.ts'
import type { Source } from '../../src/model/index.ts'
import type { Store } from '../../src/store/store.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { type Adapter, addOne, changedItem, newItem, type Opening, record } from './store.fixture.ts'

/** Every word of src/buffer/buffer.ts that can be tried. */
export function describeBuffer(adapter: Adapter): void {
  describe(`item buffer: ${adapter.name}`, () => {
    let opening: Opening
    let store: Store
    let buffer: ItemBuffer
    let source: Source
    beforeEach(async () => {
      opening = await adapter.open({ bufferCapacity: 5 })
      ;({ store, buffer } = opening)
      source = await addOne(store, 'http://a/')
    })
    afterEach(() => opening.end())

    const append = async (...names: string[]) => {
      await store.recordRefresh(record(source, { newItems: names.map((name) => newItem(name)) }))
    }
    const read = async (reader: string, max = 100, after?: number) =>
      (await buffer.read(reader, max, after === undefined ? {} : { after })).map(({ item }) => item.title)
    /** Of the nth entry that a reader has not acknowledged. Cursors may have gaps, so that none is known before it is read. */
    const cursorAt = async (reader: string, nth: number) => (await buffer.read(reader, nth)).at(-1)!.cursor
    const settled = async (promise: Promise<void>, withinMs: number) => {
      const late = new Promise<false>((resolve) => setTimeout(resolve, withinMs, false))
      return Promise.race([promise.then(() => true), late])
    }

    it('hands out new and changed items in the order of storing, as they are now', async () => {
      await buffer.register('r', { from: 'start', ...NODE_READER })
      await append('a', 'b')
      await store.recordRefresh(record(source, { changedItems: [changedItem('a')] }))
      const entries = await buffer.read('r', 10)
      expect(entries.map(({ kind, item }) => [kind, item.title])).toEqual([
        ['new', 'a edited'],
        ['new', 'b'],
        ['changed', 'a edited'],
      ])
      expect(entries[1]!.item).toEqual((await store.itemsBySeq([entries[1]!.item.seq]))[0])
      const cursors = entries.map(({ cursor }) => cursor)
      expect(cursors).toEqual([...new Set(cursors)].sort((a, b) => a - b))
    })

    it('repeats what was not acknowledged, and reads on before acknowledging where asked', async () => {
      await buffer.register('r', { from: 'start', ...NODE_READER })
      await append('a', 'b', 'c')
      expect(await read('r', 2)).toEqual(['a', 'b'])
      expect(await read('r', 2)).toEqual(['a', 'b'])
      const second = await cursorAt('r', 2)
      expect(await read('r', 2, second)).toEqual(['c'])
      await buffer.acknowledge('r', second)
      expect(await read('r')).toEqual(['c'])
      expect(await read('r', 0)).toEqual([])
    })

    it('never goes back: an older acknowledgement changes nothing, one beyond the end stops there', async () => {
      await buffer.register('r', { from: 'start', ...NODE_READER })
      await append('a', 'b', 'c')
      const [first, second] = await buffer.read('r', 2)
      await buffer.acknowledge('r', second!.cursor)
      await buffer.acknowledge('r', first!.cursor)
      expect(await read('r')).toEqual(['c'])
      await buffer.acknowledge('r', 1_000)
      await append('d')
      expect(await read('r')).toEqual(['d'])
    })

    it('lets each reader go its own way, from the start or from now on', async () => {
      await buffer.register('early', { from: 'start', ...NODE_READER })
      await append('a')
      await buffer.register('late', { from: 'end', ...NODE_READER })
      await buffer.register('from the start', { from: 'start', ...NODE_READER })
      await append('b')
      await buffer.acknowledge('early', await cursorAt('early', 2))
      expect(await read('early')).toEqual([])
      expect(await read('late')).toEqual(['b'])
      expect(await read('from the start')).toEqual(['a', 'b'])
      await buffer.register('late', { from: 'start', ...NODE_READER })
      expect(await read('late')).toEqual(['b'])
    })

    it('refuses a reader that it does not know', async () => {
      await expect(buffer.read('nobody', 1)).rejects.toThrow('nobody')
      await expect(buffer.acknowledge('nobody', 1)).rejects.toThrow('nobody')
      await expect(buffer.drop('nobody', 1)).rejects.toThrow('nobody')
      await buffer.unregister('nobody')
    })

    it('keeps only the newest entries while there is no reader', async () => {
      await append('a', 'b', 'c', 'd')
      await append('e', 'f', 'g')
      expect(await buffer.state()).toEqual({ backlog: 0, capacity: 5, dropped: {}, readers: [] })
      await buffer.register('r', { from: 'start', ...NODE_READER })
      expect(await read('r')).toEqual(['c', 'd', 'e', 'f', 'g'])
    })

    it('counts cursors on after everything was read and removed', async () => {
      await buffer.register('r', { from: 'start', ...NODE_READER })
      await append('a', 'b')
      const last = await cursorAt('r', 2)
      await buffer.acknowledge('r', last)
      await store.removeSource(source.id)
      source = await addOne(store, 'http://b/')
      await append('c')
      expect(await cursorAt('r', 1)).toBeGreaterThan(last)
    })

    it.skipIf(!adapter.persistent)('goes on after a restart', async () => {
      await buffer.register('r', { from: 'start', ...NODE_READER })
      await append('a', 'b', 'c')
      await buffer.acknowledge('r', await cursorAt('r', 2))
      await store.close()
      ;({ store, buffer } = await opening.again())
      expect(await read('r')).toEqual(['c'])
      const third = await cursorAt('r', 1)
      await buffer.acknowledge('r', third)
      await store.close()
      ;({ store, buffer } = await opening.again())
      await append('d')
      expect(await read('r')).toEqual(['d'])
      expect(await cursorAt('r', 1)).toBeGreaterThan(third)
    })

    it('slows the writer down until the slowest reader has caught up', async () => {
      await buffer.register('fast', { from: 'start', ...NODE_READER })
      await buffer.register('slow', { from: 'start', ...NODE_READER })
      await append('a', 'b', 'c', 'd')
      await buffer.waitForRoom()
      await append('e', 'f')
      expect((await buffer.state()).backlog).toBe(6)
      const waiting = buffer.waitForRoom()
      await buffer.acknowledge('fast', await cursorAt('fast', 6))
      expect(await settled(waiting, 30)).toBe(false)
      await buffer.acknowledge('slow', await cursorAt('slow', 1))
      expect(await settled(waiting, 30)).toBe(false)
      await buffer.acknowledge('slow', await cursorAt('slow', 1))
      expect(await settled(waiting, PATIENCE_MS)).toBe(true)
      expect((await buffer.state()).backlog).toBe(4)
    })

    it('has room again when a slow reader leaves, or its source does', async () => {
      await buffer.register('slow', { from: 'start', ...NODE_READER })
      await append('a', 'b', 'c', 'd', 'e')
      const first = buffer.waitForRoom()
      await buffer.unregister('slow')
      expect(await settled(first, PATIENCE_MS)).toBe(true)
      await buffer.register('slow', { from: 'start', ...NODE_READER })
      const second = buffer.waitForRoom()
      await store.removeSource(source.id)
      expect((await buffer.state()).backlog).toBe(0)
      expect(await settled(second, PATIENCE_MS)).toBe(true)
    })

    it('stops waiting when aborted', async () => {
      await buffer.register('r', { from: 'start', ...NODE_READER })
      const stop = new AbortController()
      const entries = buffer.waitForEntries('r', stop.signal)
      await append('a', 'b', 'c', 'd', 'e')
      await entries
      await buffer.register('late', { from: 'end', ...NODE_READER })
      const waits = [buffer.waitForRoom(stop.signal), buffer.waitForEntries('late', stop.signal)]
      expect(await Promise.all(waits.map((wait) => settled(wait, 20)))).toEqual([false, false])
      stop.abort()
      await Promise.all([...waits, buffer.waitForRoom(stop.signal), buffer.waitForEntries('late', stop.signal)])
    })

    it('does not wake a reader for entries that are gone', async () => {
      await buffer.register('r', { from: 'end', ...NODE_READER })
      await append('a')
      await store.removeSource(source.id)
      expect(await settled(buffer.waitForEntries('r', AbortSignal.timeout(3_000)), 30)).toBe(false)
    })

    it('wakes a reader when there are entries', async () => {
      await buffer.register('r', { from: 'end', ...NODE_READER })
      const entries = buffer.waitForEntries('r')
      expect(await settled(entries, 20)).toBe(false)
      await append('a')
      expect(await settled(entries, PATIENCE_MS)).toBe(true)
      await buffer.waitForEntries('r')
    })

    it.skipIf(!adapter.persistent)('wakes writer and reader in another process', async () => {
      const other = await opening.again()
      await other.buffer.register('r', { from: 'start', ...NODE_READER })
      const entries = other.buffer.waitForEntries('r')
      await append('a', 'b', 'c', 'd', 'e')
      expect(await settled(entries, PATIENCE_MS)).toBe(true)
      const waiting = buffer.waitForRoom()
      await other.buffer.acknowledge('r', await cursorAt('r', 1))
      expect(await settled(waiting, PATIENCE_MS)).toBe(true)
    })

    it('gives up entries only when asked, and counts them', async () => {
      await buffer.register('r', { from: 'start', ...NODE_READER })
      await buffer.register('other', { from: 'start', ...NODE_READER })
      await append('a', 'b', 'c', 'd', 'e', 'f', 'g')
      await buffer.acknowledge('r', await cursorAt('r', 1))
      expect(await buffer.drop('r', 2)).toBe(4)
      expect(await read('r')).toEqual(['f', 'g'])
      expect(await read('other')).toHaveLength(7)
      expect(await buffer.drop('r', 2)).toBe(0)
      expect(await buffer.drop('r', 0)).toBe(2)
      expect(await buffer.drop('other', 6)).toBe(1)
      expect(await buffer.state()).toMatchObject({ backlog: 6, capacity: 5, dropped: { r: 6, other: 1 } })
      await buffer.unregister('r')
      expect((await buffer.state()).dropped['r']).toBe(6)
    })
  })
}
