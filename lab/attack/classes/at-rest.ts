import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { AttackClass } from '../attack.ts'
import { rss, serving } from '../documents.ts'
import { startProcess } from '../node-process.ts'
import { PASSWORD } from '../people.ts'
import { type AttackedNode, type AttackStage, NEAR } from '../stage.ts'

/** No two have anything in common, and none occurs anywhere else. */
const SECRETS = {
  password: 'zq-basic-auth-secret',
  header: 'zq-header-secret',
  proxy: 'zq-proxy-secret',
  address: 'zq-address-secret',
  smtp: 'zq-smtp-secret',
}

export const atRest: AttackClass = {
  name: 'at-rest',
  promise:
    'Other users of the machine read nothing, backups and databases give no log-in away, and half a database is no new node',
  async run(stage, effort) {
    if (process.platform === 'win32') return { tries: 0, hits: [], skipped: ['there are no modes of files here'] }
    const server = await stage.startServer(serving(() => rss('plain', [{ id: 'one' }, { id: 'two' }])))
    const node = await openedWide(stage)
    const hits: string[] = []
    const token = await fill(node, server.url('/'))
    let tries = lookAtModes(node, 'while it runs', hits)
    tries += lookForSecrets(node, [...Object.values(SECRETS), PASSWORD, token], hits)
    const backup = await node.owner.ask('GET', '/api/backup')
    const bytes = Buffer.from(backup.text, 'utf8')
    const found = Object.entries(SECRETS).filter(([, secret]) => backup.text.includes(secret))
    for (const [name] of found) hits.push(`the ${name} is in a backup`)
    if (backup.status !== 200 || bytes.length < 10_000) throw new Error(`there is no backup: ${backup.status}`)
    const key = readFileSync(join(node.dataDir, 'headwater.key'), 'utf8').trim()
    if (backup.text.includes(key)) hits.push('the key is in a backup')
    tries += Object.keys(SECRETS).length + 1
    await node.stop()
    tries += lookAtModes(node, 'after it ended', hits)
    tries += await halves(stage, node, effort === 'full' ? HALVES : HALVES.slice(0, 2), hits)
    return { tries, hits }
  },
}

/** A folder as an earlier version or a careless copy left it: open to everybody. */
async function openedWide(stage: AttackStage): Promise<AttackedNode> {
  const dataDir = join(stage.folder, 'wide')
  mkdirSync(dataDir)
  chmodSync(dataDir, 0o755)
  const settings = join(dataDir, 'headwater.json')
  writeFileSync(settings, JSON.stringify({ smtpUrl: `smtp://me:${SECRETS.smtp}@127.0.0.1:9` }))
  chmodSync(settings, 0o644)
  return stage.startNode({ flags: NEAR, dataDir })
}

/** The secret of a token comes back. */
async function fill(node: AttackedNode, url: string): Promise<string> {
  const { owner } = node
  await owner.must('POST', '/api/sources', { url, discover: false })
  await owner.must('POST', '/api/sources', {
    url: 'http://127.0.0.1:9/private',
    discover: false,
    basicAuth: { user: 'me', password: SECRETS.password },
    headers: { 'x-key': SECRETS.header },
    proxyUrl: `http://me:${SECRETS.proxy}@127.0.0.1:9`,
  })
  await owner.must('POST', '/api/sources', { url: `http://me:${SECRETS.address}@127.0.0.1:9/`, discover: false })
  await owner.must('POST', '/api/queries', { text: 'CREATE FEED plain AS RETURN ALL;' })
  return owner.token('read')
}

/** What subscriptions write below `files` is meant for others, and lies behind the closed folder. */
function lookAtModes({ dataDir }: AttackedNode, when: string, hits: string[]): number {
  const names = readdirSync(dataDir).filter((name) => name !== 'files')
  for (const name of ['.', ...names]) {
    const { mode } = lstatSync(join(dataDir, name))
    if ((mode & 0o077) !== 0) hits.push(`${name} has mode ${(mode & 0o777).toString(8)} ${when}`)
  }
  return names.length + 1
}

function lookForSecrets({ dataDir }: AttackedNode, secrets: readonly string[], hits: string[]): number {
  const names = readdirSync(dataDir).filter((name) => /\.db|lock/.test(name))
  for (const name of names) {
    const text = readFileSync(join(dataDir, name)).toString('latin1')
    for (const secret of secrets) if (text.includes(secret)) hits.push(`${secret} is in ${name}`)
  }
  return names.length * secrets.length
}

const HALVES: readonly (readonly [string, (path: string) => void])[] = [
  ['0 bytes', (path) => truncateSync(path, 0)],
  ['half of it', (path) => truncateSync(path, Math.floor(statSync(path).size / 2))],
  ['its first page', (path) => truncateSync(path, 16_384)],
  ['a part of its header', (path) => truncateSync(path, 80)],
  ['zeros', (path) => writeFileSync(path, Buffer.alloc(statSync(path).size))],
  ['other bytes', (path) => writeFileSync(path, 'x'.repeat(100_000))],
]

/** Harm: a node that starts over as if nothing had been there, or that changes what could still be saved. */
async function halves(stage: AttackStage, node: AttackedNode, ways: typeof HALVES, hits: string[]): Promise<number> {
  for (const [i, [what, spoil]] of ways.entries()) {
    const dataDir = join(stage.folder, `half-${i}`)
    cpSync(node.dataDir, dataDir, { recursive: true })
    const path = join(dataDir, 'headwater.db')
    spoil(path)
    const before = readFileSync(path)
    const flags = ['--port', '0', '--data', dataDir, '--log-level', 'error']
    const served = startProcess({ flags, env: {}, nodeArgs: [] })
    const hasEnded = await stage.eventually(() => !served.isRunning() || /serves on/.test(served.output()))
    if (served.isRunning() || !hasEnded) hits.push(`a database of ${what} starts as a new node`)
    else if (!/headwater restore/.test(served.output())) hits.push(`a database of ${what}: the error names no way out`)
    served.signal('SIGKILL')
    await served.exit
    if (!existsSync(path) || !readFileSync(path).equals(before)) hits.push(`a database of ${what} was changed`)
  }
  return ways.length
}
