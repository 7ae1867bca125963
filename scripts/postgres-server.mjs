// A PostgreSQL server of our own in a scratch folder, for tests and benches:
//   node scripts/postgres-server.mjs FOLDER --while PID [--standby-of FOLDER] [--tls PORT --cert FILE --key FILE]
//     [--listen ADDRESS --from RANGE] [--durable] [--again]
// It listens on a socket in that folder, with --tls also on that port of localhost, with --listen also on that address, for
// whoever comes from that range. It writes FOLDER/ready.json when it can be asked, and ends when the process PID has ended, or
// at SIGTERM. Then the folder is removed.
// --durable: what was committed is there after the server was killed (not after the machine went down).
// --again: a server that was killed is started again on what it left, and ready.json written anew, unless there is FOLDER/down.
import { spawn, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const DEBIAN = '/usr/lib/postgresql'
const OLDEST_VERSION = 15
/** PostgreSQL refuses to run as root; this user is made where root runs the tests. */
const TEST_USER = 'headwater-postgres'
/** The user within the database. */
const DATABASE_USER = 'headwater'
const LOOK_EVERY_MS = 500
/** Processes of one that was killed go away by themselves, and a new one does not start before. */
const START_AGAIN_AFTER_MS = 100

/**
 * Nothing here survives the test run, so nothing waits for the disk. What a commit, a lock or a snapshot promises is the
 * same as with the defaults.
 */
const SETTINGS = {
  listen_addresses: '',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  shared_buffers: '64MB',
  max_wal_size: '4GB',
  autovacuum_naptime: '20s',
}

/** The kernel keeps what was written when a process is killed, so nothing need wait for the disk here either. */
const DURABLE = { synchronous_commit: 'on', full_page_writes: 'on' }

/** Where initdb and postgres are; null: nowhere, or they are too old. */
export function findPostgres() {
  const own = process.env.POSTGRES_BIN
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [...(own ? [own] : []), ...versions.map((version) => join(DEBIAN, version, 'bin')), ...inPath()]
  return folders.find((folder) => versionOf(folder) >= OLDEST_VERSION && existsSync(join(folder, 'initdb'))) ?? null
}

function inPath() {
  return (process.env.PATH ?? '').split(':').filter((folder) => folder !== '' && existsSync(join(folder, 'postgres')))
}

function versionOf(folder) {
  const { status, stdout } = spawnSync(join(folder, 'postgres'), ['--version'], { encoding: 'utf8' })
  return status === 0 ? Number(/(\d+)/.exec(stdout)?.[1] ?? 0) : 0
}

/** Who the server runs as: the user who runs this, or an unprivileged user where that is root. */
function serverUser() {
  if (process.getuid?.() !== 0) return {}
  if (spawnSync('id', [TEST_USER], { stdio: 'ignore' }).status !== 0) {
    spawnSync('useradd', ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', TEST_USER])
  }
  const idOf = (what) => Number(spawnSync('id', [what, TEST_USER], { encoding: 'utf8' }).stdout)
  const [uid, gid] = [idOf('-u'), idOf('-g')]
  if (!Number.isInteger(uid) || uid === 0)
    throw new Error(`PostgreSQL refuses root, and no user ${TEST_USER} can be made`)
  return { uid, gid }
}

const own = (user, path) => {
  if (user.uid !== undefined) chownSync(path, user.uid, user.gid)
}

/** New, or a copy of the server whose socket is in the folder `primary`, which it then follows. */
function makeCluster(bin, folder, user, primary) {
  const data = join(folder, 'data')
  mkdirSync(data, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
  for (const path of [folder, data]) own(user, path)
  const [program, options] =
    primary === undefined
      ? ['initdb', ['--auth=trust', '--encoding=UTF8', '--no-locale', '--no-sync', `--username=${DATABASE_USER}`]]
      : ['pg_basebackup', ['-h', primary, '-U', DATABASE_USER, '-R', '--checkpoint=fast', '--no-sync']]
  const { status, stderr } = spawnSync(join(bin, program), ['-D', data, ...options], {
    ...user,
    cwd: folder,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${program}: ${stderr}`)
  return data
}

/** What TLS needs: PostgreSQL reads only a key that is its own. */
function tlsSettings(folder, user, { tls, cert, key }) {
  if (tls === undefined) return {}
  const files = { ssl_cert_file: cert, ssl_key_file: key }
  for (const [name, path] of Object.entries(files)) {
    files[name] = join(folder, name)
    copyFileSync(path, files[name])
    chmodSync(files[name], 0o600)
    own(user, files[name])
  }
  return { ...files, ssl: 'on', listen_addresses: 'localhost', port: tls }
}

/** A standby has what its primary lets in; a new one lets in who comes by its socket or from this machine. */
function listenSettings(data, { listen, from }) {
  if (listen === undefined) return {}
  appendFileSync(join(data, 'pg_hba.conf'), `host all all ${from} trust\n`)
  return { listen_addresses: listen }
}

function startServer(bin, data, folder, user, more) {
  const settings = Object.entries({ ...SETTINGS, ...more, unix_socket_directories: folder })
  const log = join(folder, 'log')
  const args = ['-D', data, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  const server = spawn(join(bin, 'postgres'), args, { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  server.stderr.on('data', (text) => writeFileSync(log, text, { flag: 'a' }))
  return server
}

const isThere = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Whole or not at all, because others look for it. */
function report(folder, name, content) {
  writeFileSync(join(folder, `${name}.new`), JSON.stringify(content))
  renameSync(join(folder, `${name}.new`), join(folder, name))
}

function canBeAsked(bin, folder, port = '5432') {
  const where = ['-h', folder, '-p', port, '-U', DATABASE_USER, '-d', 'postgres']
  return spawnSync(join(bin, 'pg_isready'), ['-q', ...where]).status === 0
}

async function run(folder, watchedPid, options) {
  const bin = findPostgres()
  if (bin === null) throw new Error(`PostgreSQL ${OLDEST_VERSION} or newer is not here: apt-get install postgresql`)
  const user = serverUser()
  const data = makeCluster(bin, folder, user, options['standby-of'])
  const settings = {
    ...(options.durable ? DURABLE : {}),
    ...tlsSettings(folder, user, options),
    ...listenSettings(data, options),
  }
  let isStopping = false
  let server
  // Fast: connections are ended, nothing is written that anybody will read.
  const stop = () => {
    isStopping = true
    server.kill('SIGQUIT')
  }
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, stop)
  const timer = setInterval(() => {
    if (!isThere(watchedPid)) stop()
  }, LOOK_EVERY_MS)
  let wasReady = false
  do {
    if (wasReady) await sleep(START_AGAIN_AFTER_MS)
    server = startServer(bin, data, folder, user, settings)
    wasReady = (await serve(server, bin, folder, options)) || wasReady
  } while (options.again && wasReady && !isStopping && !existsSync(join(folder, 'down')))
  // Whoever wants it gone says so: what a server that is down has left may still be looked at.
  while (options.again && wasReady && !isStopping) await sleep(LOOK_EVERY_MS)
  clearInterval(timer)
  if (!wasReady) throw new Error(`postgres ended before it accepted connections; see ${join(folder, 'log')}`)
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Until it ends; true: it could be asked. */
async function serve(server, bin, folder, { tls }) {
  const ended = new Promise((resolve) => server.once('exit', resolve))
  let isReady = false
  while (!isReady && server.exitCode === null && server.signalCode === null) {
    isReady = canBeAsked(bin, folder, tls)
    if (isReady) report(folder, 'ready.json', { host: folder, user: DATABASE_USER, pid: server.pid, bin })
    else await sleep(50)
  }
  await ended
  return isReady
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const names = ['while', 'standby-of', 'tls', 'cert', 'key', 'listen', 'from']
  const options = {
    ...Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    durable: { type: 'boolean' },
    again: { type: 'boolean' },
  }
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const [folder] = positionals
  const pid = Number(values.while)
  if (folder === undefined || !Number.isInteger(pid)) {
    console.error('node scripts/postgres-server.mjs FOLDER --while PID')
    process.exit(2)
  }
  try {
    await run(folder, pid, values)
    rmSync(folder, { recursive: true, force: true })
  } catch (error) {
    mkdirSync(folder, { recursive: true })
    report(folder, 'failed.json', { message: error instanceof Error ? error.message : String(error) })
    process.exit(1)
  }
}
