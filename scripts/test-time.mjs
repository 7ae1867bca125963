// npm run test:time -- [--times N] [--busy N] [--list] [words in paths …]: the tests that read real time, again and again,
// beside busy loops if wished. Which they are is found out, not listed by hand: every test file that reads a clock, waits,
// or starts a process, by itself or through what it imports from the tests and the attack suite.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const READS_TIME =
  /systemClock|Date\.now|performance\.now|setTimeout|setInterval|AbortSignal\.timeout|expect\s*\.poll|waitFor|cpuUsage|hrtime|\bspawn|execFile|startNode|startWorld|startServe|hashPassword/
const SUPPORT = /^(test|lab\/attack|lab\/live|lab\/worlds)\//
const IMPORT = /from '(\.[^']+)'/g

/** Paths of test files, relative to the checkout. */
export function timeTests() {
  return ['src', 'lab', 'bench', 'bin', 'test', 'web']
    .filter((folder) => existsSync(join(ROOT, folder)))
    .flatMap((folder) => testFiles(join(ROOT, folder)))
    .filter((path) => readsTime(path, new Set()))
    .map((path) => relative(ROOT, path))
    .sort()
}

function testFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules') return []
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return testFiles(path)
    return /\.test\.tsx?$/.test(entry.name) && !/\.long\.test\./.test(entry.name) ? [path] : []
  })
}

function readsTime(path, seen) {
  if (seen.has(path) || !existsSync(path)) return false
  seen.add(path)
  const text = readFileSync(path, 'utf8')
  if (READS_TIME.test(text)) return true
  const imported = [...text.matchAll(IMPORT)].map(([, name]) => resolve(dirname(path), name))
  return imported.some((file) => SUPPORT.test(relative(ROOT, file)) && readsTime(file, seen))
}

function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { times: { type: 'string' }, busy: { type: 'string' }, list: { type: 'boolean' } },
  })
  const chosen = timeTests().filter(
    (path) => positionals.length === 0 || positionals.some((word) => path.includes(word)),
  )
  if (values.list) {
    console.log(chosen.join('\n'))
    return 0
  }
  const vitest = ['npx', 'vitest', 'run', ...chosen]
  const beside = values.busy === undefined ? [] : ['node', `${ROOT}scripts/busy.mjs`, values.busy, '--']
  const [command, ...args] = [...beside, ...vitest]
  let failures = 0
  const times = Number(values.times ?? 1)
  for (let run = 1; run <= times; run++) {
    const { status } = spawnSync(command, args, { stdio: 'inherit', cwd: ROOT })
    if (status !== 0) failures++
    console.log(`run ${run} of ${times}: ${status === 0 ? 'passed' : 'failed'}; ${failures} failed so far`)
  }
  return failures === 0 ? 0 : 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main()
