import { createHash } from 'node:crypto'
import { HeadwaterError } from '../../runtime/errors.ts'
import { digestOf, type TableDigest } from './digest.ts'
import { LAST_NUMBERS, TRANSFER_TABLES, type TransferTable } from './tables.ts'
import type { MoveProgress, Transfer } from './transfer.ts'

export interface MoveOptions {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: (step: MoveStep) => void
  /** For what is not in the store itself; from here on no node opens the target. Done again by each run. */
  readonly afterBegin?: () => Promise<void>
}

export interface MoveStep {
  readonly phase: 'copy' | 'verify'
  readonly table: string
  /** Rows done in this phase, by this run and those before it, of so many. */
  readonly rows: number
  readonly total: number
}

export interface MoveResult {
  /** By table, in both stores alike. */
  readonly tables: Readonly<Record<string, TableDigest>>
  readonly rows: number
  /** Rows that an earlier run had copied. */
  readonly resumedAfter: number
}

/**
 * Copies one store into another and compares both. It may end at any point, however that comes: done again, it goes on where it
 * was, or begins anew where the store that is moved from has changed since.
 */
export async function moveStore(from: Transfer, to: Transfer, options: MoveOptions = {}): Promise<MoveResult> {
  const totals = await countAll(from)
  const began = await beginOrResume(from, to)
  await options.afterBegin?.()
  const resumedAfter = await copy(from, to, began, totals, options)
  await to.derive()
  const tables = await verify(from, to, began.from, totals, options)
  await to.end()
  return { tables, rows: totals.all, resumedAfter }
}

interface Totals {
  readonly of: ReadonlyMap<string, number>
  readonly all: number
}

async function countAll(from: Transfer): Promise<Totals> {
  const of = new Map<string, number>()
  let all = 0
  for (const table of TRANSFER_TABLES) {
    const count = await from.count(table)
    of.set(table.name, count)
    all += count
  }
  return { of, all }
}

async function beginOrResume(from: Transfer, to: Transfer): Promise<MoveProgress> {
  const present = await stampOf(from)
  const progress = await to.progress()
  if (progress?.from === present) return progress
  if (progress === null) await refuseData(to)
  const begun: MoveProgress = { from: present, table: TRANSFER_TABLES[0]?.name ?? null, after: null }
  await to.begin(begun)
  return begun
}

/** Changes whenever something is added that has a number, and with every setting. What it does not show the comparison does. */
async function stampOf(from: Transfer): Promise<string> {
  const hash = createHash('sha256').update(from.name)
  for (const name of [LAST_NUMBERS.name, 'counter']) {
    const table = tableNamed(name)
    hash.update((await digestOf(from, table)).sum)
  }
  hash.update(String(await from.count(tableNamed('observation'))))
  return hash.digest('hex').slice(0, 32)
}

function tableNamed(name: string): TransferTable {
  const table = TRANSFER_TABLES.find((one) => one.name === name)
  if (table === undefined) throw new Error(`no rows ${name} are moved`)
  return table
}

/** What every store has from its beginning. */
const ALWAYS_THERE = [LAST_NUMBERS.name, 'counter']

async function refuseData(to: Transfer): Promise<void> {
  for (const table of TRANSFER_TABLES) {
    if (ALWAYS_THERE.includes(table.name)) continue
    const rows = await to.count(table)
    if (rows > 0) throw new HeadwaterError('MOVE_TARGET_USED', `${to.name} (${table.name}: ${rows})`)
  }
}

/** Returns how many rows were there already. */
async function copy(
  from: Transfer,
  to: Transfer,
  began: MoveProgress,
  totals: Totals,
  { signal, onProgress }: MoveOptions,
): Promise<number> {
  const first = TRANSFER_TABLES.findIndex(({ name }) => name === began.table)
  if (first === -1) return totals.all
  let rows = await countBefore(to, first)
  const resumedAfter = rows
  for (const [at, table] of TRANSFER_TABLES.entries()) {
    if (at < first) continue
    const following = TRANSFER_TABLES[at + 1]?.name ?? null
    let after = at === first ? began.after : null
    for (let isMore = true; isMore; ) {
      if (signal?.aborted) throw new HeadwaterError('INTERRUPTED', `${rows} of ${totals.all} rows are moved`)
      const page = await from.read(table, after)
      const place = page.next === null ? { table: following, after: null } : { table: table.name, after: page.next }
      await to.write(table, page.rows, { from: began.from, ...place })
      rows += page.rows.length
      onProgress?.({ phase: 'copy', table: table.name, rows, total: totals.all })
      after = page.next
      isMore = after !== null
    }
  }
  return resumedAfter
}

async function countBefore(to: Transfer, first: number): Promise<number> {
  let rows = 0
  for (const table of TRANSFER_TABLES.slice(0, first + 1)) {
    if (!ALWAYS_THERE.includes(table.name)) rows += await to.count(table)
  }
  return rows
}

/** Both are read again, whole. Where they differ, the next run begins anew. */
async function verify(
  from: Transfer,
  to: Transfer,
  stamp: string,
  totals: Totals,
  { signal, onProgress }: MoveOptions,
): Promise<Record<string, TableDigest>> {
  const tables: Record<string, TableDigest> = {}
  let rows = 0
  for (const table of TRANSFER_TABLES) {
    if (signal?.aborted) throw new HeadwaterError('INTERRUPTED', 'all is moved, but not yet compared')
    const tick = (more: number) => {
      rows += more
      onProgress?.({ phase: 'verify', table: table.name, rows, total: totals.all })
    }
    const [given, taken] = await Promise.all([digestOf(from, table, tick), digestOf(to, table)])
    if (given.rows !== taken.rows || given.sum !== taken.sum) {
      await to.write(table, [], { from: `unlike ${stamp}`, table: null, after: null })
      throw new HeadwaterError('MOVE_UNEQUAL', differenceOf(table, given, taken))
    }
    tables[table.name] = taken
  }
  return tables
}

function differenceOf({ name }: TransferTable, given: TableDigest, taken: TableDigest): string {
  if (given.rows !== taken.rows) return `${name}: ${given.rows} rows there, ${taken.rows} here`
  return `${name}: of ${given.rows} rows, some are not the same`
}
