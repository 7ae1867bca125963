import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { serviceManager } from '../../src/cli/service-manager.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { eventually } from '../support/patience.ts'

const LISTEN = `
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); s.bind(sys.argv[1]); print('open', flush=True)
while True: print(s.recv(4096).decode().replace('\\n', ' '), flush=True)
`
const canRun = ['systemd-notify', 'python3'].every((name) => spawnSync(name, ['--version']).status === 0)
if (!canRun) console.warn('Skipped, systemd-notify or python3 is missing: what a service manager is told')

let folder: string
let listener: ChildProcess
let heard = ''

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-notify-'))
  heard = ''
  if (!canRun) return
  listener = spawn('python3', ['-c', LISTEN, join(folder, 'notify')], { stdio: ['ignore', 'pipe', 'inherit'] })
  listener.stdout?.on('data', (data: Buffer) => void (heard += data))
  await eventually(() => heard.includes('open'))
})
afterEach(() => {
  listener?.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

it.runIf(canRun)('is told when the node serves, that it lives, and that it ends', async () => {
  const env = { NOTIFY_SOCKET: join(folder, 'notify'), WATCHDOG_USEC: '300000' }
  const manager = serviceManager(env, systemClock)
  await manager.ready()
  expect(await eventually(() => heard.includes('READY=1'))).toBe(true)
  expect(heard).toContain(`MAINPID=${process.pid}`)
  expect(await eventually(() => heard.split('WATCHDOG=1').length > 2)).toBe(true)
  await manager.stopping()
  expect(await eventually(() => heard.includes('STOPPING=1'))).toBe(true)
})

it('is told nothing where there is none', async () => {
  const manager = serviceManager({}, systemClock)
  await manager.ready()
  await manager.stopping()
})
