import { beforeEach, describe, expect, it } from 'vitest'
import { changedItem, record } from '../../test/contract/store.fixture.ts'
import { NOON } from '../../test/support/published-items.ts'
import { addSource, handClock, storeItems } from '../../test/support/publishing.ts'
import type { ItemBuffer } from '../buffer/buffer.ts'
import type { Source } from '../model/index.ts'
import { createMemoryStore } from '../store/memory/index.ts'
import type { Store } from '../store/store.ts'
import { type Basis, type Change, changeSince, goodForMs } from './currency.ts'
import { createFeedService, type FeedService } from './feeds.ts'
import { runPublisher } from './pipeline.ts'

const ALL = { kind: 'all' } as const
const READER = { address: '192.0.2.1', userAgent: 'a reader' }

let store: Store
let buffer: ItemBuffer
let clock: ReturnType<typeof handClock>
let feeds: FeedService
let source: Source
let renderingMs = 0

beforeEach(async () => {
  clock = handClock()
  ;({ store, buffer } = createMemoryStore({ clock }))
  const slow: Store = {
    ...store,
    async mixedArrivals(scope, limit) {
      clock.pass(renderingMs)
      return store.mixedArrivals(scope, limit)
    },
  }
  feeds = createFeedService({ store: slow, clock, baseUrl: 'http://node.example' })
  source = await addSource(store, 'https://a.example/feed')
  renderingMs = 25
  await add('first')
})

async function add(title: string): Promise<void> {
  await storeItems(store, source.id, [{ title, sortAt: NOON }])
  await publish()
}

async function publish(): Promise<void> {
  const stop = new AbortController()
  const ending = { ...buffer, waitForEntries: async () => stop.abort() }
  await runPublisher({ buffer: ending, store, feeds }, stop.signal)
}

async function shows(title: string, by: typeof READER | undefined = READER): Promise<boolean> {
  return (await feeds.get(ALL, 'rss', by))!.body.toString().includes(title)
}

describe('a document that took long to make', () => {
  it('is shown to readers two hundred times as long, beyond what is quick, where items were only added', async () => {
    expect(await shows('first')).toBe(true)
    await add('second')
    clock.pass(3_999)
    expect(await shows('second')).toBe(false)
    clock.pass(1)
    expect(await shows('second')).toBe(true)
  })

  it('is made anew for the node itself, whose files are written once', async () => {
    await shows('first')
    await add('second')
    const own = await feeds.get(ALL, 'rss')
    expect(own!.body.toString()).toContain('second')
  })

  it('is made anew at once when an item was edited, also where another came after it', async () => {
    await shows('first')
    const [item] = await store.items({ scope: ALL, limit: 1 })
    await store.recordRefresh(
      record(source, {
        changedItems: [changedItem('first', { key: item!.key, title: 'withdrawn', changedAt: NOON + 1 })],
      }),
    )
    await publish()
    await add('second')
    expect(await shows('withdrawn')).toBe(true)
  })

  it('is made anew within a second when a source was removed', async () => {
    await shows('first')
    await add('second')
    await store.removeSource(source.id)
    clock.pass(1_000)
    expect(await shows('first')).toBe(false)
  })

  it('is made anew whenever there is something new if it is quick to make', async () => {
    renderingMs = 5
    await shows('first')
    await add('second')
    expect(await shows('second')).toBe(true)
  })
})

describe('how long a document stays good', () => {
  it.each([
    [0, 0],
    [5, 0],
    [15, 2_000],
    [30, 5_000],
    [60_000, 5_000],
  ])('who waited %d ms for it gets it for %d ms more', (waitedMs, goodMs) => expect(goodForMs(waitedMs)).toBe(goodMs))

  const basis: Basis = { settingsRevision: 3, feedState: 'a', publications: { count: 5, lastSeq: 9 } }
  const publications = (count: number, lastSeq: number) => ({ publications: { count, lastSeq } })
  it.each<[string, Partial<Basis>, Change | null, Change | null]>([
    ['nothing', {}, null, null],
    ['a report of new items', {}, 'added', 'added'],
    ['a report of edits', publications(6, 10), 'changed', 'changed'],
    ['settings', { settingsRevision: 4, ...publications(6, 10) }, null, 'changed'],
    ['what the feed asks for', { feedState: 'b', ...publications(6, 10) }, 'added', 'changed'],
    ['a publication', publications(6, 10), null, 'added'],
    ['one added, one gone', publications(5, 10), null, 'added'],
    ['one taken away', publications(4, 9), null, 'changed'],
    ['the last taken away', publications(5, 8), null, 'changed'],
  ])('%s', (_, now, told, expected) => expect(changeSince(basis, { ...basis, ...now }, told)).toBe(expected))
})
