import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { type FileHandle, open, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import Database from 'better-sqlite3'
import { BESIDE_POLLING } from '../../src/api/beside-polling.ts'
import { DAY_MS, type DurationMs, HOUR_MS, MINUTE_MS } from '../../src/model/index.ts'
import { startThread } from '../../src/runtime/start-thread.ts'
import { packWindow, unpackWindow } from '../../src/store/rows/windows.ts'

/** Made by the build (main.ts); absent where the program runs from its sources. */
const pathOf = (name: string) => fileURLToPath(new URL(`./${name}.br`, import.meta.url))
const BASE = 'past.db'
const stageName = (stage: number) => `past-${stage}.pages`
const PARAMS = { [constants.BROTLI_PARAM_QUALITY]: 7, [constants.BROTLI_PARAM_LGWIN]: 24 }
/** Of a page in a file of changes: its number before it. */
const NUMBER_BYTES = 4

/** What a demo begins with: the past, some stages of its first day, and where in time and on which port it is to be. */
export interface MovedPast {
  readonly databasePath: string
  readonly stages: number
  readonly byMs: DurationMs
  readonly port: { readonly from: number; readonly to: number }
}

/** Unpacks and moves it in another thread. */
export async function putPast(past: MovedPast): Promise<void> {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const thread = startThread(new URL(`./past-thread.${extension}`, import.meta.url), { workerData: past })
  const [code] = await once(thread, 'exit')
  if (code !== 0) throw new Error(`the past of the demo could not be unpacked (${code})`)
}

export function hasSnapshot(): boolean {
  return existsSync(pathOf(BASE))
}

/** The database as it is when the past ends, or as it is a stage later: then the pages that have changed since the stage before. */
export async function writeSnapshot(databasePath: string, stage: number, before: Buffer | null): Promise<Buffer> {
  const now = await readFile(databasePath)
  const content = before === null ? now : changedPages(before, now)
  const name = before === null ? BASE : stageName(stage)
  await writeFile(pathOf(name), await compress(content, { params: PARAMS }))
  return now
}

/** The database as it was this many stages after the end of the past. */
export async function readSnapshot(databasePath: string, stages: number): Promise<void> {
  const names = Array.from({ length: stages }, (_, index) => stageName(index + 1))
  const [base, ...changes] = await Promise.all(
    [BASE, ...names].map(async (name) => decompress(await readFile(pathOf(name)))),
  )
  const file = await open(databasePath, 'wx', 0o600)
  try {
    await file.write(base!)
    for (const change of changes) await writePages(file, change, pageSizeOf(base!))
  } finally {
    await file.close()
  }
}

const compress = promisify(brotliCompress)
const decompress = promisify(brotliDecompress)

/** As the file says at its beginning (sqlite.org/fileformat2.html, 1.3.2). */
function pageSizeOf(database: Buffer): number {
  const size = database.readUInt16BE(16)
  return size === 1 ? 65_536 : size
}

function changedPages(before: Buffer, now: Buffer): Buffer {
  const size = pageSizeOf(now)
  const parts: Buffer[] = []
  for (let page = 0; page * size < now.length; page++) {
    const content = now.subarray(page * size, (page + 1) * size)
    if (content.equals(before.subarray(page * size, (page + 1) * size))) continue
    const number = Buffer.alloc(NUMBER_BYTES)
    number.writeUInt32BE(page)
    parts.push(number, content)
  }
  return Buffer.concat(parts)
}

async function writePages(file: FileHandle, pages: Buffer, size: number): Promise<void> {
  for (let at = 0; at < pages.length; at += NUMBER_BYTES + size) {
    const content = pages.subarray(at + NUMBER_BYTES, at + NUMBER_BYTES + size)
    await file.write(content, 0, size, pages.readUInt32BE(at) * size)
  }
}

const MOMENTS: Readonly<Record<string, readonly string[]>> = {
  source: ['added_at'],
  source_state: ['last_check_at', 'next_check_at', 'last_success_at', 'last_new_item_at'],
  item: ['sort_at', 'first_seen_at', 'changed_at', 'published', 'updated'],
  observation: ['previous_at'],
  model: ['learnt_at', 'relearnt_at'],
}
/** Documents with moments in them. */
const DOCUMENTS: Readonly<Record<string, string>> = { source_state: 'rest', observation: 'item_times' }
/** Those that tell rows apart, with their unit; -1 stands for all hours. */
const KEYS: Readonly<Record<string, readonly [column: string, unitMs: DurationMs]>> = {
  observation: ['at', 1],
  quality_hour: ['hour', HOUR_MS],
  quality_delay: ['hour', HOUR_MS],
  source_day: ['day', DAY_MS],
}
const FAR = 1e13
/** Where addresses of the world are. */
const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  source: ['url'],
  source_state: ['site_url', 'rest'],
  item: ['link', 'rest', 'summary', 'content'],
}

