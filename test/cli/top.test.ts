import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, type World } from '../../lab/worlds/server.ts'
import { HEADWATER, runHeadwater } from '../e2e/cli-process.ts'
import { freePort, startServe } from '../e2e/world-node.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { openTerminal } from './terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'headwater-top-'))
const data = join(folder, 'data')
let world: World
let node: ReturnType<typeof startServe>

beforeAll(async () => {
  world = await startWorld({ feeds: 4, speed: 0, seed: 2 })
  process.env['HEADWATER_OWNER_PASSWORD'] = 'long enough to be one'
  const port = await freePort()
  node = startServe(port, ['--data', data, '--allow-range', 'loopback'])
  // Files share a process: a password left behind would claim the nodes of others.
  delete process.env['HEADWATER_OWNER_PASSWORD']
  await node.ready()
  for (const index of [0, 1, 2, 3]) {
    await runHeadwater(folder, ['source', 'add', world.feedUrl(index), '--data', data, '--allow-range', 'loopback'])
  }
}, PATIENCE_MS)
afterAll(async () => {
  await node?.stop()
  await world?.close()
  rmSync(folder, { recursive: true, force: true })
})

const top = (...args: string[]) => runHeadwater(folder, ['top', '--data', data, ...args])

describe('headwater top', () => {
  it('shows refreshes with their reasons and what is spent, once where nobody looks', async () => {
    await runHeadwater(folder, ['source', 'refresh', '--all', '--data', data])
    const { code, out, err } = await top()
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('requests a minute (foresight')
    expect(out).toContain('Just refreshed')
    expect(out).toMatch(/(?:20 new|unchanged) +(?:new: first look|asked for)/)
    expect(out).toMatch(/Sources +4: 4 active/)
    expect(out).not.toContain('\u001b')
  })

  it('gives the same as JSON, and leaves no token behind', async () => {
    const { out } = await top('--json')
    const page = JSON.parse(out)
    expect(page.refreshed).toHaveLength(4)
    expect(page.refreshed[0].refresh.decision.cause).toMatch(/^\w+$/)
    expect(page.budget).toMatchObject({ strategy: 'foresight', requestsPerMinute: expect.any(Number) })
    const { out: audit } = await runHeadwater(folder, ['audit', '--data', data, '--json'])
    expect(audit).toContain('headwater top')
    const given = await runHeadwater(folder, ['top', '--url', node.url], { HEADWATER_TOKEN: 'hw_wrong' })
    expect([given.code, given.err]).toEqual([1, expect.stringContaining('401')])
  })

  it('says so where no node runs', async () => {
    const { code, err } = await top('--url', 'http://127.0.0.1:1')
    expect([code, err]).toEqual([1, expect.stringContaining('NODE_NOT_REACHED')])
  })

  it('draws a page of a terminal again and again, and gives it back when q is pressed', async () => {
    const terminal = openTerminal(folder, { columns: 90, rows: 30 })
    try {
      terminal.type(`echo before; ${process.execPath} ${HEADWATER} top --data ${data} --every 0.5`, 'Enter')
      const first = await terminal.until(/Just refreshed/)
      expect(first).not.toContain('before')
      expect(first.split('\n').every((line) => line.length <= 90)).toBe(true)
      const clock = /(\d\d:\d\d:\d\d) UTC/.exec(first)![1]!
      await terminal.until(new RegExp(`(?!${clock})\\d\\d:\\d\\d:\\d\\d UTC`))
      terminal.type('q')
      expect(await terminal.until(/before/)).not.toContain('Just refreshed')
    } finally {
      terminal.close()
    }
  })
})
