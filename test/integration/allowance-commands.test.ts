import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runCli } from '../../src/cli/program.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { freshFeed } from '../support/fresh-feed.ts'
import { type LocalServer, startServer } from '../support/local-server.ts'

let folder: string
let site: LocalServer

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-allowance-'))
  site = await startServer((_, response) => response.end(freshFeed(20, `look${site.requests.length}`)))
})
afterEach(async () => {
  await site.close()
  rmSync(folder, { recursive: true, force: true })
})

async function run(argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  let out = ''
  let err = ''
  const context = {
    out: (text: string) => {
      out += text
    },
    err: (text: string) => {
      err += text
    },
    isTerminal: false,
    env: { HEADWATER_HOST_SPACING: '0s', HEADWATER_ALLOW_RANGE: 'loopback', ...env },
    clock: systemClock,
    random: seededRandom(1),
    readStdin: async () => Buffer.from(''),
    ask: null,
    signal: new AbortController().signal,
  }
  const startDemo = () => Promise.reject(new Error('no demo here'))
  const code = await runCli([...argv, '--data', folder], context, { startDemo, more: [] })
  return { code, out, err }
}

const add = (...more: readonly string[]) => run(['source', 'add', site.url('/'), '--no-check', ...more])
const refresh = (env = {}) => run(['source', 'refresh', '1'], env)
const showSource = async () => JSON.parse((await run(['source', 'show', '1', '--json'])).out)

it('a refresh by hand keeps to the allowance and says so; lifting it takes everything', async () => {
  await add('--allowance', '5')
  expect(await refresh()).toMatchObject({ code: 0, out: expect.stringContaining('1  active  Flood') })
  expect(await showSource()).toMatchObject({
    items: 20,
    dailyAllowance: 5,
    intake: { allowance: 5, taken: 0, refused: 0 },
  })

  const { out } = await refresh()
  expect(out).toContain('1  flooding  Flood')
  expect(out).toContain('more new items than the 5 a day that are stored of it; 15 were refused')
  expect(out).toContain('headwater source set 1 --allowance off')
  expect(await showSource()).toMatchObject({ items: 25, intake: { taken: 5, refused: 15 }, refusal: { items: 15 } })
  expect((await run(['source', 'list'])).out).toMatch(/^ *1 +flooding /m)
  const words = (await run(['source', 'show', '1'])).out
  expect(words).toMatch(/^allowance +5 new items a day; today 5 stored, 15 refused$/m)
  expect(words).toMatch(/^refused +it showed more new items/m)

  expect((await run(['source', 'set', '1', '--allowance', 'off'])).code).toBe(0)
  expect((await refresh()).out).toContain('1  active  Flood')
  expect(await showSource()).toMatchObject({ items: 45, dailyAllowance: 'off', refusal: null })
  expect((await run(['source', 'set', '1', '--allowance', 'auto'])).code).toBe(0)
  expect(await showSource()).toMatchObject({ dailyAllowance: 'auto', intake: { allowance: 5_000 } })
  await run(['source', 'set', '1', '--interval', '1h', '--least-interval', '1min', '--most-interval', '1d'])
  expect(await showSource()).toMatchObject({
    intervalSeconds: 3_600,
    minIntervalSeconds: 60,
    maxIntervalSeconds: 86_400,
  })
  await run(['source', 'set', '1', '--interval', 'auto', '--least-interval', 'auto', '--most-interval', 'auto'])
  expect(await showSource()).toMatchObject({
    intervalSeconds: null,
    minIntervalSeconds: null,
    maxIntervalSeconds: null,
  })
  for (const wrong of ['-1', 'some', '', '1.5']) {
    expect((await run(['source', 'set', '1', `--allowance=${wrong}`])).code).toBe(2)
  }
})

it('without room nothing is requested, and the reason is printed', async () => {
  await add()
  const { code, err } = await refresh({ HEADWATER_MAX_DATA: '1kB' })
  expect(code).toBe(1)
  expect(err).toContain('FETCHING_PAUSED')
  expect(err).toMatch(/reached maxData.*MiB are used/)
  expect(site.requests).toHaveLength(0)
  expect((await refresh()).code).toBe(0)
  expect(site.requests).toHaveLength(1)
})
