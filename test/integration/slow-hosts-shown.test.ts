import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openPoliteness } from '../../src/app/crawling/politeness.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { withSourceDefaults } from '../../src/app/sources/import-sources.ts'
import { runCli } from '../../src/cli/program.ts'
import { hostKey } from '../../src/crawler/fetch/host-key.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { steady } from '../../src/runtime/steady-clock.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'

const URL = 'http://slow.example/feed'

it('`source show` says that a host is slow, as the node has learnt and stored it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-slow-'))
  try {
    const { store } = await openSqliteStore({ path: join(folder, 'headwater.db'), clock: systemClock })
    await store.addSources([withSourceDefaults({ url: URL })], 0)
    const politeness = await openPoliteness(loadConfig(folder, {}, {}), store, steady(systemClock))
    politeness.limits.took(hostKey(URL), 57_000, 57_000)
    await politeness.save()
    await store.close()
    expect(await showOutput(folder)).toMatch(/slow host +answers take 57 s/)
    expect(JSON.parse(await showOutput(folder, '--json'))).toMatchObject({ slowHostSeconds: 57 })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

async function showOutput(folder: string, ...more: readonly string[]): Promise<string> {
  let out = ''
  const context = {
    out: (text: string) => {
      out += text
    },
    err: () => {},
    isTerminal: false,
    env: {},
    clock: systemClock,
    random: seededRandom(1),
    readStdin: async () => Buffer.from(''),
    ask: null,
    signal: new AbortController().signal,
  }
  const startDemo = () => Promise.reject(new Error('no demo here'))
  await runCli(['source', 'show', '1', ...more, '--data', folder], context, { startDemo, more: [] })
  return out
}
