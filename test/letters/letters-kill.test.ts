import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
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

/** Each takes a port that is free then: one that was free before may belong to another process by now. */
async function serve(folder: string): Promise<{ readonly child: ChildProcess; readonly port: number }> {
  const flags = ['--port', '0', '--smtp-in', '127.0.0.1:0', '--mail-domain', DOMAIN, '--log-level', 'silent']
  const child = spawn(process.execPath, [HEADWATER, 'serve', '--data', folder, ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout?.on('data', (text: Buffer) => {
    said += text
  })
  const taken = () => /Letters are taken on port (\d+)/.exec(said)?.[1]
  await eventually(() => taken() !== undefined || child.exitCode !== null)
  const port = Number(taken())
  if (!(port > 0)) child.kill('SIGKILL')
  expect(port, said).toBeGreaterThan(0)
  return { child, port }
}

it('a letter that was acknowledged is there after kill -9, and every letter is there once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-letters-kill-'))
  const open = () => openSqliteStore({ path: join(folder, 'headwater.db'), clock: systemClock })
  const { store } = await open()
  const sources = createLetterSources({ store, domain: () => DOMAIN, clock: systemClock })
  const { id, address } = await sources.add({ name: 'The Weekly', senders: ['ada@weekly.example'] }, null)
  await store.close()
  const acknowledged = new Set<string>()
  const sent: string[] = []
  const letter = (name: string) =>
    `From: ada@weekly.example\r\nSubject: ${name}\r\nMessage-ID: <${name}@weekly.example>\r\n\r\n${'text '.repeat(2_000)}\r\n`
  const post = async (name: string, port: number) => {
    const { code } = await sendRaw(port, letter(name), address ?? '')
    if (code === 250) acknowledged.add(name)
  }
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const { child, port } = await serve(folder)
      const exited = once(child, 'exit')
      const before = acknowledged.size
      // What was not acknowledged is sent again, as mail servers do.
      const missing = sent.filter((name) => !acknowledged.has(name))
      const names = [...missing, ...Array.from({ length: 20 }, (_, k) => `r${round}-${k}`)]
      sent.push(...names.filter((name) => !sent.includes(name)))
      const queue = [...names]
      const sender = async () => {
        const isAlive = () => child.exitCode === null && child.signalCode === null
        for (let name = queue.shift(); name !== undefined && isAlive(); name = queue.shift()) await post(name, port)
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
