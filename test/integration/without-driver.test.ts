import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { PATIENCE_MS } from '../support/patience.ts'

const folder = mkdtempSync(join(tmpdir(), 'headwater-no-driver-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const NO_PG = join(import.meta.dirname, '../support/no-pg.mjs')
const HEADWATER = join(import.meta.dirname, '../../bin/headwater.ts')
const ARGS = ['--import', 'tsx', '--import', NO_PG, HEADWATER]

const run = (...args: readonly string[]) =>
  new Promise<{ code: number; said: string }>((resolve) => {
    execFile(process.execPath, [...ARGS, ...args], { timeout: PATIENCE_MS }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, said: out + err }),
    )
  })

describe('where the package pg is not installed', () => {
  it('a node with its data in a folder works, because it is never asked for', async () => {
    const list = join(folder, 'list.txt')
    writeFileSync(list, 'http://a.invalid/feed\n')
    const data = ['--data', join(folder, 'data')]
    expect((await run('source', 'import', list, ...data)).code).toBe(0)
    const node = spawn(process.execPath, [...ARGS, 'serve', '--port', '0', '--log-level', 'silent', ...data])
    let said = ''
    await new Promise<void>((resolve) => {
      node.stdout.on('data', (text: Buffer) => {
        said += text
        if (said.includes('serves on')) resolve()
      })
      node.once('exit', () => resolve())
    })
    expect(said).toContain('serves on')
    node.kill('SIGTERM')
    expect((await once(node, 'exit'))[0]).toBe(0)
  })

  it('a node on PostgreSQL is refused, and told what to install', async () => {
    const { code, said } = await run('source', 'list', '--store', 'postgres://me@127.0.0.1:1/feeds')
    expect([code, said]).toEqual([1, expect.stringMatching(/STORE_DRIVER_MISSING[\s\S]*npm install pg/)])
  })
})
