// npm run bench:against -- REV [--benches parse,store] [--turns 4] [--checkout DIR] [--json] [--strict] [-- flags of the bench]: the benches of this checkout and of
// another commit at the same time on one core, where they take turns of some milliseconds: a machine whose speed swings does so for
// both (two cores differed by a quarter on the same code). Only figures by processor time mean anything then. Shows what each figure costs now
// beside what it did; a loss of more than 3 % needs a reason in docs/decisions, and is a failure with --strict. The other commit is built in a
// temporary folder; --checkout names one that is built already. Without taskset one runs after the other.
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const BENCHES = 'parse,crawl,store,match,join,schedule'
const MOST_LOSS = 0.03
const USAGE =
  'usage: npm run bench:against -- REV [--benches parse,store] [--turns 4] [--checkout DIR] [--json] [--strict] [-- flags of the bench]'
/** Work per second is better when there is more of it, processor time per work when there is less. */
const MORE_IS_BETTER = /Per(Cpu)?Second$/
const LESS_IS_BETTER = /cpu(Ms|Micros)\w*$/i
/** What a bench compares with is no code of ours: how it moves is the noise of the machine. */
const BASELINE = /feedsmith|bare|naive|fts5|scan\b/i

/** Every figure of cost in a report, by its path: `store.cpuMicrosPerItem`. By the clock only where none is by processor time. */
export function costFigures(report, path = '') {
  if (typeof report === 'number') return MORE_IS_BETTER.test(path) || LESS_IS_BETTER.test(path) ? [[path, report]] : []
  if (typeof report !== 'object' || report === null) return []
  const keys = Object.keys(report)
  const isDouble = (key) => key.endsWith('PerSecond') && keys.includes(key.replace(/PerSecond$/, 'PerCpuSecond'))
  const below = (key) => costFigures(report[key], path === '' ? key : `${path}.${key}`)
  return keys.filter((key) => !isDouble(key)).flatMap(below)
}

/** For each figure that both have in every turn: how much of it is lost now (0.05: 5 % worse), the median over the turns. */
export function losses(turns) {
  const paths = turns[0]?.now.map(([path]) => path) ?? []
  return paths.flatMap((path) => {
    const pairs = turns.map(({ before, now }) => ({ before: new Map(before).get(path), now: new Map(now).get(path) }))
    if (pairs.some((pair) => !(pair.before > 0) || !(pair.now > 0))) return []
    const lost = median(pairs.map((pair) => lossOf(path, pair)))
    return [
      { path, before: median(pairs.map((pair) => pair.before)), now: median(pairs.map((pair) => pair.now)), lost },
    ]
  })
}

function lossOf(path, { before, now }) {
  return (MORE_IS_BETTER.test(path) ? before / now : now / before) - 1
}

export function isLoss({ path, lost }) {
  return lost > MOST_LOSS && !BASELINE.test(path)
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      benches: { type: 'string', default: BENCHES },
      turns: { type: 'string', default: '4' },
      help: { type: 'boolean', default: false },
      checkout: { type: 'string' },
      json: { type: 'boolean', default: false },
      strict: { type: 'boolean', default: false },
    },
  })
  const [revision, ...flags] = positionals
  if (values.help) {
    console.log(USAGE)
    return 0
  }
  if (revision === undefined || !(Number(values.turns) >= 1)) {
    console.error(USAGE)
    return 2
  }
  const folder = mkdtempSync(join(tmpdir(), 'headwater-bench-'))
  const other = values.checkout ?? join(folder, 'checkout')
  try {
    if (values.checkout === undefined) prepare(revision, other)
    const rows = []
    for (const bench of values.benches.split(',')) {
      const turns = []
      for (let turn = 0; turn < Number(values.turns); turn++) turns.push(await takeTurn(bench, turn, other, flags))
      const found = losses(turns).map((row) => ({ bench, ...row }))
      // Each at once: all of them together take an hour.
      if (!values.json) show(found)
      rows.push(...found)
    }
    if (values.json) console.log(JSON.stringify({ mostLoss: MOST_LOSS, figures: rows }, null, 2))
    return values.strict && rows.some(isLoss) ? 1 : 0
  } finally {
    if (values.checkout === undefined) run('git', ['worktree', 'remove', '--force', other], ROOT)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Packages are those of this checkout where both lock the same ones, and installed where not. */
function prepare(revision, other) {
  must(run('git', ['worktree', 'add', '--detach', other, revision], ROOT))
  symlinkSync(join(ROOT, '../shared'), join(other, '../shared'))
  const lock = (folder) => readFileSync(join(folder, 'package-lock.json'), 'utf8')
  if (lock(ROOT) !== lock(other)) return must(run('npm', ['ci', '--no-audit', '--no-fund'], other))
  cpSync(join(ROOT, 'node_modules'), join(other, 'node_modules'), { recursive: true, verbatimSymlinks: true })
  must(run('npm', ['run', 'build'], other))
}

/** Who begins changes from turn to turn. */
async function takeTurn(bench, turn, other, flags) {
  console.error(`${bench}, turn ${turn + 1}`)
  const sides = [
    { name: 'before', checkout: other },
    { name: 'now', checkout: ROOT },
  ]
  if (turn % 2 === 1) sides.reverse()
  const words = ['node', 'dist/bin/headwater.js', 'bench', bench, '--json', ...flags]
  const found = MAY_PIN ? await Promise.all(sides.map(({ checkout }) => runBench([...PINNED, ...words], checkout))) : []
  if (!MAY_PIN) for (const { checkout } of sides) found.push(await runBench(words, checkout))
  return Object.fromEntries(sides.map(({ name }, at) => [name, found[at]]))
}

const PINNED = ['taskset', '-c', '0']
const MAY_PIN = spawnSync('taskset', ['-c', '0', 'true']).status === 0

async function runBench([command, ...args], cwd) {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (data) => (stdout += data))
  child.stderr.on('data', (data) => (stderr += data))
  const status = await new Promise((resolve) => child.once('close', resolve))
  return costFigures(JSON.parse(must({ command, args, stdout, stderr, status }).stdout))
}

function show(rows) {
  for (const { bench, path, before, now, lost } of rows) {
    const percent = `${lost > 0 ? '+' : ''}${(100 * lost).toFixed(1)} %`
    console.log(`${isLoss({ path, lost }) ? 'LOSS' : 'ok  '} ${bench} ${path}: ${before} → ${now} (${percent} of cost)`)
  }
}

function run(command, args, cwd) {
  return { command, args, ...spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 28 }) }
}

/** A bench says by its exit code that a limit of its own is not met; its figures count all the same. */
function must(result) {
  if (result.status === 0 || result.stdout?.startsWith('{')) return result
  throw new Error(`${result.command} ${result.args.join(' ')} failed: ${result.error?.message ?? result.stderr}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await main()
