import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withSourceDefaults } from '../src/app/sources/import-sources.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { openPostgresStore } from '../src/store/postgres/index.ts'
import { testDatabase } from '../test/support/postgres.ts'
import { benchTerminals } from './terminals.ts'
import type { FigureVerdict, Form, RoundFigures, StoredItems } from './terminals-verdict.ts'

interface Figures {
  readonly store: string
  readonly forms: Record<Form, RoundFigures>
  readonly stored: Record<Form, StoredItems>
  readonly verdict: FigureVerdict
}

const SMALL = { feeds: 12, terminals: 2, atOnce: 2, rounds: 3, changed: 0.5, touched: 0.5, latency: 1 }
const ALL_STORED = { lost: 0, doubled: 0 }

async function run(options: Parameters<typeof benchTerminals>[0]): Promise<Figures> {
  return (await benchTerminals(options)) as Figures
}

describe('bench terminals', () => {
  it('updates the same feeds in three forms, and all of them store everything once', async () => {
    const lines: string[] = []
    const { forms, stored, verdict, store } = await run({ ...SMALL, onProgress: (line) => lines.push(line) })
    expect(store).toBe('sqlite')
    const { serial, distributed, checked } = forms
    for (const { wallMs, controllerCpuMs, terminalsCpuMs, worldCpuMs, databaseCpuMs } of Object.values(forms)) {
      for (const ms of [wallMs, controllerCpuMs, terminalsCpuMs, worldCpuMs]) expect(ms).toBeGreaterThan(0)
      expect(databaseCpuMs).toBeNull()
    }
    for (const form of [serial, distributed]) expect(form).toMatchObject({ lookUps: 12 * 20, records: 12 })
    expect(checked.records).toBe(12)
    expect(checked.lookUps).toBeLessThan(24)
    expect(checked.handedBytes).toBeLessThan(distributed.handedBytes / 5)
    expect(stored.serial.published).toBeGreaterThan(12 * 20)
    for (const form of Object.values(stored)) expect(form).toEqual({ ...stored.serial, ...ALL_STORED })
    expect(verdict.claims).toHaveLength(9)
    expect(lines).toContain('round 3 of 3')
  })

  it('looks up the articles of a feed at once where it is asked to', async () => {
    const { forms, stored } = await run({ ...SMALL, rounds: 1, lookUp: 'feed', roundTrip: 1 })
    expect(forms.distributed).toMatchObject({ lookUps: 12, records: 12 })
    for (const form of Object.values(stored)) expect(form).toMatchObject(ALL_STORED)
  })

  it('sees what is lost where items are known by their titles, and its verdict fails', async () => {
    const { stored, verdict } = await run({ ...SMALL, rounds: 1, changed: 1, sameTitles: 1 })
    expect(stored.serial).toMatchObject(ALL_STORED)
    expect(stored.distributed).toMatchObject(ALL_STORED)
    expect(stored.checked.lost).toBeGreaterThanOrEqual(12)
    expect(verdict.holds).toBe(false)
    expect(verdict.claims).toContainEqual(
      expect.objectContaining({ text: expect.stringContaining('checked'), holds: false }),
    )
  })

  it('does the same on PostgreSQL, and leaves the database so that it can do it again', async () => {
    const database = await testDatabase()
    const { stored, store, forms } = await run({ ...SMALL, rounds: 1, store: database.url })
    expect(store).toBe('postgres')
    expect(forms.distributed).toMatchObject({ lookUps: 12 * 20, records: 12 })
    for (const { databaseCpuMs } of Object.values(forms)) expect(databaseCpuMs ?? 0).toBeGreaterThanOrEqual(0)
    for (const form of Object.values(stored)) expect(form).toEqual({ ...stored.serial, ...ALL_STORED })
    expect(await database.run('SELECT id FROM source')).toEqual([])
    expect((await run({ feeds: 2, terminals: 1, rounds: 1, latency: 0, store: database.url })).store).toBe('postgres')
    await database.drop()
  })

  it("takes no database that holds somebody's feeds", async () => {
    const database = await testDatabase()
    const folder = mkdtempSync(join(tmpdir(), 'headwater-terminals-test-'))
    const keyFile = join(folder, 'headwater.key')
    const { store } = await openPostgresStore({ url: database.url, clock: systemClock, keyFile })
    await store.addSources([withSourceDefaults({ url: 'https://example.org/feed' })], 0)
    await expect(run({ ...SMALL, store: database.url })).rejects.toMatchObject({ code: 'STORE_OTHER_KEY' })
    expect((await store.counts()).sources).toBe(1)
    await store.close()
    await database.drop()
    rmSync(folder, { recursive: true })
  })
})
