// A version of Node from the package registry, and a copy of a checkout that it can run.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

/** Something that the person at the terminal can do something about. */
export class Unavailable extends Error {}

/**
 * better-sqlite3 12 aborts while garbage is collected (`Assertion failed: (env) != nullptr`) if it is compiled with the
 * headers of Node 24.19 or newer, whose ObjectWrap removes a hook when it ends. Compiled with older ones it runs on all of 24,
 * and so do the addons that its authors compile. Version 13 would help, but needs Node 22 (it crashes on 20).
 */
const OLDER_HEADERS = [{ major: 24, fromMinor: 19, headers: '24.18.1' }]

/** A version of Node with the headers to compile addons for it. */
export function installNode(version, folder) {
  const node = installPackage(version, join(folder, 'node'))
  const [major, minor] = node.version.slice(1).split('.').map(Number)
  const older = OLDER_HEADERS.find((row) => row.major === major && minor >= row.fromMinor)
  const from = older === undefined ? node : installPackage(older.headers, join(folder, 'headers'))
  return { ...node, headers: from.home, headersVersion: from.version }
}

/** Installs the package `node` into a folder. Its platform's part holds the program and, beside it, the headers. */
function installPackage(version, folder) {
  mkdirSync(folder, { recursive: true })
  const args = ['install', `node@${version}`, '--prefix', folder, '--no-save', '--no-audit', '--no-fund']
  const { status, stderr, error } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' })
  if (status !== 0) {
    throw new Unavailable(`the registry gave no package node@${version}:\n${indented(error?.message ?? stderr)}`)
  }
  const home = findHome(join(folder, 'node_modules'))
  if (home === null) {
    throw new Unavailable(
      `the package node@${version} has no program with headers for ${process.platform}-${process.arch}; ` +
        'if npm was told to run no install scripts, allow them for "node"',
    )
  }
  const ran = spawnSync(join(home, 'bin/node'), ['--version'], { encoding: 'utf8' })
  if (ran.status !== 0) throw new Unavailable(`node@${version} does not run here: ${ran.error?.message ?? ran.stderr}`)
  return { home, version: ran.stdout.trim() }
}

/** The folder of the platform's package: it has bin/node and include/node. */
function findHome(folder) {
  if (!existsSync(folder)) return null
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (existsSync(join(path, 'include/node/node_version.h')) && existsSync(join(path, 'bin/node'))) return path
    const below = findHome(join(path, 'node_modules'))
    if (below !== null) return below
  }
  return null
}

/** The environment in which programs find this Node first, and addons are compiled with its headers. */
export function environmentOf({ home, headers }) {
  return {
    ...process.env,
    PATH: `${join(home, 'bin')}${delimiter}${process.env.PATH}`,
    npm_config_nodedir: headers,
    npm_config_build_from_source: 'true',
  }
}

/** All but what the next build or install makes again; data that tests read beside the checkout stays where it is. */
export function copyCheckout(root, target) {
  const left = new Set(['.git', 'coverage', 'headwater-data'].map((name) => join(root, name)))
  cpSync(root, target, { recursive: true, verbatimSymlinks: true, filter: (path) => !left.has(path) })
  const shared = join(root, '../shared')
  const beside = join(dirname(target), 'shared')
  if (existsSync(shared) && !existsSync(beside)) symlinkSync(shared, beside)
}

/** Compiles the one addon that the node uses, and opens a database with it. */
export function rebuildAddon(checkout, node) {
  const options = { cwd: checkout, env: environmentOf(node), encoding: 'utf8' }
  const built = spawnSync('npm', ['rebuild', 'better-sqlite3'], options)
  if (built.status !== 0) {
    throw new Unavailable(`better-sqlite3 cannot be compiled for Node ${node.version}:\n${indented(built.stderr)}`)
  }
  const open = "new (require('better-sqlite3'))(':memory:').pragma('user_version')"
  const opened = spawnSync(join(node.home, 'bin/node'), ['-e', open], options)
  if (opened.status !== 0) {
    throw new Unavailable(`better-sqlite3 does not run on Node ${node.version}:\n${indented(opened.stderr)}`)
  }
}

const MOST_LINES = 15

function indented(text) {
  return (text ?? '')
    .trim()
    .split('\n')
    .slice(-MOST_LINES)
    .map((line) => `    ${line}`)
    .join('\n')
}
