import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, it } from 'vitest'
import { withSourceDefaults } from '../../src/app/sources/import-sources.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import { startServer } from '../support/local-server.ts'
import { eventually } from '../support/patience.ts'
import { runCommand } from '../support/run-command.ts'
import { type Origins, startOrigins } from './sharing-stage.ts'

const BIN = fileURLToPath(new URL('../../bin/headwater.ts', import.meta.url))
const SITES = 8
const closing: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A node in a process of its own. */
interface NodeProcess {
  readonly url: string
  start(): void
  kill(): Promise<void>
  command(...argv: readonly string[]): Promise<{ readonly said: string }>
  /** Titles in the archive, as often as they are there. */
  titles(): Promise<readonly string[]>
  peer(): Promise<{ readonly passedOn: number; readonly lies: number; readonly isSilent: boolean }>
}

async function nodeProcess(name: string, origins: Origins): Promise<NodeProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-sharing-'))
  const path = join(folder, 'headwater.db')
  const { store } = await openSqliteStore({ path, clock: systemClock })
  await store.addSources(
    origins.urls.map((url) => withSourceDefaults({ url })),
    systemClock.now(),
  )
  await store.close()
  const port = await freePort()
  const place = ['--data', folder, '--port', String(port), '--user-agent', name, '--log-level', 'error']
  const pace = ['--allow-range', 'loopback', '--min-interval', '1s', '--host-spacing', '0s', '--budget', '20/s']
  let child: ChildProcess | null = null
  const command = (...argv: readonly string[]) =>
    runCommand([...argv, '--data', folder], { env: { HEADWATER_ALLOW_RANGE: 'loopback' } })
  const kill = async () => {
    if (child === null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
    child = null
  }
  closing.push(async () => {
    await kill()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    url: `http://127.0.0.1:${port}`,
    start: () => {
      child = spawn(process.execPath, ['--import', 'tsx', BIN, 'serve', ...place, ...pace], { stdio: 'ignore' })
    },
    kill,
    command,
    async titles() {
      const opened = await openSqliteStore({ path, clock: systemClock })
      const items = await opened.store.arrivals({ kind: 'all' }, 10_000)
      await opened.store.close()
      return items.map(({ title }) => title ?? '')
    },
    async peer() {
      const { said } = await command('network', 'status', '--json')
      return JSON.parse(said).peers[0]
    },
  }
}

async function freePort(): Promise<number> {
  const server = await startServer((_request, response) => response.end())
  const { port } = server
  await server.close()
  return port
}

async function openPair(isDated: boolean) {
  const origins = await startOrigins(SITES, { isDated })
  closing.push(() => origins.close())
  const [first, second] = [await nodeProcess('first', origins), await nodeProcess('second', origins)]
  const isUp = async ({ url }: NodeProcess) => (await fetch(`${url}/healthz`).catch(() => null)) !== null
  for (const node of [first, second]) {
    node.start()
    expect(await eventually(() => isUp(node))).toBe(true)
  }
  expect((await first.command('network', 'trust', second.url)).said).toContain('Trusts')
  expect((await second.command('network', 'trust', first.url)).said).toContain('Trusts')
  expect(await eventually(async () => (await first.peer()).passedOn > 0)).toBe(true)
  return { origins, first, second }
}

const once8 = (titles: readonly string[]) =>
  titles.flatMap((title) => Array.from({ length: SITES }, (_, site) => `${title} of ${site}`)).sort()

it('one that is killed costs no item and doubles none, and works again when it is back', async () => {
  const { origins, first, second } = await openPair(true)
  await second.kill()
  origins.publish('while it is away')
  const away = ['while it is away', 'first', 'second']
  expect(await eventually(async () => (await first.titles()).length === SITES * away.length)).toBe(true)
  second.start()
  origins.publish('when it is back')
  const all = ['when it is back', ...away]
  for (const node of [first, second]) {
    expect(await eventually(async () => (await node.titles()).length >= SITES * all.length)).toBe(true)
    expect([...(await node.titles())].sort()).toEqual(once8(all))
  }
})

it('one that lies costs no item, and is found out', async () => {
  const { origins, first } = await openPair(false)
  origins.deceive('second')
  origins.publish('what the other hides')
  const all = ['what the other hides', 'first', 'second']
  expect(await eventually(async () => (await first.titles()).length >= SITES * all.length)).toBe(true)
  expect([...(await first.titles())].sort()).toEqual(once8(all))
  expect(await eventually(async () => (await first.peer()).lies > 0)).toBe(true)
})
