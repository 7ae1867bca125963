import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createLetterSources } from '../../src/app/letters/letter-sources.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import { HEADWATER } from '../e2e/cli-process.ts'
import { eventually } from '../support/patience.ts'
import { DOMAIN, sendRaw } from './letter-node.ts'

const ROUNDS = 4

async function freePort(): Promise<number> {
  const probe = createServer()
  probe.listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

async function serve(folder: string, port: number): Promise<ChildProcess> {
  const flags = ['--port', '0', '--smtp-in', `127.0.0.1:${port}`, '--mail-domain', DOMAIN, '--log-level', 'silent']
  const child = spawn(process.execPath, [HEADWATER, 'serve', '--data', folder, ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout?.on('data', (text: Buffer) => {
    said += text
  })
  await eventually(() => said.includes('Letters are taken') || child.exitCode !== null)
  expect(said).toContain(`Letters are taken on port ${port}`)
  return child
}

it('a letter that was acknowledged is there after kill -9, and every letter is there once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-letters-kill-'))
  const open = () => openSqliteStore({ path: join(folder, 'headwater.db'), clock: systemClock })
  const { store } = await open()
  const sources = createLetterSources({ store, domain: () => DOMAIN, clock: systemClock })
  const { id, address } = await sources.add({ name: 'The Weekly', senders: ['ada@weekly.example'] }, null)
  await store.close()
  const port = await freePort()
  const acknowledged = new Set<string>()
  const sent: string[] = []
  const letter = (name: string) =>
    `From: ada@weekly.example\r\nSubject: ${name}\r\nMessage-ID: <${name}@weekly.example>\r\n\r\n${'text '.repeat(2_000)}\r\n`
  const post = async (name: string) => {
    const { code } = await sendRaw(port, letter(name), address ?? '')
    if (code === 250) acknowledged.add(name)
  }
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const child = await serve(folder, port)
      const exited = once(child, 'exit')
      const before = acknowledged.size
      // What was not acknowledged is sent again, as mail servers do.
      const missing = sent.filter((name) => !acknowledged.has(name))
      const names = [...missing, ...Array.from({ length: 20 }, (_, k) => `r${round}-${k}`)]
      sent.push(...names.filter((name) => !sent.includes(name)))
      const queue = [...names]
      const sender = async () => {
        for (let name = queue.shift(); name !== undefined && child.exitCode === null; name = queue.shift())
          await post(name)
      }
      const sending = Promise.all([sender(), sender(), sender()])
      await eventually(() => acknowledged.size >= before + 4 + round)
      child.kill('SIGKILL')
      await exited
      await sending
      const { store: left } = await open()
      const titles = (await left.items({ scope: { kind: 'source', sourceId: id }, limit: 1_000 })).map(
        ({ title }) => title,
      )
      await left.close()
      expect(new Set(titles).size).toBe(titles.length)
      expect([...acknowledged].filter((name) => !titles.includes(name))).toEqual([])
    }
    expect(acknowledged.size).toBeGreaterThan(ROUNDS * 4)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
