import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { systemClock } from '../../src/runtime/clock.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import type { Opening } from '../contract/store.fixture.ts'
import { fillStore } from '../support/full-world.ts'
import { answersOf, move, shareKey, withoutNul } from '../support/moves.ts'
import { keyFileOf, postgresAdapter } from '../support/postgres-adapter.ts'

const CHILD = fileURLToPath(new URL('./move.child.ts', import.meta.url))
/** Lines that it says before it is killed, in the middle of whatever it does then. */
const KILLED_AFTER = [1, 6, 9, 17, 30, 40]

let folder: string
let database: Opening
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-move-'))
  database = await postgresAdapter.open()
  await database.store.close()
})
afterEach(async () => {
  await database.end()
  rmSync(folder, { recursive: true, force: true })
})

async function runAndKill(from: string, to: string, lines: number): Promise<boolean> {
  const child = spawn(process.execPath, ['--import', 'tsx', CHILD, from, to], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  let left = lines
  for await (const _line of createInterface({ input: child.stdout })) if (--left === 0) child.kill('SIGKILL')
  const [, signal] = await exited
  return signal === 'SIGKILL'
}

it('a move that is killed again and again moves all of it in the end, once, there and back', async () => {
  const from = join(folder, 'from')
  const back = join(folder, 'back')
  for (const dir of [from, back]) {
    mkdirSync(dir)
    shareKey(dir, keyFileOf(database.address ?? ''))
  }
  const open = (dir: string) => openSqliteStore({ path: join(dir, 'headwater.db'), clock: systemClock })
  const opened = await open(from)
  await fillStore(opened, 1_200)
  await opened.store.close()
  const to = database.address ?? ''
  for (const [source, target] of [
    [from, to],
    [to, back],
  ] as const) {
    let kills = 0
    let isDone = false
    for (const lines of KILLED_AFTER) {
      if (!isDone && (await runAndKill(source, target, lines))) kills++
      else isDone = true
    }
    expect(kills).toBeGreaterThan(3)
    if (!isDone) await move(source, target)
  }
  const before = withoutNul(await answersOf(await open(from)))
  expect(withoutNul(await answersOf(await database.again()))).toEqual(before)
  expect(withoutNul(await answersOf(await open(back)))).toEqual(before)
})
