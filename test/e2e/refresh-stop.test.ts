import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withSourceDefaults } from '../../src/app/sources/import-sources.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'

const HEADWATER = join(import.meta.dirname, '../../dist/bin/headwater.js')
const SITES = 100
const folder = mkdtempSync(join(tmpdir(), 'headwater-refresh-stop-'))

/** Takes requests and never answers. */
let site: Server
let requests = 0

beforeAll(async () => {
  site = createServer(() => {
    requests++
  })
  await once(site.listen(0, '127.0.0.1'), 'listening')
  const { port } = site.address() as AddressInfo
  const { store } = await openSqliteStore({ path: join(folder, 'headwater.db'), clock: systemClock })
  const urls = Array.from({ length: SITES }, (_, index) => `http://site-${index}.localhost:${port}/feed.xml`)
  await store.addSources(
    urls.map((url) => withSourceDefaults({ url })),
    systemClock.now(),
  )
  await store.close()
})

afterAll(() => {
  site.closeAllConnections()
  site.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('headwater source refresh --all', () => {
  it('ends when interrupted, without waiting for sites that do not answer', async () => {
    const args = ['source', '--data', folder, 'refresh', '--all', '--allow-range', 'loopback', '--host-spacing', '1ms']
    const child = spawn(process.execPath, [HEADWATER, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
    let output = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    const exited = once(child, 'exit')
    while (requests === 0 && child.exitCode === null) await systemClock.sleep(20)
    const interruptedAt = systemClock.monotonicMs()
    child.kill('SIGTERM')
    const [code] = await exited
    const tookMs = systemClock.monotonicMs() - interruptedAt
    expect(output).toContain('INTERRUPTED')
    expect(output).toContain(`0 of ${SITES} sources`)
    expect(code).toBe(1)
    // A site has half a minute to begin its answer: the machine may be busy, but not for that long.
    expect(tookMs).toBeLessThan(10_000)
  })
})
