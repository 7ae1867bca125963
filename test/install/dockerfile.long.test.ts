import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../e2e/world-node.ts'
import { hasTools } from '../support/debian-tools.ts'
import { eventually } from '../support/patience.ts'
import { debianMirror } from './debian-mirror.ts'
import { type DockerStep, readDockerfile, readEnv, readWords } from './dockerfile.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const STAGES = readDockerfile(readFileSync(join(ROOT, 'deploy/docker/Dockerfile'), 'utf8'))
const [build, image] = STAGES

const from = debianMirror()
const canRun =
  process.getuid?.() === 0 &&
  from !== null &&
  hasTools(['debootstrap', 'bwrap'], ['debootstrap', 'bubblewrap']) &&
  spawnSync('bwrap', ['--ro-bind', '/', '/', '--dev', '/dev', 'true']).status === 0
if (!canRun) console.warn('Skipped, it takes root, Debian, debootstrap and bubblewrap: the steps of the Dockerfile')

function run(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): string {
  const { status, stdout, stderr } = spawnSync(command, [...args], { encoding: 'utf8', ...options })
  const text = `${stdout}${stderr}`
  expect(status, `${command} ${args.join(' ')}: ${text.slice(-3_000)}`).toBe(0)
  return text
}

/** What a build would be sent: files of the repository, as they are in this checkout. */
function copyContext(what: string, to: string): void {
  const files = run('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', what], { cwd: ROOT })
  for (const path of files.split('\n').filter((one) => one !== '' && existsSync(join(ROOT, one))))
    cpSync(join(ROOT, path), join(to, path), { recursive: true })
}

/**
 * Where no container engine is, the steps are carried out one after the other, as the Dockerfile has them: those of the image in an
 * empty root, those of the build in a folder of this machine, because its image has no compiler and the compiled part of the
 * database comes from a place that tests do not reach.
 */
describe.runIf(canRun)('the steps of the Dockerfile', () => {
  let folder: string
  let root: string
  let node: ChildProcess | undefined
  /** Where the paths of the build stage are. */
  const built = (path: string) => join(folder, 'build-stage', path)

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'headwater-image-'))
    root = join(folder, 'root')
    expect([build?.image, image?.image]).toEqual(['node:22-bookworm-slim', 'node:22-bookworm-slim'])
    run('debootstrap', ['--variant=minbase', '--include=libstdc++6', 'bookworm', root, from ?? ''])
    copyFileSync(process.execPath, join(root, 'usr/bin/node'))
  })
  afterAll(() => {
    node?.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })

  it('build the program from what is in the repository', () => {
    let at = '/'
    for (const { kind, rest } of build?.steps ?? []) {
      if (kind === 'WORKDIR') mkdirSync(built((at = rest)), { recursive: true })
      else if (kind === 'RUN') run('/bin/sh', ['-c', rest], { cwd: built(at), env: { ...process.env, NODE_ENV: '' } })
      else if (kind === 'COPY') for (const what of rest.split(/\s+/).slice(0, -1)) copyContext(what, built(at))
      else throw new Error(`this test does not know ${kind}`)
    }
    expect(existsSync(built('/build/dist/bin/headwater.js'))).toBe(true)
    // Without what only developers need.
    expect(existsSync(built('/build/node_modules/vitest'))).toBe(false)
  })

  it('make an image whose program serves as its user, with a read-only root, and is healthy', async () => {
    const steps = image?.steps ?? []
    const at = applyImage(steps)
    expect(statSync(join(root, 'data')).uid).toBe(10_001)
    const [uid = '', gid = ''] = (steps.find(({ kind }) => kind === 'USER')?.rest ?? '').split(':')
    const env = { ...readEnv(steps), HEADWATER_PORT: String(await freePort()) }
    const words = [...readWords(steps, 'ENTRYPOINT'), ...readWords(steps, 'CMD')]
    const sandbox = [
      ...['--ro-bind', root, '/', '--bind', join(root, 'data'), '/data', '--tmpfs', '/tmp', '--proc', '/proc'],
      ...['--dev', '/dev', '--unshare-pid', '--new-session', '--die-with-parent', '--chdir', at, '--clearenv'],
      ...['--cap-drop', 'ALL', '--cap-add', 'CAP_SETUID', '--cap-add', 'CAP_SETGID'],
      ...Object.entries({ PATH: '/usr/sbin:/usr/bin:/sbin:/bin', ...env }).flatMap((pair) => ['--setenv', ...pair]),
    ]
    // bubblewrap makes the root read-only, which takes root; then the user of the image takes over.
    const user = ['setpriv', '--reuid', uid, '--regid', gid, '--clear-groups', '--no-new-privs', '--']
    const inImage = (command: readonly string[]) => [...sandbox, ...user, ...command]
    let output = ''
    node = spawn('bwrap', inImage(words), { stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [node.stdout, node.stderr]) stream?.on('data', (data: Buffer) => void (output += data))
    const url = `http://127.0.0.1:${env.HEADWATER_PORT}/health`
    const isUp = () =>
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      )
    expect(await eventually(async () => node?.exitCode !== null || (await isUp())), output).toBe(true)
    expect(await isUp(), output).toBe(true)
    expect(statSync(join(root, 'data/headwater.db')).uid).toBe(10_001)
    run('bwrap', inImage(readWords(steps, 'HEALTHCHECK')))
    const ended = new Promise((done) => node?.once('exit', done))
    node.kill('SIGKILL')
    await ended
    expect(spawnSync('bwrap', inImage(readWords(steps, 'HEALTHCHECK'))).status).not.toBe(0)
  })

  /** Carries out what changes files; returns the folder that the program starts in. */
  function applyImage(steps: readonly DockerStep[]): string {
    let at = '/'
    for (const { kind, rest } of steps) {
      if (kind === 'WORKDIR') mkdirSync(join(root, (at = rest)), { recursive: true })
      else if (kind === 'RUN')
        run('chroot', [root, '/usr/bin/env', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin', '/bin/sh', '-c', rest])
      else if (kind === 'COPY') {
        const [, path = '', to = ''] = /^--from=build (\S+) (\S+)$/.exec(rest) ?? []
        const target = to.endsWith('/') ? join(to, path.split('/').at(-1) ?? '') : to
        cpSync(built(path), join(root, at, target), { recursive: true, verbatimSymlinks: true })
      }
    }
    return at
  }
})
