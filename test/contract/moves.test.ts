import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/runtime/clock.ts'
import { lockDataFolder } from '../../src/store/sqlite/database/lock.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import type { MoveStep } from '../../src/store/transfer/move.ts'
import { fillStore } from '../support/full-world.ts'
import { answersOf, move, shareKey, withoutNul } from '../support/moves.ts'
import { keyFileOf, postgresAdapter } from '../support/postgres-adapter.ts'
import { Numbering } from './numbering.ts'
import { addOne, newItem, type Opening, type OpenStore, observation, record } from './store.fixture.ts'
import { type Action, anAction, answerOf } from './store-actions.ts'

let folder: string
let database: Opening
let url: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-move-'))
  database = await postgresAdapter.open()
  url = database.address ?? ''
  await database.store.close()
})
afterEach(async () => {
  await database.end()
  rmSync(folder, { recursive: true, force: true })
})

/** With the key of the database. */
const dirOf = (name: string, address = url) => {
  const dir = join(folder, name)
  mkdirSync(dir, { recursive: true })
  shareKey(dir, keyFileOf(address))
  return dir
}
const openFolder = (dir: string) => openSqliteStore({ path: join(dir, 'headwater.db'), clock: systemClock })

describe('a store that is moved', () => {
  it('answers everything as before: from a folder to PostgreSQL, and from there into another folder', async () => {
    const from = dirOf('from')
    const opened = await openFolder(from)
    await fillStore(opened)
    const before = await answersOf(opened)
    const there = await move(from, url)
    expect(there.rows).toBeGreaterThan(50)
    expect(withoutNul(await answersOf(await database.again()))).toEqual(withoutNul(before))
    const back = await move(url, dirOf('back'))
    expect(back.tables).toEqual(there.tables)
    expect(withoutNul(await answersOf(await openFolder(join(folder, 'back'))))).toEqual(withoutNul(before))
    const third = await move(join(folder, 'back'), dirOf('third'))
    expect(third.tables).toEqual(there.tables)
  })

  it('goes on as the other one would: numbers are never given again', async () => {
    const from = dirOf('from')
    const opened = await openFolder(from)
    await fillStore(opened)
    await opened.store.close()
    await move(from, url)
    const next = async (here: OpenStore) => {
      const source = await addOne(here.store, 'http://next/')
      await here.store.recordRefresh(
        record(source, { newItems: [newItem('next')], observation: observation(source.id, 1) }),
      )
      return answersOf(here)
    }
    expect(withoutNul(await next(await database.again()))).toEqual(withoutNul(await next(await openFolder(from))))
  })

  it('is the same whatever was done to it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anAction, { minLength: 5, maxLength: 30 }), async (actions) => {
        const here = await postgresAdapter.open()
        try {
          await here.store.close()
          const target = here.address ?? ''
          const from = dirOf(`from-${++count}`, target)
          const opened = await openFolder(from)
          await apply(opened, actions)
          const before = await answersOf(opened)
          await move(from, target)
          expect(await answersOf(await here.again())).toEqual(before)
          const back = dirOf(`back-${count}`, target)
          await move(target, back)
          expect(await answersOf(await openFolder(back))).toEqual(before)
        } finally {
          await here.end()
        }
      }),
      { numRuns: 10 },
    )
  })
})

let count = 0

async function apply(opened: OpenStore, actions: readonly Action[]): Promise<void> {
  const side = { ...opened, numbers: new Numbering() }
  for (const one of actions) side.numbers.placed(await answerOf(() => one(side)))
}

/** A disk that writes something else than it was given, once. */
async function spoilFolder(dir: string): Promise<{ undo(): Promise<void> }> {
  await (await openFolder(dir)).store.close()
  const run = (sql: string) => {
    const db = new Database(join(dir, 'headwater.db'))
    db.exec(sql)
    db.close()
  }
  run(
    "CREATE TRIGGER spoil AFTER INSERT ON item WHEN new.seq = 3 BEGIN UPDATE item SET title = 'spoilt' WHERE seq = 3; END",
  )
  return { undo: async () => run('DROP TRIGGER spoil') }
}

