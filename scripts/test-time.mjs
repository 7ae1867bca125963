// npm run test:time -- [--times N] [--busy N] [--list] [words in paths …]: the tests that read real time, again and again,
// beside busy loops if wished. Which they are is found out, not listed by hand: every test file that reads a clock, waits,
// or starts a process, by itself or through what it imports from the tests and the attack suite.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chosenBy, testFiles } from './test-files.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const READS_TIME =
  /systemClock|Date\.now|performance\.now|setTimeout|setInterval|AbortSignal\.timeout|expect\s*\.poll|waitFor|cpuUsage|hrtime|\bspawn|execFile|startNode|startWorld|startServe|hashPassword/
const SUPPORT = /^(test|lab\/attack|lab\/live|lab\/worlds)\//
const IMPORT = /from '(\.[^']+)'/g

/** Paths of test files, relative to the checkout. */
export function timeTests() {
  return testFiles(ROOT, ['src', 'lab', 'bench', 'bin', 'test', 'web']).filter((path) =>
    readsTime(join(ROOT, path), new Set()),
  )
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
  const chosen = chosenBy(positionals, timeTests())
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
