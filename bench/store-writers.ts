import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { NODE_READER } from '../src/buffer/buffer.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { LOCK_SPACE, LOCKS } from '../src/store/postgres/database/locks.ts'
import { openPostgresStore, type PostgresStore } from '../src/store/postgres/index.ts'
import type { Meter } from './store-meter.ts'
import { ITEMS_PER_REFRESH } from './store-records.ts'
import type { WriterTask } from './store-writer.child.ts'

const WRITERS = 8
/** All of them together, in the run that is not at full speed. */
const PACED_ITEMS_PER_SECOND = 1_000
const LOOK_EVERY_MS = 10
const READER = 'bench'

export interface WritersRun {
  readonly processes: number
  readonly itemsPerRefresh: number
  readonly itemsPerSecond: number
  /** null: the server is elsewhere. */
  readonly cpuMicros: number | null
  readonly backgroundMicros: number | null
  /** Of the time of a writer, how much it waited for the lock on the log: of all, and of the one that waited most. */
  readonly waitingShare: number
  readonly mostWaitingShare: number
  /** Items whose number does not follow that of the one before, or that were never seen. */
  readonly gaps: number
  readonly read: number
}

interface WritersOptions {
  readonly url: string
  readonly keyFile: string
  readonly seconds: number
  readonly meter: Meter
}

/** Eight processes store items through one log, while a reader follows: first as fast as they can, then at a stated pace. */
export async function benchWriters(options: WritersOptions): Promise<{ full: WritersRun; paced: WritersRun }> {
  const { url, keyFile, meter } = options
  const here = await openPostgresStore({ url, clock: systemClock, keyFile, connections: 2 })
  await here.buffer.register(READER, { from: 'end', ...NODE_READER })
  const writers = await Promise.all(Array.from({ length: WRITERS }, (_, index) => startWriter(url, keyFile, index)))
  try {
    let runs: { full: WritersRun; paced: WritersRun } | null = null
    await meter.withoutFullText(async () => {
      const full = await run(here, writers, options, null)
      runs = { full, paced: await run(here, writers, options, PACED_ITEMS_PER_SECOND / WRITERS) }
    })
    if (runs === null) throw new Error('both runs have ended')
    return runs
  } finally {
    for (const writer of writers) await stopWriter(writer)
    await here.store.close()
  }
}

async function run(
  { store, buffer }: PostgresStore,
  writers: readonly ChildProcess[],
  { seconds, meter }: WritersOptions,
  perSecond: number | null,
): Promise<WritersRun> {
  const first = await store.lastItemSeq()
  const end = new AbortController()
  const following = follow(buffer, first, end.signal)
  const waits = sampleWaits(meter, end.signal)
  let items = 0
  const began = systemClock.monotonicMs()
  const cost = await meter.cost(async () => {
    const task: WriterTask = { seconds, perSecond }
    const counts = await Promise.all(writers.map((writer) => ask(writer, task)))
    items = counts.reduce((sum, count) => sum + count, 0)
  })
  const wallMs = systemClock.monotonicMs() - began
  const stored = (await store.lastItemSeq()) - first
  end.abort()
  const { read, gaps } = await following
  return {
    processes: writers.length,
    itemsPerRefresh: ITEMS_PER_REFRESH,
    itemsPerSecond: (items * 1_000) / wallMs,
    cpuMicros: cost === null ? null : (cost.backendsMs * 1_000) / items,
    backgroundMicros: cost === null ? null : (cost.backgroundMs * 1_000) / items,
    ...(await waits),
    gaps: gaps + Math.abs(stored - items) + Math.abs(stored - read),
    read,
  }
}

/** Reads until told to stop and nothing is left. */
async function follow(
  buffer: PostgresStore['buffer'],
  first: number,
  signal: AbortSignal,
): Promise<{ readonly read: number; readonly gaps: number }> {
  let last = first
  let read = 0
  let gaps = 0
  for (;;) {
    const isEnd = signal.aborted
    const entries = await buffer.read(READER, 1_000, { parts: 'labels' })
    for (const { item } of entries) {
      if (item.seq !== last + 1) gaps++
      last = item.seq
    }
    read += entries.length
    const newest = entries.at(-1)
    if (newest !== undefined) await buffer.acknowledge(READER, newest.cursor)
    else if (isEnd) return { read, gaps }
    else await systemClock.sleep(LOOK_EVERY_MS)
  }
}

/** Looks again and again which writers wait for the lock on the log. */
async function sampleWaits(
  { query }: Meter,
  signal: AbortSignal,
): Promise<{ readonly waitingShare: number; readonly mostWaitingShare: number }> {
  const waited = new Map<number, number>()
  let looks = 0
  while (!signal.aborted) {
    const rows = await query(
      `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND classid = ${LOCK_SPACE} AND objid = ${LOCKS.log} AND NOT granted`,
    )
    looks++
    for (const { pid } of rows) waited.set(Number(pid), (waited.get(Number(pid)) ?? 0) + 1)
    await systemClock.sleep(LOOK_EVERY_MS)
  }
  const all = [...waited.values()].reduce((sum, count) => sum + count, 0)
  return {
    waitingShare: all / Math.max(1, looks) / WRITERS,
    mostWaitingShare: Math.max(0, ...waited.values()) / Math.max(1, looks),
  }
}

async function startWriter(url: string, keyFile: string, index: number): Promise<ChildProcess> {
  const isSource = import.meta.url.endsWith('.ts')
  const main = fileURLToPath(new URL(`./store-writer.child.${isSource ? 'ts' : 'js'}`, import.meta.url))
  const writer = fork(main, [url, keyFile, String(index)], { execArgv: isSource ? ['--import', 'tsx'] : [] })
  await answerOf(writer)
  return writer
}

async function ask(writer: ChildProcess, task: WriterTask): Promise<number> {
  const answer = answerOf(writer)
  writer.send(task)
  return answer
}

async function answerOf(writer: ChildProcess): Promise<number> {
  const [answer] = await Promise.race([
    once(writer, 'message'),
    once(writer, 'exit').then(([code]) => Promise.reject(new Error(`a writer ended with ${code}`))),
  ])
  return (answer as { readonly items: number }).items
}

async function stopWriter(writer: ChildProcess): Promise<void> {
  if (writer.exitCode !== null) return
  const exited = once(writer, 'exit')
  writer.disconnect()
  await exited
}
