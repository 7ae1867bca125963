import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DATABASE_FILE, openData } from '../../src/app/data/data.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { DEMO_PORT, demoSources } from './demo-sources.ts'
import { live, MADE_UNTIL, PAST_MS } from './past.ts'
import { writeSnapshot } from './snapshot.ts'

// Run by scripts/build.mjs: three weeks take some 10,000 refreshes, too long for the start of a demo.
const folder = mkdtempSync(join(tmpdir(), 'headwater-past-'))
try {
  const config = loadConfig(folder, {}, {})
  const stretch = { from: MADE_UNTIL - PAST_MS, to: MADE_UNTIL, shiftMs: 0, troubleUntil: MADE_UNTIL }
  await live((clock) => openData(config, clock), demoSources(DEMO_PORT), stretch, DEMO_PORT)
  await writeSnapshot(join(folder, DATABASE_FILE))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
