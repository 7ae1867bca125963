import { existsSync } from 'node:fs'
import { inTheLab, liveAtSpeed, liveInLockStep } from '../lab/live/against-lab.ts'
import { calibratedWorld } from '../lab/live/calibrated-world.ts'
import { type LiveMeasures, measureRefreshes } from '../lab/live/live-measures.ts'
import { readTrace } from '../lab/worlds/trace.ts'
import { loadConfig } from '../src/app/settings/config.ts'
import { entryAt } from '../src/model/entry-at.ts'
import { HOUR_MS, MINUTE_MS } from '../src/model/index.ts'
import { HeadwaterError } from '../src/runtime/errors.ts'
import { roundToPrecision } from './rounds.ts'

export interface BenchLiveHttpOptions {
  readonly trace?: string
  readonly feeds?: number
  readonly days?: number
  /** Virtual milliseconds per real one when running free. */
  readonly speed?: number
}

const TRACE = '../shared/traces/rss-2024/trace.csv.gz'
const PER_DAY = 24
const SEED = 3
const MOST_OFF = 0.05
/** The first hours are for the first looks. */
const WARM_UP_MS = 6 * HOUR_MS

/** Live against lab: the same feeds over real HTTP and in the simulator, in lock-step and running free at speed. */
export async function benchLiveHttp(options: BenchLiveHttpOptions = {}): Promise<object> {
  const path = options.trace ?? TRACE
  if (!existsSync(path)) throw new HeadwaterError('FILE_UNREADABLE', `${path}: name a trace with --trace`)
  const { feeds = 50, days = 2, speed = 500 } = options
  const world = calibratedWorld(await readTrace(path), { feeds, days, windowSize: 20, seed: 5 })
  const setting = { world, strategy: loadConfig('none', {}, {}).strategy, perDay: PER_DAY, seed: SEED }
  const lab = inTheLab(setting)
  const lockStep = await liveInLockStep(setting)
  const free = await liveAtSpeed(setting, speed)
  const fromMs = world.startMs + WARM_UP_MS
  const expected = measureRefreshes(world, lab, fromMs)
  const measured = measureRefreshes(world, free, fromMs)
  const off = deviations(measured, expected)
  const same =
    lockStep.length === lab.length &&
    lockStep.every(([id, at], k) => entryAt(lab, k)[0] === id && entryAt(lab, k)[1] === at)
  return {
    bench: 'live-http',
    world: { trace: path, feeds, days, perDay: PER_DAY },
    lockStep: { refreshes: lockStep.length, identical: same, ok: same },
    lab: figuresOf(expected),
    free: { speed, ...figuresOf(measured) },
    deviation: { ...off, atMost: MOST_OFF, ok: Object.values(off).every((share) => Math.abs(share) <= MOST_OFF) },
  }
}

function deviations(measured: LiveMeasures, expected: LiveMeasures) {
  return {
    completeness: roundToPrecision(measured.completeness / expected.completeness - 1),
    freshness: roundToPrecision(measured.freshness / expected.freshness - 1),
    meanDelay: roundToPrecision(measured.meanDelayMs / expected.meanDelayMs - 1),
  }
}

function figuresOf({ requests, completeness, freshness, meanDelayMs }: LiveMeasures) {
  return { requests, completeness, freshness, meanDelayMinutes: roundToPrecision(meanDelayMs / MINUTE_MS) }
}
