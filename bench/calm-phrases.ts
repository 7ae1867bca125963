import { join } from 'node:path'
import Database from 'better-sqlite3'
import { DATABASE_FILE, openData } from '../src/app/data/data.ts'
import { loadConfig } from '../src/app/settings/config.ts'
import { entryAt } from '../src/model/entry-at.ts'
import { systemClock } from '../src/runtime/clock.ts'
import type { Store } from '../src/store/store.ts'
import { createIndexTexts } from '../src/store/text/index-text.ts'
import { searchableTexts } from '../src/store/text/match.ts'
import { measureCost, median, roundToPrecision } from './rounds.ts'

export interface PhraseFigures {
  readonly phrase: string
  readonly found: number
  readonly ownCpuMs: number
  readonly fts5CpuMs: number
  readonly ratio: number
}

const PAGE = 50
/** Of seven the median swung by a quarter: threads that have just begun still compile. */
const ROUNDS = 41
const BATCH = 1_000
const LOOK_EVERY_MS = 500
const QUIET_CPU_MS = 20
const QUIET_TIMES = 4
/** A word between two texts of an item: a phrase does not reach over it. */
const BORDER = 'zzborderzz'

/** CPU time of a page of a phrase's newest items: the archive's own search beside FTS5 with `detail=full` on the same texts. */
export async function comparePhrases(dataDir: string, phrases: readonly string[]): Promise<PhraseFigures[]> {
  const { store } = await openData(loadConfig(dataDir, {}, {}), systemClock, { hasThreads: true })
  const fts5 = await fullDetail(dataDir, store)
  try {
    // The first search for a phrase makes the archive ready for more of them.
    await own(store, entryAt(phrases, 0))
    await waitForIndex()
    const figures: PhraseFigures[] = []
    for (const phrase of phrases) figures.push(await compare(store, fts5, phrase))
    return figures
  } finally {
    fts5.close()
    await store.close()
  }
}

/** The first search for a phrase has filters made; until they are, the process works without a request. */
async function waitForIndex(): Promise<void> {
  for (let quiet = 0; quiet < QUIET_TIMES; ) {
    const { cpuMs } = await measureCost(() => systemClock.sleep(LOOK_EVERY_MS))
    quiet = cpuMs < QUIET_CPU_MS ? quiet + 1 : 0
  }
}

async function compare(store: Store, fts5: Database.Database, phrase: string): Promise<PhraseFigures> {
  const seqs = fts5.prepare<unknown[], number>(
    `SELECT item.seq FROM full_text CROSS JOIN archive.item AS item ON item.seq = full_text.rowid
     WHERE full_text MATCH ? ORDER BY sort_at DESC, item.seq DESC LIMIT ${PAGE}`,
  )
  const row = fts5.prepare('SELECT * FROM archive.item WHERE seq = ?')
  const theirs = () => {
    const found = seqs.pluck().all(`"${phrase}"`)
    for (const seq of found) row.get(seq)
    return found
  }
  const expected = theirs()
  const found = await own(store, phrase)
  if (JSON.stringify(found) !== JSON.stringify(expected)) throw new Error(`"${phrase}": not the same items`)
  const ownMs: number[] = []
  const fts5Ms: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    ownMs.push((await measureCost(() => own(store, phrase))).cpuMs)
    fts5Ms.push((await measureCost(async () => theirs())).cpuMs)
  }
  const [ownCpuMs, fts5CpuMs] = [median(ownMs), median(fts5Ms)]
  return {
    phrase,
    found: found.length,
    ownCpuMs: roundToPrecision(ownCpuMs),
    fts5CpuMs: roundToPrecision(fts5CpuMs),
    ratio: roundToPrecision(ownCpuMs / fts5CpuMs),
  }
}

async function own(store: Store, phrase: string): Promise<number[]> {
  const items = await store.items({ scope: { kind: 'all' }, text: `"${phrase}"`, limit: PAGE })
  return items.map(({ seq }) => seq)
}

/** The same folded texts, with the place of every word. */
async function fullDetail(dataDir: string, store: Store): Promise<Database.Database> {
  const db = new Database(join(dataDir, 'full-detail.db'))
  db.pragma('page_size = 16384')
  db.pragma('journal_mode = WAL')
  db.exec(`CREATE VIRTUAL TABLE full_text USING fts5(text, content = '', detail = full, tokenize = 'ascii');
    INSERT INTO full_text (full_text, rank) VALUES ('pgsz', 16000)`)
  const insert = db.prepare('INSERT INTO full_text (rowid, text) VALUES (?, CAST(? AS TEXT))')
  const texts = createIndexTexts()
  for (let after = 0; ; ) {
    const items = await store.itemsAfter(after, BATCH)
    if (items.length === 0) break
    db.transaction(() => {
      for (const item of items) {
        texts.clear()
        const parts = searchableTexts(item).flatMap((text) => [text, BORDER])
        insert.run(item.seq, texts.bytes(texts.add(parts)))
      }
    })()
    after = items.at(-1)!.seq
  }
  db.exec(`ATTACH '${join(dataDir, DATABASE_FILE)}' AS archive`)
  return db
}
