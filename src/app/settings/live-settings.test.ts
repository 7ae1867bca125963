import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MAX_INTERVAL_MS } from '../../refresh/default-limits.ts'
import { systemClock } from '../../runtime/clock.ts'
import { silentLogger } from '../../runtime/logger.ts'
import { checkStrategy } from '../crawling/strategy.ts'
import { folderSettings } from '../data/folder-data.ts'
import { type Config, loadConfig } from './config.ts'
import { followSettings } from './live-settings.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-live-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** As a process of the node sees the folder. */
async function follow(given: readonly string[] = [], more: Partial<Config> = {}) {
  const config = { ...loadConfig(folder, {}, {}), ...more }
  const document = folderSettings(folder)
  const deps = {
    config,
    given: new Set(given),
    document,
    check: checkStrategy,
    clock: systemClock,
    logger: silentLogger,
  }
  const live = await followSettings(deps)
  const changes: Config[] = []
  live.onChange((changed) => void changes.push(changed))
  return { live, changes, document }
}

describe('the settings in force', () => {
  it('are what another process has written, as far as that needs no new start', async () => {
    const { live, changes } = await follow()
    const other = await follow()
    await other.document.write({ maxInterval: '3h', port: 1234 })
    await live.look()
    expect(live.current()).toMatchObject({ maxInterval: 3 * 3_600_000, port: 8080 })
    expect(changes).toHaveLength(1)
    await other.document.write({})
    await live.look()
    expect(live.current().maxInterval).toBe(MAX_INTERVAL_MS)
    await live.look()
    expect(changes).toHaveLength(2)
  })

  it('stay as given elsewhere, and as the program has set them until somebody changes them', async () => {
    const { live, document } = await follow(['maxInterval'], { minInterval: 2_000 })
    await document.write({ maxInterval: '3h', concurrency: 5 })
    await live.look()
    expect(live.current()).toMatchObject({ maxInterval: MAX_INTERVAL_MS, minInterval: 2_000, concurrency: 5 })
  })

  it.each(['{"concurrency": 7', '{"concurrency": "many"}', '{"strategy": "nonsense"}', '{"learnFor": "1d"}'])(
    'stay where the document cannot be used: %s',
    async (text) => {
      const { live, changes } = await follow()
      writeFileSync(join(folder, 'headwater.json'), text)
      await live.look()
      expect([live.current().concurrency, changes]).toEqual([32, []])
      writeFileSync(join(folder, 'headwater.json'), '{"concurrency": 9}')
      await live.look()
      expect(live.current().concurrency).toBe(9)
    },
  )

  it('wait for the next start where they came with a backup that does', async () => {
    const { live, document } = await follow()
    writeFileSync(join(folder, 'restore.db'), '')
    await document.write({ keepFor: '1d' })
    await live.look()
    expect(live.current().keepFor).toBeUndefined()
  })
})
