// npm run test:time -- [--times N] [--busy N] [--list] [words in paths …]: the tests whose verdict depends on real time, again
// and again, beside busy loops if wished. Which they are is found out, not listed by hand: every test file that measures a
// duration, sets a timer, gives the code under test a limit of time, or makes password hashes. What is bounded by processor time
// or runs in virtual time does not depend on it; nor does a test that waits until something has happened, however long that takes,
// or pauses before it kills a process: `node scripts/busy.mjs 4 -- npm test` runs those.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chosenBy, testFiles } from './test-files.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const MEASURED = /systemClock\.monotonicMs|performance\.now|hrtime/
const TIMERS = /setTimeout\(|setInterval\(|AbortSignal\.timeout/
const LIMITS = /imeoutMs\b|deadlineMs\b|'--timeout'/
const HASHES = /hashPassword|password-desk/
const DEPENDS_ON_TIME = [MEASURED, TIMERS, LIMITS, HASHES]

/** Paths of test files, relative to the checkout. */
function timeTests() {
  return testFiles(ROOT, ['src', 'lab', 'bench', 'bin', 'test', 'web']).filter(dependsOnTime)
}

function dependsOnTime(path) {
  const text = readFileSync(join(ROOT, path), 'utf8')
  return DEPENDS_ON_TIME.some((pattern) => pattern.test(text))
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
  // Most of them wait most of the time: many beside each other are over sooner, and are busier for each other.
  const vitest = ['npx', 'vitest', 'run', '--maxWorkers', '8', ...chosen]
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
