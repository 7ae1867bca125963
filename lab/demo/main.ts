import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DATABASE_FILE, openData } from '../../src/app/data/data.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { VirtualClock } from '../live/virtual-clock.ts'
import { comparePolling } from './beside-polling.ts'
import { DEMO_PORT, demoSources } from './demo-sources.ts'
import { demoFeeds, live, MADE_UNTIL, PAST_MS, STAGE_MS, STAGES } from './past.ts'
import { writeSnapshot } from './snapshot.ts'

// Run by scripts/build.mjs: three weeks take some 10,000 refreshes, too long for the start of a demo.
const folder = mkdtempSync(join(tmpdir(), 'headwater-past-'))
try {
  const config = loadConfig(folder, {}, {})
  const database = join(folder, DATABASE_FILE)
  const began = MADE_UNTIL - PAST_MS
  let before: Buffer | null = null
  for (let stage = 0; stage < STAGES; stage++) {
    const to = MADE_UNTIL + stage * STAGE_MS
    const from = stage === 0 ? began : to - STAGE_MS
    const stretch = { from, to, shiftMs: 0, troubleUntil: MADE_UNTIL }
    await live((clock) => openData(config, clock), demoSources(DEMO_PORT), stretch, DEMO_PORT)
    const clock = new VirtualClock(to)
    const { store } = await openData(config, clock)
    await comparePolling(store, { feeds: demoFeeds(clock, stretch, DEMO_PORT), from: began, to, shiftMs: 0 })
    await store.close()
    before = await writeSnapshot(database, stage, before)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
