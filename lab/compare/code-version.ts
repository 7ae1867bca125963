import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { FROM_HISTORY, isOwnPolicy } from './policies.ts'

/**
 * Figures that were measured before are good as long as the code that made them is the same: a hash over the files that a
 * policy runs through. Compiled files and sources have different ones, which costs a run and never a wrong figure.
 */
export function codeVersion(policy: string): string {
  return hashOf([
    ...EVERY_POLICY,
    ...(isOwnPolicy(policy) ? OUR_OWN : []),
    ...(FROM_HISTORY.has(policy) ? HISTORY : []),
  ])
}

/** Of what is measured for our strategy alone, under the live scheduler too. */
export function liveCodeVersion(): string {
  return hashOf([...EVERY_POLICY, ...OUR_OWN, ...LIVE])
}

const EVERY_POLICY = [
  'src/model',
  'src/refresh/divergence',
  'src/refresh/estimator',
  'src/refresh/estimators',
  'src/refresh/first-reached',
  'src/refresh/intensity',
  'src/refresh/strategies',
  'src/refresh/strategies/peers',
  'src/refresh/strategy',
  'src/refresh/threshold',
  'src/crawler/dedup/observe',
  'lab/simulator/clairvoyant',
  'lab/simulator/in-turns',
  'lab/simulator/priced-run',
  'lab/simulator/source-run',
  'lab/simulator/tally',
  'lab/simulator/world',
  'lab/worlds/trace',
  'lab/compare/arena',
  'lab/compare/calibrate',
  'lab/compare/calibrated-row',
  'lab/compare/compare-policy',
  'lab/compare/cycle-policies',
  'lab/compare/dates',
  'lab/compare/elasticity',
  'lab/compare/measured-row',
  'lab/compare/policies',
  'lab/compare/setting',
  'lab/compare/source-tally',
  'lab/compare/trace-world',
]
const HISTORY = ['lab/compare/learnt']
const OUR_OWN = ['src/refresh/default-limits', 'src/refresh/strategies/foresight', 'lab/compare/ablations']
const LIVE = [
  'src/refresh/price',
  'src/refresh/saving-price',
  'src/refresh/scheduler',
  'src/refresh/scheduler/payers',
  'src/refresh/learning',
  'src/crawler/next-check',
  'src/crawler/loss',
  'lab/simulator/followed-run',
  'lab/simulator/scheduled-run',
  'lab/compare/breathing',
  'lab/compare/followed',
  'lab/compare/newcomers',
  'lab/compare/ours',
]

/** Lists all strategies, and changes for reasons that no figure depends on. */
const NAMES_ONLY = 'src/refresh/strategies/index'

const known = new Map<string, string>()

function hashOf(parts: readonly string[]): string {
  const key = parts.join()
  let version = known.get(key)
  if (version === undefined) {
    const hash = createHash('sha256')
    for (const path of parts.flatMap(filesOf))
      hash
        .update(path)
        .update('\0')
        .update(readFileSync(join(ROOT, path)))
    known.set(key, (version = hash.digest('hex').slice(0, 12)))
  }
  return version
}

const ROOT = join(import.meta.dirname, '..', '..')
const EXTENSION = import.meta.url.endsWith('.ts') ? '.ts' : '.js'

/** A file without its extension, or the files of a folder, without those of its folders. */
function filesOf(part: string): string[] {
  const file = `${part}${EXTENSION}`
  if (existsSync(join(ROOT, file))) return part === NAMES_ONLY ? [] : [file]
  const folder = join(ROOT, part)
  if (!existsSync(folder) || !statSync(folder).isDirectory()) throw new Error(`no ${part} to make a version of`)
  return readdirSync(folder)
    .filter((name) => name.endsWith(EXTENSION) && !/\.(test|fixture|d)\.[jt]s$/.test(name))
    .map((name) => join(part, name))
    .filter((path) => path !== `${NAMES_ONLY}${EXTENSION}`)
    .sort()
}
