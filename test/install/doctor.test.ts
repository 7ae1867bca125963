import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openData } from '../../src/app/data/data.ts'
import { examine } from '../../src/app/doctor/examine.ts'
import { checkOpenFiles } from '../../src/app/doctor/machine.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { withSourceDefaults } from '../../src/app/sources/import-sources.ts'
import { DAY_MS } from '../../src/model/index.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { type LocalServer, startServer } from '../support/local-server.ts'

let folder: string
let stranger: LocalServer

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-doctor-'))
  stranger = await startServer((_request, response) => void response.end('hello'))
  const { store } = await openData(loadConfig(folder, {}, {}), systemClock)
  await store.addSources([withSourceDefaults({ url: 'http://127.0.0.1:9/feed' })], systemClock.now())
  await store.close()
})
afterEach(async () => {
  await stranger.close()
  rmSync(folder, { recursive: true, force: true })
})

interface SetUp {
  readonly flags?: Readonly<Record<string, unknown>>
  readonly store?: string
  readonly now?: () => number
  readonly nodeVersion?: string
}

async function look({ flags = {}, store, now = systemClock.now, nodeVersion = process.versions.node }: SetUp = {}) {
  const given = { port: 0, logLevel: 'silent', ...flags }
  const readConfig = async () => ({ ...loadConfig(folder, given, {}), ...(store === undefined ? {} : { store }) })
  const findings = await examine({ readConfig, clock: { ...systemClock, now }, nodeVersion })
  return findings.filter(({ state }) => state !== 'ok')
}

it('finds nothing where nothing is wrong', async () => {
  const wrong = (await look()).filter(({ code }) => !['DISK_NEARLY_FULL', 'FEW_OPEN_FILES'].includes(String(code)))
  expect(wrong).toEqual([])
})

const path = (name: string) => join(folder, name)

const FAULTS: readonly (readonly [string, string, RegExp, () => SetUp | Promise<SetUp>])[] = [
  ['Node is too old', 'NODE_TOO_OLD', /Install Node 20/, () => ({ nodeVersion: '18.19.0' })],
  [
    'the settings are no JSON',
    'SETTINGS_INVALID',
    /JSON/,
    () => {
      writeFileSync(path('headwater.json'), '{"port": ')
      return {}
    },
  ],
  [
    'a setting is not known',
    'USAGE',
    /./,
    () => {
      writeFileSync(path('headwater.json'), '{"prot": 80}')
      return {}
    },
  ],
  ['another program has the port', 'PORT_IN_USE', /--port/, () => ({ flags: { port: stranger.port } })],
  [
    'the address is of another machine',
    'HOST_NOT_HERE',
    /--host/,
    () => ({ flags: { host: '192.0.2.1', port: 8080 } }),
  ],
  ['it serves plain HTTP to others', 'PLAIN_HTTP', /--public-url/, () => ({ flags: { host: '0.0.0.0' } })],
  [
    'the proxy is not named',
    'PROXY_NOT_TRUSTED',
    /--trust-proxy/,
    () => ({ flags: { publicUrl: 'https://feeds.example.org' } }),
  ],
  ['no mail server is there', 'MAIL_FAILED', /--smtp-url/, () => ({ flags: { smtpUrl: 'smtp://127.0.0.1:1' } })],
  [
    'others can read the database',
    'FILE_OPEN_TO_OTHERS',
    /chmod 600/,
    () => {
      chmodSync(path('headwater.db'), 0o644)
      return {}
    },
  ],
  [
    'the database is damaged',
    'STORE_CORRUPT',
    /backup/,
    () => {
      writeFileSync(path('headwater.db'), 'not a database at all, '.repeat(500))
      return {}
    },
  ],
  [
    'the database is of a newer version',
    'STORE_TOO_NEW',
    /newer/,
    () => {
      const db = new Database(path('headwater.db'))
      db.pragma('user_version = 9999')
      db.close()
      return {}
    },
  ],
  ['the data has reached its limit', 'DATA_LIMIT_REACHED', /./, () => ({ flags: { maxData: 1024 } })],
  [
    'what files go to is no folder',
    'OUTPUT_FOLDER_UNUSABLE',
    /--output-dir/,
    () => {
      writeFileSync(path('a-file'), '')
      return { flags: { outputDir: path('a-file') } }
    },
  ],
  ['the clock is behind', 'CLOCK_BEHIND', /NTP/, () => ({ now: () => systemClock.now() - 30 * DAY_MS })],
  [
    'names are not resolved',
    'FETCH_DNS',
    /resolv\.conf/,
    async () => {
      const { store } = await openData(loadConfig(folder, {}, {}), systemClock)
      await store.addSources([withSourceDefaults({ url: 'https://nowhere.invalid/feed' })], systemClock.now())
      await store.close()
      return {}
    },
  ],
  [
    'there is no database server',
    'STORE_UNREACHABLE',
    /./,
    () => ({ store: 'postgres://me:secret@127.0.0.1:1/feeds' }),
  ],
]

describe('each fault gets its own answer, and what to do', () => {
  it.each(FAULTS)('%s: %s', async (_name, code, hint, setUp) => {
    const findings = await look(await setUp())
    const found = findings.find((finding) => finding.code === code)
    expect(found, JSON.stringify(findings)).toBeDefined()
    expect(found?.hint).toMatch(hint)
    expect(JSON.stringify(findings)).not.toContain('secret')
  })
})

it('few open files are a warning', async () => {
  const limits = 'Limit Soft Hard Units\nMax open files            256                  1024                 files\n'
  expect(await checkOpenFiles(async () => limits)).toMatchObject([{ code: 'FEW_OPEN_FILES', state: 'warning' }])
})
