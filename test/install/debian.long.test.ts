import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasTools } from '../support/debian-tools.ts'
import { debianMirror } from './debian-mirror.ts'

const ROOT = join(import.meta.dirname, '../..')

function run(
  command: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
) {
  const { status, stdout, stderr } = spawnSync(command, [...args], { encoding: 'utf8', ...options })
  return { status, text: `${stdout}${stderr}` }
}

const from = debianMirror()
const canRun =
  process.getuid?.() === 0 && from !== null && hasTools(['debootstrap', 'dpkg-deb'], ['debootstrap', 'dpkg'])
if (!canRun) console.warn('Skipped, it takes root, Debian, and debootstrap: the package in an empty root')

describe.runIf(canRun)('the Debian package, in an empty root', () => {
  let folder: string
  let root: string
  const inRoot = (...command: readonly string[]) =>
    run('chroot', [root, '/usr/bin/env', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin', ...command])

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'headwater-deb-'))
    root = join(folder, 'root')
    const made = run('debootstrap', ['--variant=minbase', '--include=adduser,libstdc++6', 'bookworm', root, from ?? ''])
    expect(made.status, made.text.slice(-2_000)).toBe(0)
    // Debian's own nodejs is older than what the package needs; this one stands in for it.
    copyFileSync(process.execPath, join(root, 'usr/bin/node'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('is made, installed, runs, and leaves data behind when it goes', () => {
    const made = run('sh', [join(ROOT, 'deploy/debian/build-deb.sh'), folder])
    expect(made.status, made.text.slice(-2_000)).toBe(0)
    const [name = ''] = readdirSync(folder).filter((one) => one.endsWith('.deb'))
    copyFileSync(join(folder, name), join(root, 'headwater.deb'))
    const installed = inRoot('dpkg', '--force-depends', '-i', '/headwater.deb')
    expect(installed.status, installed.text).toBe(0)
    expect(inRoot('headwater', '--version').text).toContain(
      JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version,
    )
    expect(inRoot('stat', '-c', '%U %a', '/var/lib/headwater').text.trim()).toBe('headwater 700')
    const added = inRoot(
      'runuser',
      '-u',
      'headwater',
      '--',
      'headwater',
      'source',
      'import',
      '--data',
      '/var/lib/headwater',
      '/dev/null',
    )
    // An empty list is refused, by a program that runs with its database.
    expect(added.text).toContain('OPML_INVALID')
    writeFileSync(join(root, 'var/lib/headwater/kept'), '')
    const removed = inRoot('dpkg', '--purge', 'headwater')
    expect(removed.status, removed.text).toBe(0)
    expect(existsSync(join(root, 'usr/lib/headwater/dist'))).toBe(false)
    expect(existsSync(join(root, 'usr/bin/headwater'))).toBe(false)
    expect(existsSync(join(root, 'var/lib/headwater/kept'))).toBe(true)
  })
})
