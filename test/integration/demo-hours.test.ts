import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demoSources } from '../../lab/demo/demo-sources.ts'
import { live } from '../../lab/demo/past.ts'
import { createSourceDirectory, type SourceRow } from '../../src/api/handlers/source-directory.ts'
import { openData } from '../../src/app/data/data.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { DAY_MS, HOUR_MS, type InstantMs, MINUTE_MS } from '../../src/model/index.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { PATIENCE_MS } from '../support/patience.ts'

const PORT = 8099
const FROM = Date.UTC(2030, 3, 1)
const MIDNIGHT = FROM + DAY_MS
/** At no round time, and once shortly after midnight. */
const HOURS = [0.1, 2.4, 5.9, 7.25, 9.6, 11.05, 14.3, 16.8, 19.45, 22.7]
const RETRY_AFTER_MS = 90 * MINUTE_MS

describe('at whatever hour the demo is opened', () => {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-demo-hours-'))
  const config = loadConfig(folder, {}, {})
  let livedUntil = FROM
  const liveUntil = async (to: InstantMs) => {
    const stretch = { from: livedUntil, to, shiftMs: 0, troubleUntil: MIDNIGHT }
    await live((clock) => openData(config, clock), demoSources(PORT), stretch, PORT)
    livedUntil = to
  }

  beforeAll(() => liveUntil(MIDNIGHT), PATIENCE_MS)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it.each(HOURS)('it shows what saturates, who complains and who is gone (hour %s)', async (hour) => {
    const now = MIDNIGHT + hour * HOUR_MS
    await liveUntil(now)
    const { store } = await openData(config, systemClock)
    const directory = createSourceDirectory(
      store,
      { ratePerHour: () => null },
      { now: () => now, monotonicMs: () => 0 },
    )
    const rows = await directory.rows()
    await store.close()
    const row = (name: string) => rows.find((one) => one.name.startsWith(name)) as SourceRow
    // What the page says of these is in web/language/en/states.ts.
    expect(row('Harbour movements')).toMatchObject({ condition: 'saturated', errorCode: null })
    const complaining = row('Tide Tables')
    expect(complaining).toMatchObject({ condition: 'failing', errorCode: 'HTTP_TOO_MANY_REQUESTS' })
    expect(complaining.nextCheckAt! - complaining.lastCheckAt!).toBeGreaterThanOrEqual(RETRY_AFTER_MS)
    expect(row('Old Quarry')).toMatchObject({ condition: 'retired', errorCode: 'HTTP_GONE' })
    expect(rows.filter(({ condition }) => condition === 'active').length).toBeGreaterThan(50)
  })
})
