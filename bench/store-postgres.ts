import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { entryAt } from '../src/model/entry-at.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { seededRandom } from '../src/runtime/random.ts'
import { openPostgresStore } from '../src/store/postgres/index.ts'
import type { Store } from '../src/store/store.ts'
import { median, roundToPrecision } from './rounds.ts'
import type { ServerCpu } from './server-cpu.ts'
import { itemMaker } from './store-items.ts'
import { type Meter, openEmpty } from './store-meter.ts'
import { addSources, refreshRecord } from './store-records.ts'
import { benchWriters } from './store-writers.ts'

const SOURCES = 1_024
const ITEMS_PER_SOURCE = 20
const GROUP = 64
const LIMITS = { itemMicros: 100, refreshMicros: 40, writersMicros: 150, waitingShare: 0.2 }

export interface PostgresBenchOptions {
  readonly store: string
  readonly rounds?: number
  /** Of each run of the writers. */
  readonly seconds?: number
  readonly sources?: number
}

/** null: it cannot be known, because the server is elsewhere. */
const verdict = (value: number | null, atMost: number) => ({
  value: value === null ? null : roundToPrecision(value),
  atMost,
  ok: value === null ? null : value <= atMost,
})

/** What a store in PostgreSQL costs its server. It works in the database that is given, which must be empty. */
export async function benchPostgresStore(options: PostgresBenchOptions): Promise<object> {
  const meter = await openEmpty(options.store)
  const folder = mkdtempSync(join(tmpdir(), 'headwater-bench-'))
  try {
    const keyFile = join(folder, 'bench.key')
    const alone = await benchAlone(options, keyFile, meter)
    const writers = await benchWriters({ url: options.store, keyFile, seconds: options.seconds ?? 10, meter })
    const { full, paced } = writers
    return {
      server: meter.version,
      cpu: meter.isLocal ? 'of the server, from /proc' : 'the server is on another machine: its CPU time is not known',
      cpuMicrosPerItem: {
        ...verdict(alone.item.backends, LIMITS.itemMicros),
        background: shown(alone.item.background),
      },
      cpuMicrosPerItemWithFullText: shown(alone.text),
      cpuMicrosPerUnchangedRefresh: {
        ...verdict(alone.refresh.backends, LIMITS.refreshMicros),
        background: shown(alone.refresh.background),
        group: GROUP,
      },
      itemsPerSecond: roundToPrecision(alone.itemsPerSecond),
      writers: {
        processes: full.processes,
        itemsPerRefresh: full.itemsPerRefresh,
        cpuMicrosPerItem: {
          ...verdict(full.cpuMicros, LIMITS.writersMicros),
          background: shown(full.backgroundMicros),
        },
        itemsPerSecond: roundToPrecision(full.itemsPerSecond),
        waitingForLog: {
          ...verdict(paced.waitingShare, LIMITS.waitingShare),
          itemsPerSecond: roundToPrecision(paced.itemsPerSecond),
          mostOfOneConnection: roundToPrecision(paced.mostWaitingShare),
          atFullSpeed: roundToPrecision(full.waitingShare),
        },
        gaps: { ...verdict(full.gaps + paced.gaps, 0), itemsRead: full.read + paced.read },
      },
    }
  } finally {
    await meter.dropAll()
    await meter.end()
    rmSync(folder, { recursive: true, force: true })
  }
}

const shown = (micros: number | null) => (micros === null ? null : roundToPrecision(micros))

interface Micros {
  readonly backends: number | null
  readonly background: number | null
}

async function benchAlone(options: PostgresBenchOptions, keyFile: string, meter: Meter) {
  const { store } = await openPostgresStore({ url: options.store, clock: systemClock, keyFile })
  const make = itemMaker(seededRandom(1))
  const count = options.sources ?? SOURCES
  const sources = await addSources(store, count)
  const feeds = sources.map(({ id }) => Array.from({ length: ITEMS_PER_SOURCE }, (_, index) => make(id, index)))
  const record = async (at: number, news: boolean) => {
    for (let from = 0; from < count; from += GROUP) {
      const group = sources.slice(from, from + GROUP)
      const work = group.map((source, index) =>
        store.recordRefresh(refreshRecord(source, news ? entryAt(feeds, from + index) : [], at)),
      )
      await Promise.all(work)
    }
  }
  // Plans of statements are made, and pages of tables read.
  await record(1, false)
  const items = count * ITEMS_PER_SOURCE
  let stored: ServerCpu | null = null
  let wallMs = 0
  await meter.withoutFullText(async () => {
    const began = systemClock.monotonicMs()
    stored = await meter.cost(() => record(2, true))
    wallMs = systemClock.monotonicMs() - began
  })
  const indexed = await meter.cost(() => complete(store))
  const rounds: Micros[] = []
  for (let round = 0; round < Math.max(5, options.rounds ?? 5); round++) {
    const cost = await meter.cost(async () => {
      for (let turn = 0; turn < 3; turn++) await record(3 + round * 3 + turn, false)
    })
    rounds.push(microsOf(cost, count * 3))
  }
  await store.close()
  const item = microsOf(stored, items)
  const text = microsOf(indexed, items).backends
  return {
    item,
    text: item.backends === null || text === null ? null : item.backends + text,
    refresh: { backends: medianOf(rounds, 'backends'), background: medianOf(rounds, 'background') },
    itemsPerSecond: (items * 1_000) / wallMs,
  }
}

/** A search brings the full-text index up to date. */
async function complete(store: Store): Promise<void> {
  await store.items({ scope: { kind: 'all' }, text: 'complete', limit: 1 })
}

function microsOf(cost: ServerCpu | null, count: number): Micros {
  if (cost === null) return { backends: null, background: null }
  return { backends: (cost.backendsMs * 1_000) / count, background: (cost.backgroundMs * 1_000) / count }
}

function medianOf(rounds: readonly Micros[], which: keyof Micros): number | null {
  const values = rounds.flatMap((round) => round[which] ?? [])
  return values.length === 0 ? null : median(values)
}
