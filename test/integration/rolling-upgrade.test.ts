import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { RoleName } from '../../src/app/data/role-names.ts'
import { STEPS } from '../../src/store/postgres/schema/migrate.ts'
import { type LocalServer, startServer } from '../support/local-server.ts'
import { eventually } from '../support/patience.ts'
import { type TestDatabase, testDatabase } from '../support/postgres.ts'
import { type Ask, askAt, type RoleProcess, startRole } from './role-processes.ts'

const ROOT = join(import.meta.dirname, '../..')
const PARTS = ['bin', 'src', 'lab', 'bench']
const NEXT = '99.0.0'

let folder: string
let database: TestDatabase
let site: LocalServer
let titles: readonly string[]
let running: RoleProcess[]
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-upgrade-'))
  database = await testDatabase()
  titles = ['one']
  site = await startServer((_, response) => {
    const items = titles.map((title) => `<item><guid>${title}</guid><title>${title}</title></item>`)
    response.end(`<rss version="2.0"><channel><title>A site</title>${items.join('')}</channel></rss>`)
  })
  running = []
})
afterEach(async () => {
  await Promise.all(running.map((role) => role.kill()))
  await site.close()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

/** The built program as the next version will be: another number, and one step more in its schema. */
function nextProgram(step: { readonly sql: string; readonly compatibleFrom: number }): string {
  const place = join(folder, 'next')
  for (const part of PARTS) cpSync(join(ROOT, 'dist', part), join(place, 'dist', part), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(place, 'node_modules'))
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as object
  writeFileSync(join(place, 'package.json'), JSON.stringify({ ...manifest, version: NEXT }))
  const path = join(place, 'dist/src/store/postgres/schema/migrate.js')
  const compiled = readFileSync(path, 'utf8')
  const withStep = compiled.replace(/(export const STEPS = \[[\s\S]*?),?\n\];/, `$1,\n${JSON.stringify(step)}\n];`)
  if (withStep === compiled) throw new Error('the steps of the schema are not where they were')
  writeFileSync(path, withStep)
  return join(place, 'dist/bin/headwater.js')
}

async function start(role: RoleName, program?: string): Promise<RoleProcess> {
  const started = await startRole(role, ['--data', join(folder, 'data'), '--store', database.url], program)
  running.push(started)
  return started
}

interface Shown {
  readonly cluster: {
    readonly members: readonly { readonly version: string; readonly shards: Readonly<Record<string, number>> }[]
    readonly roles: readonly { readonly role: string; readonly shards: number; readonly owned: number }[]
  }
}

/** Versions of those that have shards of the crawlers, once each of these has an owner. */
async function versionsAtWork(ask: Ask): Promise<readonly string[]> {
  const { cluster } = (await (await ask('GET', '/api/cluster')).json()) as Shown
  const crawling = cluster.roles.find(({ role }) => role === 'crawler')
  if (crawling === undefined || crawling.owned < crawling.shards) return []
  const owners = cluster.members.filter(({ shards }) => (shards['crawler'] ?? 0) > 0)
  return owners.map(({ version }) => version).sort()
}

const until = async (what: string, isTrue: () => Promise<boolean>) =>
  expect([what, await eventually(isTrue)]).toEqual([what, true])

it('two neighbouring versions work side by side while members are replaced one after the other', async () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  const [old, api] = await Promise.all([start('crawler'), start('api')])
  const ask = await askAt(api.url)
  const { source } = (await (await ask('POST', '/api/sources', { url: site.url('/'), discover: false })).json()) as {
    source: { id: number }
  }
  const items = async () => {
    const shown = (await (await ask('GET', `/api/sources/${source.id}`)).json()) as { items: number }
    return shown.items
  }
  await until('the old crawler fetches', async () => (await items()) === 1)

  const added = { sql: 'ALTER TABLE source ADD COLUMN shade text', compatibleFrom: STEPS.length }
  await start('crawler', nextProgram(added))
  await until('both have shards', async () => (await versionsAtWork(ask)).join() === [version, NEXT].sort().join())

  expect(await old.stop()).toBe(0)
  await until('the new one has them all', async () => (await versionsAtWork(ask)).join() === NEXT)
  titles = ['one', 'two']
  expect((await ask('POST', `/api/sources/${source.id}/refresh`)).ok).toBe(true)
  await until('it fetches, and the old API shows it', async () => (await items()) === 2)

  // Back to the version before, as long as the schema lets it.
  await start('crawler')
  await until('both have shards again', async () => (await versionsAtWork(ask)).length === 2)
})