async function spoilDatabase({ run }: Opening): Promise<{ undo(): Promise<void> }> {
  await run?.(
    `CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN IF new.seq = 3 THEN new.title := 'spoilt'; END IF; RETURN new; END $$`,
  )
  await run?.('CREATE TRIGGER spoil BEFORE INSERT ON item FOR EACH ROW EXECUTE FUNCTION spoil()')
  return { undo: async () => void (await run?.('DROP FUNCTION spoil() CASCADE')) }
}

describe('a move', () => {
  const filled = async (name: string) => {
    const dir = dirOf(name)
    const opened = await openFolder(dir)
    await fillStore(opened)
    await opened.store.close()
    return dir
  }
  const codeOf = (run: Promise<unknown>) => answerOf(() => run)

  it('is refused while a node runs on either side', async () => {
    const from = await filled('from')
    const lock = lockDataFolder(from, 'crawler')
    expect(await codeOf(move(from, url))).toBe('STORE_LOCKED')
    lock.release()
    const node = await database.again()
    expect(await codeOf(move(from, url))).toBe('STORE_LOCKED')
    await node.store.close()
    const to = dirOf('to')
    const other = lockDataFolder(to)
    expect(await codeOf(move(from, to))).toBe('STORE_LOCKED')
    other.release()
    expect(await codeOf(move(from, to))).toMatchObject({ resumedAfter: 0 })
  })

  it('is refused where the target holds other data, settings or another key, or there is nothing to move', async () => {
    const from = await filled('from')
    expect(await codeOf(move(from, await filled('other')))).toBe('MOVE_TARGET_USED')
    expect(await codeOf(move(from, from))).toBe('USAGE')
    expect(await codeOf(move(join(folder, 'nothing'), url))).toBe('DATA_NOT_FOUND')
    const to = dirOf('to')
    writeFileSync(join(from, 'headwater.json'), '{"budget":"1/1s"}')
    writeFileSync(join(to, 'headwater.json'), '{"budget":"2/1s"}')
    expect(await codeOf(move(from, to))).toBe('MOVE_TARGET_USED')
    rmSync(join(to, 'headwater.json'))
    writeFileSync(join(to, 'headwater.key'), Buffer.alloc(32, 1).toString('base64'))
    expect(await codeOf(move(from, to))).toBe('MOVE_KEY_OTHER')
    rmSync(join(to, 'headwater.key'))
    expect(await codeOf(move(from, to))).toMatchObject({ hasSettings: true, isKeyCopied: true })
  })

  it.each(['folder', 'postgres'])('finds a row that is not what was moved, and then begins anew (%s)', async (kind) => {
    const from = await filled('from')
    const to = kind === 'folder' ? dirOf('to') : url
    const spoilt = kind === 'folder' ? await spoilFolder(to) : await spoilDatabase(database)
    expect(await codeOf(move(from, to))).toBe('MOVE_UNEQUAL')
    await spoilt.undo()
    const opening = kind === 'folder' ? openFolder(to) : database.again()
    expect(await codeOf(opening)).toBe('STORE_MOVING')
    expect(await codeOf(move(from, to))).toMatchObject({ resumedAfter: 0 })
  })

  it('begins anew where the store that is moved from has changed since it was stopped', async () => {
    const from = await filled('from')
    const stop = ({ table }: MoveStep) => {
      if (table === 'item') throw new Error('stopped')
    }
    expect(await codeOf(move(from, url, { onProgress: stop }))).toContain('stopped')
    expect(await codeOf(database.again())).toBe('STORE_MOVING')
    const opened = await openFolder(from)
    await addOne(opened.store, 'http://later/')
    const before = await answersOf(opened)
    expect(await move(from, url)).toMatchObject({ resumedAfter: 0 })
    expect(withoutNul(await answersOf(await database.again()))).toEqual(withoutNul(before))
  })

  it('goes on where it was stopped', async () => {
    const from = await filled('from')
    const stop = ({ table }: MoveStep) => {
      if (table === 'audit') throw new Error('stopped')
    }
    expect(await codeOf(move(from, url, { onProgress: stop }))).toContain('stopped')
    const { resumedAfter, rows } = await move(from, url)
    expect(resumedAfter).toBeGreaterThan(rows / 2)
  })
})
