import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KnownDevices } from '../../src/api/access/known-device.ts'
import { LEAST_BUDGET } from '../../src/app/crawling/least-budget.ts'
import { slowHosts } from '../../src/app/crawling/politeness.ts'
import { retryRefusedSources } from '../../src/app/crawling/refused-sources.ts'
import { wishStandings } from '../../src/app/crawling/wish-shares.ts'
import { createDatabaseCheck } from '../../src/app/data/database-check.ts'
import { knownMailDomain } from '../../src/app/letters/mail-domain.ts'
import { nodeAddress } from '../../src/app/node-address.ts'
import { EXTRACTION_RULES } from '../../src/app/pages/site-rules.ts'
import { openRecentQuality } from '../../src/app/quality/recent-quality.ts'
import { ITEM_RULES } from '../../src/app/rules/item-rules.ts'
import { RULES_CURSOR } from '../../src/app/rules/run-rules.ts'
import { rulesFor } from '../../src/app/sources/address-rules.ts'
import { LIVE_LISTS } from '../../src/app/sources/live-lists.ts'
import { COVERS } from '../../src/crawler/covers/cover-state.ts'
import { SCHEDULE } from '../../src/crawler/model-store.ts'
import { FORESIGHT_TABLES } from '../../src/crawler/shared/foresight-tables.ts'
import { POSTING_CLUSTERS } from '../../src/crawler/shared/posting-clusters.ts'
import { MINUTE_MS, NO_COUNTS } from '../../src/model/index.ts'
import { readPrivateFeeds } from '../../src/publisher/feed-access.ts'
import { createAlarms } from '../../src/runtime/alarms.ts'
import type { StateName } from '../../src/store/node-state.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import type { Store } from '../../src/store/store.ts'
import { NOON } from '../support/published-items.ts'
import { rawState } from '../support/raw-state.ts'
import { virtualClock } from '../support/virtual-clock.ts'

const TALLY = { ...NO_COUNTS, requests: 3, delays: [] }
const WISH = { completeness: null, meanDelayMs: 60_000 }
const STANDING = { payer: 7, wish: WISH, neededPerDay: 1, givenPerDay: 1, lackingPerDay: 0, expected: null, at: NOON }
const clock = virtualClock(NOON)

interface Row {
  /** As an earlier version wrote it. */
  readonly text: string
  readonly shows: (store: Store) => Promise<unknown>
  readonly expected: unknown
  /** What is read where nothing readable is stored; absent: reading fails. */
  readonly fallback?: unknown
}

