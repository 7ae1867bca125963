import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { BufferEntry } from '../../src/buffer/buffer.ts'
import { NODE_READER } from '../../src/buffer/buffer.ts'
import type { ItemSeq, PublishedEntry, QueryFeed, SourceId } from '../../src/model/index.ts'
import { ROUNDS, titlesOf, writeEverything } from './order.writer.ts'
import { type Adapter, addOne, newItem, type Opening, type OpenStore, record, START } from './store.fixture.ts'

const CHILD = fileURLToPath(new URL('./order.child.ts', import.meta.url))
const WRITERS = ['first', 'second']

/**
 * What a reader may rely on who remembers a number and asks for what comes after it, while others write: see
 * docs/decisions/0080-store-rules.md. Items are dense and become visible in the order of their numbers; all other numbers only
 * grow, perhaps with gaps, and nothing appears behind what a reader has seen.
 */
export function describeOrder(adapter: Adapter): void {
  describe(`order of numbers: ${adapter.name}`, () => {
    let opening: Opening
    let feed: QueryFeed
    beforeEach(async () => {
      opening = await adapter.open({ bufferCapacity: 10_000 })
      const text = 'CREATE FEED feed AS RETURN ALL'
      const save = { kind: 'save-feed', name: 'feed', title: null, limit: null, text, catchUp: 'from now' } as const
      const { store, buffer } = opening
      await store.changeQueries([save], await store.queryRevision(), START)
      feed = (await store.queryFeed('feed'))!
      await buffer.register('reader', { from: 'start', ...NODE_READER })
    })
    afterEach(() => opening.end())

    it('items are numbered without gaps, and a repetition takes no number', async () => {
      const { store } = opening
      const source = await addOne(store, 'http://a/')
      const before = await store.lastItemSeq()
      const first = record(source, { newItems: [newItem('a'), newItem('b'), newItem('a')] })
      await store.recordRefresh(first)
      await store.recordRefresh(first)
      await store.recordRefresh(record(source, { newItems: [newItem('c')] }))
      expect((await store.itemsAfter(before, 9)).map(({ seq }) => seq - before)).toEqual([1, 2, 3])
      await store.removeSource(source.id)
      expect(await store.lastItemSeq()).toBe(before + 3)
    })

    it('who follows what two write at once misses nothing and gets nothing twice', async () => {
      const others = await Promise.all(WRITERS.map(() => opening.again()))
      await follow(opening, feed, Promise.all(WRITERS.map((name, at) => writeEverything(others[at]!, name))))
    })

    it.skipIf(!adapter.persistent)('likewise where the two are other processes', async () => {
      await follow(opening, feed, Promise.all(WRITERS.map((name) => writeInProcess(adapter, opening, name))))
    })
  })
}

async function writeInProcess(adapter: Adapter, { address }: Opening, name: string): Promise<void> {
  const child = spawn(process.execPath, ['--import', 'tsx', CHILD, adapter.name, address!, name], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  expect(code).toBe(0)
}

/** What readers have seen so far, each by asking for what comes after the last that it saw. */
interface Seen {
  readonly items: ItemSeq[]
  readonly entries: BufferEntry[]
  readonly publications: PublishedEntry[]
  readonly weights: Map<SourceId, number>
  revision: number
  tokens: { readonly revision: number; readonly count: number }
}

/** Reads while the writers write, and once more when they have ended. */
async function follow(opened: OpenStore, feed: QueryFeed, writing: Promise<unknown>): Promise<void> {
  const tokens = { revision: await opened.store.queryRevision(), count: 0 }
  const seen: Seen = { items: [], entries: [], publications: [], weights: new Map(), revision: 0, tokens }
  let isWriting = true
  const ended = writing.finally(() => {
    isWriting = false
  })
  while (isWriting) {
    await readOn(opened, feed, seen)
    // Who writes in this process gets its turn.
    await new Promise(setImmediate)
  }
  await ended
  await readOn(opened, feed, seen)
  await check(opened, feed, seen)
}

async function readOn({ store, buffer }: OpenStore, feed: QueryFeed, seen: Seen): Promise<void> {
  seen.items.push(...(await store.itemsAfter(seen.items.at(-1) ?? 0, 1_000)).map(({ seq }) => seq))
  const entries = await buffer.read('reader', 1_000)
  seen.entries.push(...entries)
  if (entries.length > 0) await buffer.acknowledge('reader', entries.at(-1)!.cursor)
  const after = seen.publications.at(-1)?.seq ?? 0
  seen.publications.push(...(await store.publicationsAfter(feed.id, { after, limit: 1_000 })))
  const { revision, changed } = await store.scheduleChanges(seen.revision)
  expect(revision).toBeGreaterThanOrEqual(seen.revision)
  seen.revision = revision
  for (const { id, weight } of changed) seen.weights.set(id, weight)
  const before = await store.queryRevision()
  const count = (await store.feedTokens(feed.id)).length
  const isUnchanged = (await store.queryRevision()) === seen.tokens.revision
  expect(before).toBeGreaterThanOrEqual(seen.tokens.revision)
  if (isUnchanged) expect(count).toBe(seen.tokens.count)
  seen.tokens = { revision: before, count }
}

async function check({ store }: OpenStore, feed: QueryFeed, seen: Seen): Promise<void> {
  const titles = WRITERS.flatMap(titlesOf).sort()
  const all = Array.from({ length: titles.length }, (_, index) => index + 1)
  expect(seen.items).toEqual(all)
  expect((await store.itemsBySeq(all)).map(({ key }) => key)).toHaveLength(titles.length)

  const isGrowing = (numbers: readonly number[]) => numbers.every((one, at) => at === 0 || one > numbers[at - 1]!)
  expect(isGrowing(seen.entries.map(({ cursor }) => cursor))).toBe(true)
  const news = seen.entries.filter(({ kind }) => kind === 'new').map(({ item }) => item.seq)
  expect(news).toEqual(all)
  expect(seen.entries.length - news.length).toBe(WRITERS.length * ROUNDS)

  expect(isGrowing(seen.publications.map(({ seq }) => seq))).toBe(true)
  expect(seen.publications.map(({ itemSeq }) => itemSeq).sort((a, b) => a - b)).toEqual(all)
  expect((await store.publicationState(feed.id)).count).toBe(all.length)

  const sources = await store.sources()
  expect([...seen.weights].sort(([a], [b]) => a - b)).toEqual(sources.map(({ id, weight }) => [id, weight]))
  expect(seen.tokens.count).toBe(WRITERS.length * ROUNDS)
  await checkAudit({ store })
}

/** Later entries have greater numbers, also page by page. */
async function checkAudit({ store }: Pick<OpenStore, 'store'>): Promise<void> {
  const subjects: string[] = []
  for (let beforeId = Number.MAX_SAFE_INTEGER; ; ) {
    const page = await store.audit({ limit: 5, beforeId })
    if (page.length === 0) break
    subjects.push(...page.map(({ subject }) => subject))
    beforeId = page.at(-1)!.id
  }
  for (const name of WRITERS) {
    const own = subjects.filter((subject) => subject.startsWith(name)).reverse()
    expect(own).toEqual(Array.from({ length: ROUNDS }, (_, round) => `${name} ${round + 1}`))
  }
}
