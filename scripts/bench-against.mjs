// npm run bench:against -- REV [--benches parse,store] [--turns 3] [--json] [--strict] [-- flags of the bench]: the benches of this checkout and of
// another commit, one after the other in turns, so that both meet the same machine. Shows what each figure costs now beside what it did;
// a loss of more than 3 % needs a reason in docs/decisions,
// and is a failure with --strict. The other commit is built in a temporary folder.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const BENCHES = 'parse,crawl,store,match,join,schedule'
const MOST_LOSS = 0.03
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

function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      benches: { type: 'string', default: BENCHES },
      turns: { type: 'string', default: '3' },
      json: { type: 'boolean', default: false },
      strict: { type: 'boolean', default: false },
    },
  })
  const [revision, ...flags] = positionals
  if (revision === undefined || !(Number(values.turns) >= 1)) {
    console.error(
      'usage: npm run bench:against -- REV [--benches parse,store] [--turns 3] [--json] [--strict] [-- flags of the bench]',
    )
    return 2
  }
  const folder = mkdtempSync(join(tmpdir(), 'headwater-bench-'))
  const other = join(folder, 'checkout')
  try {
    prepare(revision, other)
    const rows = values.benches.split(',').flatMap((bench) => {
      const turns = Array.from({ length: Number(values.turns) }, (_, turn) => takeTurn(bench, turn, other, flags))
      const found = losses(turns).map((row) => ({ bench, ...row }))
      // Each at once: all of them together take an hour.
      if (!values.json) show(found)
      return found
    })
    if (values.json) console.log(JSON.stringify({ mostLoss: MOST_LOSS, figures: rows }, null, 2))
    return values.strict && rows.some(isLoss) ? 1 : 0
  } finally {
    run('git', ['worktree', 'remove', '--force', other], ROOT)
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

/** Who goes first changes from turn to turn. */
function takeTurn(bench, turn, other, flags) {
  const figures = (checkout) => {
    console.error(`${bench}, turn ${turn + 1}: ${checkout === ROOT ? 'now' : 'before'}`)
    const { stdout } = must(run('node', ['dist/bin/headwater.js', 'bench', bench, '--json', ...flags], checkout))
    return costFigures(JSON.parse(stdout))
  }
  if (turn % 2 === 0) {
    const before = figures(other)
    return { before, now: figures(ROOT) }
  }
  const now = figures(ROOT)
  return { now, before: figures(other) }
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

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main()
