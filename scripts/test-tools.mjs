// The tests have real feed readers read our feeds, and run against a real PostgreSQL. Finds those programs, or
// installs them where that can be done without asking (as root on a system with apt), or says what to install.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { findPostgres } from './postgres-server.mjs'

const TOOLS = [
  {
    name: "Python 3 with feedparser (Debian's package)",
    packages: ['python3-feedparser'],
    // The interpreter of the system first: another python3 may come earlier in PATH and not know the package.
    isThere: () => ['/usr/bin/python3', 'python3'].some((python) => runs(python, ['-c', 'import feedparser'])),
    elsewhere: 'python3 -m pip install feedparser',
  },
  {
    name: 'newsboat',
    packages: ['newsboat'],
    isThere: () => runs('newsboat', ['-v']),
    elsewhere: 'brew install newsboat, or see https://newsboat.org',
  },
  {
    name: 'tmux, in which newsboat is driven',
    packages: ['tmux'],
    isThere: () => runs('tmux', ['-V']),
    elsewhere: 'brew install tmux',
  },
  {
    name: 'Chromium, for the tests of the dashboard',
    packages: ['chromium'],
    isThere: () => [process.env.CHROMIUM, 'chromium', 'chromium-browser', 'google-chrome'].some(isBrowser),
    elsewhere: 'install Chromium or Chrome, and name its program in the variable CHROMIUM',
  },
  {
    name: 'PostgreSQL 15 or newer',
    packages: ['postgresql'],
    isThere: () => findPostgres() !== null,
    elsewhere: 'brew install postgresql@17, and name the folder of its programs in the variable POSTGRES_BIN',
  },
  {
    name: 'zsh and fish, which read our completions',
    packages: ['zsh', 'fish'],
    isThere: () => runs('zsh', ['--version']) && runs('fish', ['--version']),
    elsewhere: 'brew install zsh fish',
    // Without them their tests say that they are skipped.
    isOptional: true,
  },
]

function runs(command, args, options = {}) {
  return spawnSync(command, args, { stdio: 'ignore', timeout: 300_000, ...options }).status === 0
}

function isBrowser(command) {
  return command !== undefined && command !== '' && runs(command, ['--version'])
}

function missingTools() {
  return TOOLS.filter((tool) => !tool.isThere())
}

/** Debian's package would make and start a server of its own; the tests start theirs in a scratch folder. */
function makeNoCluster() {
  const folder = '/etc/postgresql-common'
  const file = `${folder}/createcluster.conf`
  if (existsSync(file)) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, 'create_main_cluster = false\n')
}

function install(packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  console.log(`Installing what the tests use: ${packages.join(' ')}`)
  // A list that cannot be refreshed in part (a broken third-party entry) may still know these packages.
  runs('apt-get', ['update', '-qq'], { env })
  if (packages.includes('postgresql')) makeNoCluster()
  const { status } = spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], {
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 600_000,
    env,
  })
  return status === 0
}

let missing = missingTools()
if (missing.length > 0 && process.getuid?.() === 0 && runs('apt-get', ['--version'])) {
  if (install(missing.flatMap((tool) => tool.packages))) missing = missingTools()
}
for (const { name } of missing.filter(({ isOptional }) => isOptional))
  console.log(`Some tests are skipped without ${name}`)
const needed = missing.filter(({ isOptional }) => !isOptional)
if (needed.length > 0) {
  console.error('The tests need programs that are not here:')
  for (const { name, packages, elsewhere } of needed) {
    console.error(`  ${name}`)
    console.error(`    Debian, Ubuntu: sudo apt-get install ${packages.join(' ')}`)
    console.error(`    elsewhere:      ${elsewhere}`)
  }
  process.exit(1)
}