const ROWS: Partial<Record<StateName, Row>> = {
  schedule: {
    text: '{"v":1,"strategy":"foresight","at":5,"price":0.25,"purse":3,"minutes":[1,2],"sources":9,"monotonicMs":7}',
    shows: async (store) => (await store.state(SCHEDULE))?.price ?? null,
    expected: 0.25,
    fallback: null,
  },
  'foresight-tables': {
    text: '{"builtAt":5,"tables":{"v":1,"weeks":[[1]],"minutes":[[1]]}}',
    shows: async (store) => (await store.state(FORESIGHT_TABLES))?.builtAt ?? null,
    expected: 5,
    fallback: null,
  },
  covers: {
    text: '[{"v":1,"cover":2,"member":1},{"v":9,"cover":4,"member":3}]',
    shows: async (store) => (await store.state(COVERS)).map(({ member }) => member),
    expected: [1],
    fallback: [],
  },
  'posting-clusters': {
    text: '{"learntAt":5,"clusters":{"v":9}}',
    shows: (store) => store.state(POSTING_CLUSTERS),
    expected: null,
    fallback: null,
  },
  politeness: {
    // Before slow hosts were known.
    text: '{"at":5,"politeness":{"v":1,"strains":[],"rests":[]}}',
    shows: async (store) => [...(await slowHosts(store))],
    expected: [],
    fallback: [],
  },
  wishes: {
    text: JSON.stringify([STANDING]),
    shows: async (store) => [...(await wishStandings(store)).keys()],
    expected: [7],
    fallback: [],
  },
  'least-budget': {
    text: '{"wish":{"meanDelayMs":900000},"requestsPerDay":12,"neededPerDay":12,"expected":{"meanDelayMs":1,"completeness":1},"at":5}',
    shows: async (store) => (await store.state(LEAST_BUDGET))?.requestsPerDay ?? null,
    expected: 12,
    fallback: null,
  },
  'recent-quality': {
    text: JSON.stringify([[], [[NOON - MINUTE_MS, TALLY]], []]),
    shows: async (store) => {
      const recent = await openRecentQuality(store, clock)
      return recent.steps(5 * MINUTE_MS, MINUTE_MS, NOON).map(({ tally }) => tally.requests)
    },
    expected: [3],
    fallback: [],
  },
  allowRange: {
    text: '["10.0.0.0/8"]',
    // Nothing has changed since: nothing is written.
    shows: async (store) => {
      await retryRefusedSources({ allowRange: ['10.0.0.0/8'] }, store, clock)
      return store.state(rawState('allowRange'))
    },
    expected: '["10.0.0.0/8"]',
    fallback: '["10.0.0.0/8"]',
  },
  'device-key': {
    text: 'a-key-of-before',
    shows: async (store) => {
      await new KnownDevices(store).cookieFor(1, false)
      return store.state(rawState('device-key'))
    },
    expected: 'a-key-of-before',
  },
  'private-feeds': {
    text: '["/feeds/all","/feeds/category/Caf%c3%a9"]',
    shows: async (store) => [...(await readPrivateFeeds(store))],
    expected: ['/feeds/all', '/feeds/category/Caf%C3%A9'],
  },
  'address-rules': {
    text: '[{"name":"a","match":"a.example/{x}","give":["https://b.example/{x}"],"ownerId":null},{"name":"b","match":"b.example","give":["https://c.example/"],"ownerId":7}]',
    shows: async (store) => (await rulesFor(7, store)).map(({ name }) => name),
    expected: ['b', 'a'],
    fallback: [],
  },
  'item-rules': {
    text: '{"next":3,"rules":[{"id":2,"userId":7,"place":{"kind":"category","category":"News"},"words":["a"],"action":"mute","tag":null}]}',
    shows: async (store) => (await store.state(ITEM_RULES)).rules.map(({ id }) => id),
    expected: [2],
    fallback: [],
  },
  'item-rules-cursor': {
    text: '12',
    shows: (store) => store.state(RULES_CURSOR),
    expected: 12,
    fallback: null,
  },
  'live-lists': {
    text: '[{"url":"https://a.example/l.opml","category":null,"members":{"https://b.example/":["C"]},"left":[],"etag":null,"lastModified":null,"checkedAt":5,"failure":null}]',
    shows: async (store) => (await store.state(LIVE_LISTS)).map(({ url }) => url),
    expected: ['https://a.example/l.opml'],
    fallback: [],
  },
  'site-rules': {
    text: '[{"name":"a","hosts":["a.example"],"content":["main"]},{"name":"b","hosts":["b.example"],"content":["div["]}]',
    shows: async (store) => (await store.state(EXTRACTION_RULES)).map(({ name }) => name),
    expected: ['a'],
    fallback: [],
  },
  address: {
    text: 'http://127.0.0.1:4321/',
    shows: (store) => nodeAddress({ host: 'h', port: 1 } as Parameters<typeof nodeAddress>[0], store),
    expected: 'http://127.0.0.1:4321',
  },
  'mail-domain': {
    text: 'letters.example',
    shows: (store) => knownMailDomain({ mailDomain: undefined, publicUrl: 'https://n.example/' }, store),
    expected: 'letters.example',
  },
  'database-check': {
    text: '{"checkedAt":5,"tookMs":6,"faults":["page 3"]}',
    shows: async (store) => {
      const everyMs = () => 0
      const check = createDatabaseCheck({
        store,
        everyMs,
        clock,
        alarms: createAlarms({ clock }),
        look: async () => [],
      })
      const stop = new AbortController()
      const running = check.layer.run(stop.signal, () => {})
      await clock.pass(1)
      stop.abort()
      await running
      return check.verdict()?.faults ?? null
    },
    expected: ['page 3'],
    fallback: null,
  },
}

const rows = Object.entries(ROWS) as [StateName, Row][]
let folder: string
let store: Store
let reports: string[]

async function openWith(name: StateName, text: string): Promise<void> {
  const path = join(folder, 'headwater.db')
  await (await openSqliteStore({ path, clock })).store.close()
  const db = new Database(path)
  db.prepare('INSERT INTO node_state (key, value) VALUES (?, ?)').run(name, text)
  db.close()
  store = (await openSqliteStore({ path, clock, onUnreadableState: (state) => reports.push(state.name) })).store
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-states-'))
  reports = []
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('what an earlier version has stored', () => {
  it.each(rows)('as %s is read', async (name, { text, shows, expected }) => {
    await openWith(name, text)
    expect(await shows(store)).toEqual(expected)
    expect(reports).toEqual(name === 'posting-clusters' ? [name] : [])
  })

  it.each(rows.filter(([, row]) => row.fallback !== undefined))(
    'as %s and was damaged is forgotten, and said to be',
    async (name, { shows, fallback }) => {
      await openWith(name, '{"v":1,"half of')
      expect(await shows(store)).toEqual(fallback)
      expect(reports).toEqual([name])
    },
  )

  it('to hide feeds and was damaged opens none of them', async () => {
    await openWith('private-feeds', '["/feeds/al')
    await expect(readPrivateFeeds(store)).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
  })
})
