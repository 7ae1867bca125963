import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../../test/support/postgres.ts'
import { rawState } from '../../../../test/support/raw-state.ts'
import { systemClock } from '../../../runtime/clock.ts'
import { openPostgresStore, type PostgresStore } from '../index.ts'

const folder = mkdtempSync(join(tmpdir(), 'headwater-key-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('states of the members of a cluster', () => {
  let database: TestDatabase
  const opened: PostgresStore[] = []
  beforeEach(async () => {
    database = await testDatabase()
  })
  afterEach(async () => {
    for (const { store } of opened.splice(0)) await store.close()
    await database.drop()
  })
  const open = async (memberId: string) => {
    const keyFile = join(folder, 'key')
    const common = { url: database.url, clock: systemClock, keyFile, connections: 3, roles: ['crawler'] } as const
    const one = await openPostgresStore({ ...common, memberId })
    opened.push(one)
    return one.store
  }

  it('are their own where the table says so, and one for all elsewhere; everybody can read those of all', async () => {
    const [one, other] = [await open('one'), await open('other')]
    for (const name of ['schedule', 'politeness', 'recent-quality', 'refresh-reports'] as const) {
      await one.saveState(rawState(name), 'of one')
      expect([name, await other.state(rawState(name))]).toEqual([name, null])
      await other.saveState(rawState(name), 'of the other')
      expect([name, await one.state(rawState(name))]).toEqual([name, 'of one'])
      expect(await one.states(rawState(name))).toEqual([
        { value: 'of the other', isOwn: false },
        { value: 'of one', isOwn: true },
      ])
    }
    await one.saveState(rawState('wishes'), 'of all')
    expect(await other.state(rawState('wishes'))).toBe('of all')
    expect(await other.states(rawState('wishes'))).toEqual([{ value: 'of all', isOwn: true }])
  })

  it('outlast a restart of their member, and are forgotten when it has been away for a month', async () => {
    await (await open('one')).saveState(rawState('schedule'), 'of one')
    expect(await (await open('one')).state(rawState('schedule'))).toBe('of one')
    await database.run("UPDATE node_state SET written_at = now() - interval '31 days'")
    await (await open('two')).saveState(rawState('wishes'), 'of all')
    expect(await (await open('one')).state(rawState('schedule'))).toBe(null)
    expect(await (await open('one')).state(rawState('wishes'))).toBe('of all')
  })

  it('are written with the models of their member', async () => {
    const [one, other] = [await open('one'), await open('other')]
    await one.saveModels([], { also: { state: rawState('schedule'), value: 'of one' } })
    expect([await one.state(rawState('schedule')), await other.state(rawState('schedule'))]).toEqual(['of one', null])
  })
})
