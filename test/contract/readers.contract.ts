import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ItemBuffer, NODE_READER, type ReaderTerms } from '../../src/buffer/buffer.ts'
import { MINUTE_MS, type Source } from '../../src/model/index.ts'
import { QUERY_READER } from '../../src/store/query-feeds.ts'
import type { Store } from '../../src/store/store.ts'
import { type VirtualClock, virtualClock } from '../support/virtual-clock.ts'
import { type Adapter, addOne, changedItem, newItem, record, START } from './store.fixture.ts'

const EXPIRES_MS = 10 * MINUTE_MS
const MINE: ReaderTerms = { from: 'start', owner: 'm1', expiresAfterMs: EXPIRES_MS }

/** Readers of the buffer that are not waited for: src/buffer/reader.ts, in the words of src/buffer/buffer.ts. */
export function describeReaders(adapter: Adapter): void {
  describe(`readers of the item buffer: ${adapter.name}`, () => {
    let opening: Awaited<ReturnType<Adapter['open']>>
    let clock: VirtualClock
    let store: Store
    let buffer: ItemBuffer
    let source: Source
    let [firstCursor, cursorStep] = [0, 0]
    beforeAll(async () => {
      const other = await adapter.open()
      await other.buffer.register('r', { from: 'start', ...NODE_READER })
      const newItems = ['a', 'b'].map((name) => newItem(name))
      await other.store.recordRefresh(record(await addOne(other.store, 'http://a/'), { newItems }))
      const [first, second] = (await other.buffer.read('r', 2)).map(({ cursor }) => cursor)
      ;[firstCursor, cursorStep] = [first!, second! - first!]
      await other.end()
    })
    beforeEach(async () => {
      clock = virtualClock(START)
      opening = await adapter.open({ bufferCapacity: 5, clock })
      ;({ store, buffer } = opening)
      source = await addOne(store, 'http://a/')
    })
    afterEach(() => opening.end())

    /** The nth cursor that such a store gives; gaps are allowed, and here they are alike. */
    const at = (nth: number) => firstCursor + (nth - 1) * cursorStep
    const append = (...names: string[]) =>
      store.recordRefresh(record(source, { newItems: names.map((name) => newItem(name)) }))
    const read = async (reader: string) => (await buffer.read(reader, 100)).map(({ item }) => item.title)
    const itemsMissed = async (after: number, upTo: number) =>
      (await store.itemsAfter(after, 100)).filter(({ seq }) => seq <= upTo).map(({ title }) => title)
    const expired = expect.objectContaining({ code: 'READER_EXPIRED' })

    it('says of each whose it is, what it has to read, and whether it is waited for', async () => {
      expect(await buffer.register('b', MINE)).toEqual({ kind: 'new' })
      expect(await buffer.register('a', { from: 'end', ...NODE_READER })).toEqual({ kind: 'new' })
      await append('x', 'y')
      await buffer.acknowledge('a', at(1))
      await clock.pass(EXPIRES_MS)
      expect((await buffer.state()).readers).toEqual([
        { name: 'a', owner: 'node', backlog: 1, isExpired: false },
        { name: 'b', owner: 'm1', backlog: 2, isExpired: true },
      ])
    })

    it('lets a dead one stop nobody: there is room, and its entries go with those that others have read', async () => {
      await buffer.register('dead', MINE)
      await buffer.register('alive', { from: 'start', ...NODE_READER })
      await append('a', 'b', 'c', 'd', 'e')
      await buffer.acknowledge('alive', at(5))
      let hasRoom = false
      const room = buffer.waitForRoom().then(() => {
        hasRoom = true
      })
      await clock.pass(EXPIRES_MS - 1)
      expect([hasRoom, (await buffer.state()).backlog]).toEqual([false, 5])
      // Who waits may be asking a server at this moment, about a time before; it looks again after a while.
      while (!hasRoom) await clock.pass(MINUTE_MS)
      await room
      expect((await buffer.state()).backlog).toBe(0)
      await append('f')
      await buffer.acknowledge('alive', at(6))
      expect((await buffer.state()).readers).toMatchObject([{ backlog: 0 }, { backlog: 0, isExpired: true }])
    })

    it('waits for ever for one that never expires', async () => {
      await buffer.register('node', { from: 'start', ...NODE_READER })
      await append('a')
      await clock.pass(1_000 * EXPIRES_MS)
      expect((await buffer.state()).backlog).toBe(1)
      expect(await buffer.register('node', { from: 'start', ...NODE_READER })).toEqual({ kind: 'known' })
      expect(await read('node')).toEqual(['a'])
    })

    it.each([
      ['reading', (reader: string) => buffer.read(reader, 1)],
      ['acknowledging', (reader: string) => buffer.acknowledge(reader, 0)],
      ['a word', (reader: string) => buffer.renew(reader)],
    ])('is kept alive by %s', async (_, use) => {
      await buffer.register('r', MINE)
      await append('a')
      for (let k = 0; k < 5; k++) {
        await clock.pass(0.9 * EXPIRES_MS)
        await use('r')
      }
      expect(await read('r')).toEqual(['a'])
      await clock.pass(EXPIRES_MS)
      await expect(use('r')).rejects.toEqual(expired)
    })

    it('is kept alive by waiting for entries', async () => {
      await buffer.register('r', MINE)
      const waiting = buffer.waitForEntries('r')
      for (let quarter = 0; quarter < 20; quarter++) {
        await clock.untilAsleep()
        await clock.pass(EXPIRES_MS / 4)
      }
      await append('a')
      await waiting
      expect(await read('r')).toEqual(['a'])
    })

    it('returns to one that comes back what it has missed, until it says that it has read that', async () => {
      await buffer.register('r', MINE)
      await buffer.register('other', { from: 'start', ...NODE_READER })
      await append('a', 'b')
      await buffer.acknowledge('r', at(1))
      await append('c')
      await buffer.acknowledge('other', at(3))
      await clock.pass(EXPIRES_MS)
      await append('d', 'e')
      await buffer.acknowledge('other', at(4))
      await expect(buffer.read('r', 1)).rejects.toEqual(expired)
      await expect(buffer.waitForEntries('r')).rejects.toEqual(expired)
      await expect(buffer.drop('r', 0)).rejects.toEqual(expired)
      const missed = { kind: 'missed', after: 1, upTo: 4, cursor: at(5) - 1 }
      expect(await buffer.register('r', MINE)).toEqual(missed)
      expect(await itemsMissed(1, 4)).toEqual(['b', 'c', 'd'])
      expect(await buffer.register('r', MINE)).toEqual(missed)
      expect(await read('r')).toEqual(['e'])
      // It is waited for again, and its terms do not matter for what it lacks.
      await buffer.acknowledge('other', at(5))
      expect(await buffer.register('r', { ...MINE, expiresAfterMs: null })).toEqual(missed)
      await buffer.acknowledge('r', missed.cursor)
      expect(await buffer.register('r', MINE)).toEqual({ kind: 'known' })
      expect(await read('r')).toEqual(['e'])
    })

    it('that comes back in time for all of its entries has missed nothing', async () => {
      await buffer.register('r', MINE)
      await append('a', 'b')
      await clock.pass(3 * EXPIRES_MS)
      expect(await buffer.register('r', MINE)).toEqual({ kind: 'known' })
      expect(await read('r')).toEqual(['a', 'b'])
    })

    it('still lacks what an earlier acknowledgement does not reach', async () => {
      await buffer.register('r', MINE)
      await append('a', 'b', 'c')
      await clock.pass(EXPIRES_MS)
      await append('d', 'e', 'f', 'g')
      expect(await buffer.register('r', MINE)).toEqual({ kind: 'missed', after: 0, upTo: 2, cursor: at(3) - 1 })
      await buffer.acknowledge('r', at(1))
      expect(await buffer.register('r', MINE)).toMatchObject({ kind: 'missed', after: 0, upTo: 2 })
    })

    it('belongs to one owner as long as it lives', async () => {
      await buffer.register('r', MINE)
      await append('a')
      const taken = expect.objectContaining({ code: 'READER_TAKEN' })
      await expect(buffer.register('r', { ...MINE, owner: 'm2' })).rejects.toEqual(taken)
      await clock.pass(EXPIRES_MS)
      expect(await buffer.register('r', { ...MINE, owner: 'm2' })).toEqual({ kind: 'known' })
      await expect(buffer.register('r', MINE)).rejects.toEqual(taken)
      expect(await read('r')).toEqual(['a'])
    })

    it('that was seen in a future which a clock has left is not waited for', async () => {
      await clock.pass(100 * EXPIRES_MS)
      await buffer.register('r', MINE)
      await append('a')
      const before = virtualClock(START)
      const { now } = clock
      clock.now = before.now
      expect((await buffer.state()).backlog).toBe(0)
      clock.now = now
      expect((await buffer.state()).backlog).toBe(1)
    })

    it('does not keep the archive from letting go of what it has not read', async () => {
      await buffer.register('r', MINE)
      await buffer.register('other', { from: 'start', ...NODE_READER })
      await append('a', 'b')
      await buffer.acknowledge('other', at(2))
      const policy = { maxAgeMs: 1, maxItemsPerSource: null, maxObservationAgeMs: null }
      expect((await store.prune(policy, START + EXPIRES_MS)).items).toBe(0)
      await clock.pass(EXPIRES_MS)
      expect((await store.prune(policy, START + EXPIRES_MS)).items).toBe(2)
    })

    it('that asks the queries publishes nothing once it has expired, and its place stays before what it missed', async () => {
      await buffer.register(QUERY_READER, MINE)
      await append('a', 'b')
      const [first] = await buffer.read(QUERY_READER, 1)
      const nothing = { publications: [], itemCounts: new Map(), matches: [], at: START }
      await store.publish({ ...nothing, cursor: first!.cursor })
      expect(await store.processedUpTo()).toBe(1)
      await clock.pass(EXPIRES_MS)
      await append('c', 'd', 'e', 'f', 'g', 'h')
      await expect(store.publish({ ...nothing, cursor: at(2), itemCounts: new Map([[source.id, 1]]) })).rejects.toEqual(
        expired,
      )
      expect(await store.processedUpTo()).toBe(1)
      const missed = await buffer.register(QUERY_READER, MINE)
      expect(missed).toEqual({ kind: 'missed', after: 1, upTo: 3, cursor: at(4) - 1 })
      await buffer.acknowledge(QUERY_READER, at(4) - 1)
      expect(await store.processedUpTo()).toBe(3)
    })

    it('counts edits as read when they are, and only items as evaluated', async () => {
      await buffer.register(QUERY_READER, MINE)
      await append('a')
      await store.recordRefresh(record(source, { changedItems: [changedItem('a')] }))
      await append('b')
      await buffer.acknowledge(QUERY_READER, at(2))
      expect(await store.processedUpTo()).toBe(1)
    })

    it.skipIf(!adapter.persistent)('is remembered over a restart', async () => {
      await buffer.register('r', MINE)
      await append('a')
      await store.close()
      ;({ store, buffer } = await opening.again())
      await clock.pass(EXPIRES_MS)
      expect((await buffer.state()).readers).toEqual([{ name: 'r', owner: 'm1', backlog: 1, isExpired: true }])
    })
  })
}
