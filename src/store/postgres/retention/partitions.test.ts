import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  ALL,
  addOne,
  hex,
  newItem,
  type Opening,
  type OpenStore,
  observation,
  record,
  START,
  windowOf,
} from '../../../../test/contract/store.fixture.ts'
import { postgresAdapter } from '../../../../test/support/postgres-adapter.ts'
import { NODE_READER } from '../../../buffer/buffer.ts'
import { createNotifier } from '../../../buffer/notifier.ts'
import { DAY_MS } from '../../../model/index.ts'
import { systemClock } from '../../../runtime/clock.ts'
import { openVault } from '../../../runtime/vault.ts'
import { createMemoryStore } from '../../memory/index.ts'
import type { RetentionPolicy } from '../../store.ts'
import { parseAddress } from '../database/address.ts'
import { openConnections } from '../database/pool.ts'
import { type Access, createAccess } from '../database/sql.ts'
import { listPartitions, preparePartitions } from './partitions.ts'
import { pruneAll } from './prune.ts'

const PLAN = { leastItems: 10, spanMs: 1_000, leastRows: 1 }
const NONE: RetentionPolicy = { maxAgeMs: null, maxItemsPerSource: null, maxObservationAgeMs: null }

let opening: Opening
let access: Access
let end: () => Promise<void>
let now: number
beforeEach(async () => {
  opening = await postgresAdapter.open()
  const address = parseAddress(opening.address ?? '')
  const connections = await openConnections(address, [], 6)
  now = START
  const notifier = createNotifier(systemClock)
  access = createAccess({ connections, shown: address.shown, vault: openVault('/nowhere'), notifier, now: () => now })
  end = () => connections.end()
})
afterEach(async () => {
  for (const table of ['item', 'item_words', 'publication', 'observation'])
    for (const { name } of await listPartitions(access, table)) await access.run(`DROP TABLE ${name}`)
  await end()
  await opening.end()
})

/** Thirty items, a day apart, of two sources in turn; of each the last four are shown, and so is an old one of the first. */
async function fill({ store, buffer }: OpenStore, day: (index: number) => Promise<void>): Promise<void> {
  await buffer.register('reader', { from: 'start', ...NODE_READER })
  const sources = [await addOne(store, 'http://a/'), await addOne(store, 'http://b/')]
  for (let index = 0; index < 30; index++) {
    const [source] = [sources[index % 2] ?? sources[0]]
    if (source === undefined) throw new Error('there are two')
    const at = START + index * DAY_MS
    const shown = Array.from({ length: 4 }, (_, back) => `i${index - 2 * back}`)
    await store.recordRefresh(
      record(source, {
        state: {
          ...source.state,
          status: 'active',
          lastCheckAt: at,
          window: windowOf(...shown, ...(index % 2 ? [] : ['i14'])),
        },
        observation: observation(source.id, at),
        newItems: [newItem(`i${index}`, { firstSeenAt: at, sortAt: at })],
      }),
    )
    await day(index)
  }
  const entries = await buffer.read('reader', 19)
  await buffer.acknowledge('reader', entries.at(-1)?.cursor ?? 0)
}

async function seen({ store, buffer }: OpenStore) {
  const sources = await store.sources()
  const names = Array.from({ length: 30 }, (_, index) => hex(`i${index}`))
  return {
    items: (await store.items({ scope: ALL, limit: 99 })).map(({ seq }) => seq),
    found: (await store.items({ scope: ALL, limit: 99, text: 'i14' })).map(({ seq }) => seq),
    counts: await store.counts(),
    each: await Promise.all(
      sources.map(async ({ id }) => [await store.itemCount(id), (await store.observations(id, { limit: 99 })).length]),
    ),
    known: await Promise.all(sources.map(({ id }) => store.knownItems(id, names))),
    last: await store.lastItemSeq(),
    backlog: (await buffer.read('reader', 99)).map(({ item }) => item.seq),
  }
}

describe('partitions', () => {
  it('are made before they are needed, once, however many processes do so', async () => {
    await fill(opening, async () => {})
    await Promise.all(Array.from({ length: 5 }, () => preparePartitions(access, START, PLAN)))
    expect(await listPartitions(access, 'item')).toMatchObject([{ name: 'item_31', from: 31 }])
    expect(await listPartitions(access, 'publication')).toMatchObject([{ name: 'publication_31', from: 31 }])
    expect(await listPartitions(access, 'observation')).toHaveLength(1)
    await preparePartitions(access, START, PLAN)
    expect(await listPartitions(access, 'item')).toHaveLength(1)
  })

  it('are dropped when all in them is too old, and what somebody needs stays: as the store in memory has it', async () => {
    const memory = createMemoryStore({ clock: { ...systemClock, now: () => now } })
    await fill(memory, async () => {})
    await fill(opening, async (index) => {
      now = START + index * DAY_MS
      await preparePartitions(access, now, PLAN)
    })
    await access.run('ANALYZE')
    expect((await listPartitions(access, 'item')).length).toBeGreaterThan(1)
    expect((await listPartitions(access, 'observation')).length).toBeGreaterThan(3)
    for (const days of [3, 15, 25, 33, 60]) {
      now = START + days * DAY_MS
      const policy = { ...NONE, maxAgeMs: 5 * DAY_MS, maxObservationAgeMs: 6 * DAY_MS }
      const removed = await memory.store.prune(policy, now)
      const dropped = await pruneAll(access, policy, now, PLAN)
      if (days === 60) expect(dropped.items).toBeGreaterThanOrEqual(removed.items)
      if (days === 15) continue
      await pruneAll(access, policy, now, { ...PLAN, leastRows: 1_000_000 })
      expect(await seen(opening)).toEqual(await seen(memory))
    }
    const left = await listPartitions(access, 'item')
    expect(left.every(({ to }) => to > 30)).toBe(true)
    expect(await access.rows('SELECT seq FROM item_default ORDER BY seq')).not.toEqual([])
  })
})
