import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HEADWATER } from '../e2e/cli-process.ts'
import { hasTools } from '../support/debian-tools.ts'
import { eventually } from '../support/patience.ts'

const UNIT = readFileSync(join(import.meta.dirname, '../../deploy/systemd/headwater.service'), 'utf8')
const hasSandbox =
  hasTools(['bwrap'], ['bubblewrap']) &&
  spawnSync('bwrap', ['--ro-bind', '/', '/', '--dev', '/dev', 'true']).status === 0
if (!hasSandbox) console.warn('Skipped, bubblewrap is missing or not allowed: the command of the unit in its sandbox')

let folder: string
let node: ChildProcess | undefined
let output = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-unit-'))
  output = ''
})
afterEach(() => {
  node?.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

describe.runIf(hasSandbox)('the command of the unit, where no systemd runs', () => {
  it('serves with a read-only system, homes and devices away, no capabilities, as nobody, and ends well', async () => {
    const [, line = ''] = /^ExecStart=(.*)$/m.exec(UNIT) ?? []
    const words = line
      .replace('/usr/bin/node', process.execPath)
      .replace('/usr/lib/headwater/dist/bin/headwater.js', HEADWATER)
      .replace('/var/lib/headwater', folder)
      .split(' ')
    const sandbox = [
      // ProtectSystem=strict, StateDirectory, ProtectHome, PrivateDevices, ProtectProc, RemoveIPC, ProtectHostname.
      ...['--ro-bind', '/', '/', '--bind', folder, folder, '--tmpfs', '/home', '--dev', '/dev', '--proc', '/proc'],
      ...['--unshare-ipc', '--unshare-uts', '--unshare-pid', '--unshare-user', '--uid', '65534', '--gid', '65534'],
      // CapabilityBoundingSet=, and NoNewPrivileges, which bubblewrap always sets.
      ...['--cap-drop', 'ALL', '--new-session', '--die-with-parent'],
    ]
    const env = { PATH: process.env['PATH'], HEADWATER_PORT: '0' }
    node = spawn('bwrap', [...sandbox, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [node.stdout, node.stderr]) stream?.on('data', (data: Buffer) => void (output += data))
    expect(await eventually(() => /serves on (http:\S+)/.test(output) || node?.exitCode !== null), output).toBe(true)
    const [, url = ''] = /serves on (http:\S+)/.exec(output) ?? []
    expect((await fetch(new URL('/health', url))).status).toBe(200)
    expect(readdirSync(folder)).toContain('headwater.db')
  })
})
