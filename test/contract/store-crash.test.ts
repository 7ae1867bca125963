import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { afterAll, describe, expect, it } from 'vitest'
import type { Random } from '../../src/model/index.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import { ALL, hex } from './store.fixture.ts'

const KILLS = 10
const CHILD = fileURLToPath(new URL('./store-crash.child.ts', import.meta.url))

interface Reported {
  /** Names of the items stored, with the number of the worker (and source). */
  readonly stored: Map<string, number>
  readonly read: string[]
  cursor: number
}

describe('a store whose process is killed', () => {
  const dir = mkdtempSync(join(tmpdir(), 'headwater-crash-'))
  const path = join(dir, 'headwater.db')
  afterAll(() => rmSync(dir, { recursive: true, force: true }))

  it(`has all that was acknowledged, once, after each of ${KILLS} kills`, async () => {
    const random = seededRandom(20_240_101)
    const reported: Reported = { stored: new Map(), read: [], cursor: 0 }
    for (let run = 0; run < KILLS; run++) {
      await runAndKill(path, run, random, reported)
      expect(integrityOf(path)).toBe('ok')
      await check(path, reported)
    }
    expect(reported.stored.size).toBeGreaterThan(KILLS * 3)
  })
})

/** Kills the child some lines after its first, in the middle of whatever it does then. */
async function runAndKill(path: string, run: number, random: Random, reported: Reported): Promise<void> {
  const child = spawn(process.execPath, ['--import', 'tsx', CHILD, path, `k${run}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  let linesLeft = 1 + Math.floor(random() * 200)
  const delayMs = random() * 5
  for await (const line of createInterface({ input: child.stdout })) {
    note(line, reported)
    linesLeft -= 1
    if (linesLeft === 0) void systemClock.sleep(delayMs).then(() => child.kill('SIGKILL'))
  }
  const [, signal] = await exited
  expect(signal).toBe('SIGKILL')
}

function note(line: string, reported: Reported): void {
  const [kind, number, ...names] = line.split(' ')
  // The last line may be cut short by the kill.
  if (kind === 'stored' && names.length === 3) for (const name of names) reported.stored.set(name, Number(number))
  if (kind === 'read') {
    reported.cursor = Math.max(reported.cursor, Number(number))
    reported.read.push(...names)
  }
}

function integrityOf(path: string): unknown {
  const db = new Database(path)
  try {
    db.exec("INSERT INTO item_text (item_text) VALUES ('integrity-check')")
    return db.pragma('integrity_check', { simple: true })
  } finally {
    db.close()
  }
}

async function check(path: string, reported: Reported): Promise<void> {
  const { store, buffer } = await openSqliteStore({ path, clock: systemClock })
  try {
    const items = await store.items({ scope: ALL, limit: 1_000_000 })
    const titles = items.map(({ title }) => title)
    expect(new Set(titles).size).toBe(titles.length)
    expect((await store.counts()).items).toBe(titles.length)
    const missing = [...reported.stored.keys()].filter((name) => !titles.includes(name))
    expect(missing).toEqual([])
    const last = [...reported.stored].at(-1)!
    expect((await store.knownItems(last[1] + 1, [hex(last[0])])).size).toBe(1)
    expect(await store.items({ scope: ALL, limit: 9, text: `"${last[0]}"` })).toHaveLength(1)

    const waiting = await buffer.read('reader', 1_000_000)
    expect(waiting.every(({ cursor }) => cursor > reported.cursor)).toBe(true)
    // Read and acknowledged, or still waiting: nothing fell between, and nothing that was acknowledged comes again.
    const seenTitles = [...reported.read, ...waiting.map(({ item }) => item.title!)]
    const last7 = titles.length - new Set(seenTitles).size
    expect(last7, 'entries acknowledged in the moment of a kill, at most one batch a run').toBeLessThanOrEqual(
      7 * KILLS,
    )
    expect(new Set(seenTitles).size).toBe(seenTitles.length)
  } finally {
    await store.close()
  }
}
