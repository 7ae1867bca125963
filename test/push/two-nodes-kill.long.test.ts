import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type ServeProcess, startProcess } from '../../lab/attack/node-process.ts'
import { withSourceDefaults } from '../../src/app/sources/import-sources.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import { extent } from '../support/extent.ts'
import { startServer } from '../support/local-server.ts'
import { eventually } from '../support/patience.ts'
import { rss } from './hub-stage.ts'

const KILLS = extent(3, 20)
const PER_LIFE = 4

/** A data folder for real processes, one after another, at the same address. */
interface KilledMember {
  readonly url: string
  start(): void
  /** False: it had ended by itself. */
  kill(): Promise<boolean>
  /** Titles in its feed, as it serves them; none while it does not answer. */
  served(): Promise<readonly string[]>
  /** Titles that its feed has published. */
  published(): Promise<readonly string[]>
  remove(): void
}

async function member(sourceUrl: string): Promise<KilledMember> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-two-'))
  const open = () => openSqliteStore({ path: join(folder, 'headwater.db'), clock: systemClock })
  const port = await freePort()
  const { store } = await open()
  await store.addSources([withSourceDefaults({ url: sourceUrl })], systemClock.now())
  const text = `CREATE FEED f LIMIT 1000 AS RETURN "${sourceUrl}" AS $s;`
  const feed = { kind: 'save-feed', name: 'f', title: null, limit: 1000, text, catchUp: { after: 0 } } as const
  await store.changeQueries([feed], await store.queryRevision(), systemClock.now())
  await store.close()
  const url = `http://127.0.0.1:${port}`
  const flags = ['--data', folder, '--port', String(port), '--allow-range', 'loopback', '--log-level', 'error']
  const pace = ['--min-interval', '1s', '--host-spacing', '0s', '--budget', '5/s']
  let child: ServeProcess | null = null
  return {
    url,
    start() {
      child = startProcess({ flags: [...flags, ...pace], env: {}, nodeArgs: [] })
    },
    async kill() {
      if (child === null) return false
      const wasRunning = child.isRunning()
      child.signal('SIGKILL')
      await child.exit
      child = null
      return wasRunning
    },
    async served() {
      const answer = await fetch(`${url}/feeds/f.json`).catch(() => null)
      if (answer?.status !== 200) return []
      const { items } = (await answer.json()) as { items: { title: string }[] }
      return items.map(({ title }) => title)
    },
    async published() {
      const { store: opened } = await open()
      const found = await opened.queryFeed('f')
      const entries = await opened.publications(found?.id ?? 0, { limit: 10_000 })
      await opened.close()
      return entries.map(({ item }) => item.title ?? '')
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

async function freePort(): Promise<number> {
  const server = await startServer((_request, response) => response.end())
  const { port } = new URL(server.url(''))
  await server.close()
  return Number(port)
}

it(`${KILLS} times kill -9 of one of two nodes that push loses and doubles nothing`, async () => {
  const guids = ['first']
  const site = await startServer((_request, response) => response.end(rss('', guids)))
  const first = await member(site.url('/feed'))
  const second = await member(`${first.url}/feeds/f.atom`)
  const members = [first, second]
  const hasAll = async () => new Set(await second.served()).size === guids.length
  try {
    first.start()
    // A feed that is not there yet is tried again after ten minutes.
    expect(await eventually(async () => (await first.served()).length > 0)).toBe(true)
    second.start()
    expect(await eventually(hasAll)).toBe(true)
    for (let life = 0; life < KILLS; life++) {
      for (let n = 0; n < PER_LIFE; n++) guids.unshift(`item ${life}.${n}`)
      // Somewhere between the first item at the one and the last at the other.
      const seen = (await Promise.all(members.map((one) => one.served()))).flat().length
      await eventually(async () => (await Promise.all(members.map((one) => one.served()))).flat().length > seen)
      const victim = members[life % 2] ?? first
      expect(await victim.kill()).toBe(true)
      guids.unshift(`item ${life} while one is away`)
      victim.start()
    }
    expect(await eventually(hasAll)).toBe(true)
    for (const one of members) await one.kill()
    for (const one of members) expect([...(await one.published())].sort()).toEqual([...guids].sort())
  } finally {
    for (const one of members) {
      await one.kill()
      one.remove()
    }
    await site.close()
  }
})