/** Moves the past of a demo by whole days, and to another port of the world. */
export function moveSnapshot(databasePath: string, byMs: DurationMs, port: { from: number; to: number }): void {
  const database = new Database(databasePath)
  try {
    // Nobody has it yet: what fails here is made anew.
    database.pragma('journal_mode = OFF')
    database.pragma('synchronous = OFF')
    database.function('moved', (text: unknown) => (typeof text === 'string' ? movedText(text, byMs) : text))
    database.transaction(() => {
      for (const statement of statementsFor(byMs)) database.exec(statement)
      moveSchedule(database, byMs)
      movePolling(database)
      turnWeeks(database, byMs)
      moveWindows(database, byMs)
      if (port.from !== port.to) for (const statement of portStatements(port)) database.exec(statement)
    })()
  } finally {
    database.close()
  }
}

function statementsFor(byMs: DurationMs): readonly string[] {
  const moments = Object.entries(MOMENTS).map(
    ([table, columns]) =>
      `UPDATE ${table} SET ${columns.map((column) => `${column} = ${column} + ${byMs}`).join(', ')}`,
  )
  const documents = Object.entries(DOCUMENTS).map(
    ([table, column]) => `UPDATE ${table} SET ${column} = moved(${column})`,
  )
  // By way of a far future, or a row would meet the next one.
  const keys = Object.entries(KEYS).flatMap(([table, [column, unitMs]]) => {
    return [
      `UPDATE ${table} SET ${column} = ${column} + ${FAR} WHERE ${column} >= 0`,
      `UPDATE ${table} SET ${column} = ${column} - ${FAR - byMs / unitMs} WHERE ${column} >= 0`,
    ]
  })
  return [...moments, ...documents, ...keys]
}

/** Milliseconds since 1970 have thirteen digits until 2286, and nothing else here has. */
function movedText(text: string, byMs: DurationMs): string {
  return text.replace(/(?<![\d.])1\d{12}(?![\d.])/g, (digits) => String(Number(digits) + byMs))
}

/** What was spent is remembered by the minute. */
function moveSchedule(database: Database.Database, byMs: DurationMs): void {
  const row = database.prepare(`SELECT value FROM node_state WHERE key = 'schedule'`).get() as
    | { value: string }
    | undefined
  if (row === undefined) return
  const state = JSON.parse(movedText(row.value, byMs)) as { minutes?: [number, number][] }
  const minutes = state.minutes?.map(([minute, requests]) => [minute + byMs / MINUTE_MS, requests])
  database.prepare(`UPDATE node_state SET value = ? WHERE key = 'schedule'`).run(JSON.stringify({ ...state, minutes }))
}

function movePolling(database: Database.Database): void {
  database.prepare('UPDATE node_state SET value = moved(value) WHERE key = ?').run(BESIDE_POLLING.name)
}

/** Where a packed model of foresight counts the days of the week (src/refresh/strategies/foresight/pack.ts). */
const DAYS_AT = 40
const DAYS = 7

/** Days of the week are others after the move. */
function turnWeeks(database: Database.Database, byMs: DurationMs): void {
  const byDays = (((byMs / DAY_MS) % DAYS) + DAYS) % DAYS
  const rows = database.prepare('SELECT source_id AS id, state FROM model').all() as { id: number; state: Buffer }[]
  const update = database.prepare('UPDATE model SET state = ? WHERE source_id = ?')
  for (const { id, state } of rows) {
    const turned = Buffer.from(state)
    for (let day = 0; day < DAYS; day++) turned[DAYS_AT + ((day + byDays) % DAYS)] = state[DAYS_AT + day] ?? 0
    update.run(turned, id)
  }
}

/** Dates of what a feed showed last: were they others than what it shows next, its dates would be believed no more. */
function moveWindows(database: Database.Database, byMs: DurationMs): void {
  const rows = database.prepare('SELECT source_id AS id, entries FROM source_window').all() as {
    id: number
    entries: Buffer | string
  }[]
  const update = database.prepare('UPDATE source_window SET entries = ? WHERE source_id = ?')
  for (const { id, entries } of rows) {
    const moved = unpackWindow(entries).map((entry) => ({
      ...entry,
      published: entry.published === null ? null : entry.published + byMs,
    }))
    update.run(packWindow(moved), id)
  }
}

function portStatements({ from, to }: { from: number; to: number }): readonly string[] {
  return Object.entries(ADDRESSES).flatMap(([table, columns]) =>
    columns.map((column) => `UPDATE ${table} SET ${column} = replace(${column}, ':${from}/', ':${to}/')`),
  )
}
