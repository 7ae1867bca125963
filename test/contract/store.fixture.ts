import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withSourceDefaults } from '../../src/app/sources/import-sources.ts'
import type { ItemBuffer } from '../../src/buffer/buffer.ts'
import type { Notifier } from '../../src/buffer/notifier.ts'
import type { LeaseStore } from '../../src/cluster/lease-store.ts'
import { createMemoryLeases } from '../../src/cluster/memory/leases.ts'
import {
  BLANK_ITEM,
  type Observation,
  type Source,
  type SourceSettings,
  type WindowEntry,
} from '../../src/model/index.ts'
import { type Clock, systemClock } from '../../src/runtime/clock.ts'
import { createMemoryStore } from '../../src/store/memory/index.ts'
import type { ReportState } from '../../src/store/node-state.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import type { ChangedItem, NewItem, RefreshRecord, Store } from '../../src/store/store.ts'
import { postgresAdapter } from '../support/postgres-adapter.ts'

export const START = Date.UTC(2024, 0, 1)

export interface OpenStore {
  readonly store: Store
  readonly buffer: ItemBuffer
  readonly notifier: Notifier
  /** Of the members on this store; absent: it is for one process. */
  readonly leases?: LeaseStore
}

export interface OpenOptions {
  readonly bufferCapacity?: number
  /** Of the buffer's readers and waits; absent: the system's. */
  readonly clock?: Clock
  readonly onUnreadableState?: ReportState
}

export interface Opening extends OpenStore {
  /** By which another process finds the same data (see `join`); null: it cannot. */
  readonly address: string | null
  /** Opens the same data once more, at the same time or after closing. */
  again(): Promise<OpenStore>
  /** A statement of SQL, where it is asked from beside. */
  run?(sql: string): Promise<unknown>
  /** Closes all that was opened, and removes the data. */
  end(): Promise<void>
}

/** One adapter as the suites see it. What lives in one process only has nothing to open again. */
export interface Adapter {
  readonly name: string
  /** Why it cannot be tried here, as where its server does not run. Its suites are skipped then, and say so. */
  readonly skipReason?: string
  readonly persistent: boolean
  /** Opens an empty store. */
  open(options?: OpenOptions): Promise<Opening>
  /** In another process: opens the data that `open` has made. */
  join(address: string): Promise<OpenStore>
}

const memoryWith = (name: string, step: number): Adapter => ({
  name,
  persistent: false,
  async open(options = {}) {
    const leases = createMemoryLeases(() => systemClock.now())
    const opened = { ...createMemoryStore({ clock: systemClock, step, leases, ...options }), leases }
    return { ...opened, address: null, again: async () => opened, end: async () => {} }
  },
  join: () => Promise.reject(new Error('what is in the memory of one process cannot be joined by another')),
})

export const memoryAdapter = memoryWith('memory', 1)

/** Gives numbers with gaps where the contract allows it, as a database with many writers does. */
const sparseAdapter = memoryWith('memory with gaps', 7)

export const sqliteAdapter: Adapter = {
  name: 'sqlite',
  persistent: true,
  async open(options = {}) {
    const dir = mkdtempSync(join(tmpdir(), 'headwater-store-'))
    const address = join(dir, 'headwater.db')
    const openings: OpenStore[] = []
    const again = async () => {
      const opened = await openSqliteStore({ path: address, clock: systemClock, ...options })
      openings.push(opened)
      return opened
    }
    const end = async () => {
      for (const { store } of openings) await store.close()
      rmSync(dir, { recursive: true, force: true })
    }
    return { ...(await again()), address, again, end }
  },
  join: (address) => openSqliteStore({ path: address, clock: systemClock }),
}

/** All that the suites are run over; a new adapter is one more row. The first is what the others are compared with. */
export const STORE_ADAPTERS: readonly [Adapter, ...Adapter[]] = [
  memoryAdapter,
  sparseAdapter,
  sqliteAdapter,
  postgresAdapter,
]

export function settings(url: string, more: Partial<SourceSettings> = {}): SourceSettings {
  return withSourceDefaults({ url, ...more })
}

/** A name as the 32 hex digits of a key or hash. */
export function hex(name: string): string {
  return Buffer.from(name.padEnd(16, '.')).toString('hex').slice(0, 32)
}

export function newItem(name: string, more: Partial<NewItem> = {}): NewItem {
  const times = { firstSeenAt: START, sortAt: START }
  return { ...BLANK_ITEM, title: name, key: hex(name), contentHash: hex(`${name}1`), ...times, ...more }
}

export function changedItem(name: string, more: Partial<ChangedItem> = {}): ChangedItem {
  const edit = { contentHash: hex(`${name}2`), changedAt: START + 1 }
  return { ...BLANK_ITEM, title: `${name} edited`, key: hex(name), ...edit, ...more }
}

export function windowOf(...names: string[]): WindowEntry[] {
  return names.map((name) => ({ key: hex(name), contentHash: hex(`${name}1`), alias: null, published: null }))
}

export function observation(sourceId: number, at: number, more: Partial<Observation> = {}): Observation {
  return {
    sourceId,
    previousAt: null,
    at,
    newItems: 0,
    windowSize: null,
    overlap: 'some',
    lostAtLeast: 0,
    itemTimes: [],
    notModified: false,
    bytes: 0,
    latencyMs: 0,
    ...more,
  }
}

export function record(source: Source, more: Partial<RefreshRecord> = {}): RefreshRecord {
  return {
    sourceId: source.id,
    state: { ...source.state, status: 'active' },
    movedTo: null,
    observation: null,
    renamedItems: [],
    intake: null,
    newItems: [],
    changedItems: [],
    ...more,
  }
}

export async function addOne(store: Store, url: string, more: Partial<SourceSettings> = {}): Promise<Source> {
  const [answer] = await store.addSources([settings(url, more)], START)
  return answer!.source
}

export const ALL = { kind: 'all' } as const
