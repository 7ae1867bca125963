import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../e2e/world-node.ts'
import { hasTools } from '../support/debian-tools.ts'
import { eventually } from '../support/patience.ts'
import { debianMirror } from './debian-mirror.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const NAMESPACES = ['--pid', '--mount', '--cgroup', '--uts', '--ipc']
/** As little of this machine as it starts with: settings of its kernel stay as they are. */
const BOOT = `set -e
mount --make-rprivate /
mount --bind "$1" "$1"
mount -t proc proc "$1/proc"
mount --bind "$1/proc/sys" "$1/proc/sys"
mount -o remount,ro,bind "$1/proc/sys"
mount -t sysfs sysfs "$1/sys"
mount -t cgroup2 none "$1/sys/fs/cgroup"
mount -t tmpfs tmpfs "$1/run"
mount -t tmpfs tmpfs "$1/tmp"
mount --rbind /dev "$1/dev"
exec env -i container=lxc PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot "$1" \
  /lib/systemd/systemd --system --unit=basic.target --log-target=console --show-status=no`

function run(command: string, args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(command, [...args], { encoding: 'utf8' })
  return { status, text: `${stdout}${stderr}`.trim() }
}

/** Namespaces with a group of processes of their own, which containers are mostly not allowed. */
function mayBoot(): boolean {
  const tried =
    'mount --make-rprivate / && mount -t cgroup2 none /mnt && mkdir /mnt/headwater-test && rmdir /mnt/headwater-test'
  return run('unshare', [...NAMESPACES, '--fork', 'sh', '-c', tried]).status === 0
}

const from = debianMirror()
const canRun =
  process.getuid?.() === 0 &&
  from !== null &&
  hasTools(['debootstrap', 'dpkg-deb'], ['debootstrap', 'dpkg']) &&
  mayBoot()
if (!canRun) console.warn('Skipped, it takes root, Debian, debootstrap and namespaces: the unit under a systemd')

describe.runIf(canRun)('the Debian package under a systemd of its own', () => {
  let folder: string
  let root: string
  let port: number
  let machine: ChildProcess
  let output = ''
  let systemd = ''

  const inside = (...command: readonly string[]) =>
    run('nsenter', [
      '-t',
      systemd,
      '-m',
      '-p',
      '-i',
      '-C',
      'chroot',
      root,
      '/usr/bin/env',
      'PATH=/usr/sbin:/usr/bin:/sbin:/bin',
      ...command,
    ])
  const property = (name: string) => inside('systemctl', 'show', 'headwater', '--value', '-p', name).text
  const isHealthy = () =>
    fetch(`http://127.0.0.1:${port}/health`).then(
      ({ ok }) => ok,
      () => false,
    )

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'headwater-systemd-'))
    root = join(folder, 'root')
    port = await freePort()
    const made = run('debootstrap', [
      '--variant=minbase',
      '--include=adduser,libstdc++6,systemd',
      'bookworm',
      root,
      from ?? '',
    ])
    expect(made.status, made.text.slice(-2_000)).toBe(0)
    copyFileSync(process.execPath, join(root, 'usr/bin/node'))
    const built = run('sh', [join(ROOT, 'deploy/debian/build-deb.sh'), folder])
    expect(built.status, built.text.slice(-2_000)).toBe(0)
    const [name = ''] = readdirSync(folder).filter((one) => one.endsWith('.deb'))
    copyFileSync(join(folder, name), join(root, 'headwater.deb'))
    // What the unit waits for, in less time.
    mkdirSync(join(root, 'etc/systemd/system/headwater.service.d'), { recursive: true })
    const own = `[Service]\nEnvironment=HEADWATER_PORT=${port}\nWatchdogSec=20s\nTimeoutStopSec=5s\nRestartSec=1s\n`
    writeFileSync(join(root, 'etc/systemd/system/headwater.service.d/test.conf'), own)

    machine = spawn('unshare', [...NAMESPACES, '--fork', '--kill-child', 'sh', '-c', BOOT, 'sh', root], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [machine.stdout, machine.stderr]) stream?.on('data', (data: Buffer) => void (output += data))
    const children = `/proc/${machine.pid}/task/${machine.pid}/children`
    expect(await eventually(() => (systemd = readFileSync(children, 'utf8').trim()) !== ''), output).toBe(true)
    expect(await eventually(() => inside('systemctl', 'is-active', 'basic.target').text === 'active'), output).toBe(
      true,
    )
  })
  afterAll(async () => {
    if (machine !== undefined && machine.exitCode === null) {
      const ended = new Promise((done) => machine.once('exit', done))
      machine.kill('SIGKILL')
      await ended
    }
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })

  it('is started by its installation, which ends when it serves; as a user without rights, in its sandbox', async () => {
    const installed = inside('dpkg', '--force-depends', '-i', '/headwater.deb')
    expect(installed.status, `${installed.text}\n${output}`).toBe(0)
    expect([property('ActiveState'), property('SubState'), property('Type')]).toEqual(['active', 'running', 'notify'])
    expect(await isHealthy()).toBe(true)
    const status = inside('cat', `/proc/${property('MainPID')}/status`).text
    expect(status).toMatch(/^NoNewPrivs:\s1$/m)
    expect(status).toMatch(/^Seccomp:\s2$/m)
    expect(status).toMatch(/^CapEff:\s0+$/m)
    expect(/^Uid:\s(\d+)/m.exec(status)?.[1]).toBe(inside('id', '-u', 'headwater').text)
    expect(inside('stat', '-c', '%U %a', '/var/lib/headwater/headwater.db').text).toBe('headwater 600')
  })

  it('is started again when it stands still', async () => {
    const before = property('MainPID')
    expect(inside('sh', '-c', `kill -STOP ${before}`).status).toBe(0)
    expect(await eventually(() => property('NRestarts') === '1' && property('ActiveState') === 'active'), output).toBe(
      true,
    )
    expect(property('MainPID')).not.toBe(before)
    expect(await isHealthy()).toBe(true)
  })

  it('stops with the package, and leaves its data', () => {
    const removed = inside('dpkg', '--purge', 'headwater')
    expect(removed.status, removed.text).toBe(0)
    expect(inside('systemctl', 'is-active', 'headwater').text).not.toBe('active')
    expect(existsSync(join(root, 'var/lib/headwater/headwater.db'))).toBe(true)
  })
})
