import { setImmediate as turn } from 'node:timers/promises'
import { entryAt } from '../../../src/model/entry-at.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/model/index.ts'
import { constantIntensity } from '../../../src/refresh/intensity.ts'
import { clairvoyant } from '../../simulator/clairvoyant.ts'
import { poissonTimes } from '../../simulator/poisson.ts'
import { sourceRandom } from '../../simulator/priced-run.ts'
import { SourceRun } from '../../simulator/source-run.ts'
import { Tally } from '../../simulator/tally.ts'
import { countPublishedBy, type SimWorld, simSource } from '../../simulator/world.ts'
import type { Experiment, PaperClaim } from '../experiment.ts'
import { CONFIG } from './config.ts'

interface Point {
  readonly perDay: number
  readonly limit: number
  readonly limitLost: number
  readonly storedItems: number
  readonly keptLost: number
  /** Requests per source and day that keeping windows would take; null where there are enough. */
  readonly perDayToKeep: number | null
  readonly rooted: number
  readonly uniform: number
}

export const experiment: Experiment = {
  id: 'clairvoyant',
  title: 'The least delay that any policy could reach, with and without keeping windows from overflowing',
  paper: 'refresh-science §4; SCC07 Problem 1',
  defaultSeeds: 3,
  async run({ seeds, signal, progress }) {
    const points: Point[] = []
    for (const perDay of CONFIG.perDay) {
      const all: Point[] = []
      for (let seed = 1; seed <= seeds; seed++) {
        signal?.throwIfAborted()
        all.push(pointOf(worldOf(seed), perDay))
        await turn()
      }
      points.push(meanOf(all))
      progress?.(points.length / CONFIG.perDay.length)
    }
    const x = points.map(({ perDay }) => perDay)
    const curve = (name: string, y: readonly number[]) => ({
      figure: 'Delay by requests',
      name,
      xLabel: 'requests per source and day',
      yLabel: 'mean delay, minutes',
      x,
      y,
    })
    return {
      tables: [
        {
          title: `${CONFIG.sources} Poisson sources, window ${CONFIG.windowSize}; mean delay in minutes, share lost`,
          columns: ['per day', 'limit', 'lost', 'limit without loss', 'lost', '√λ, rates known', 'uniform'],
          rows: points.map((point) => [
            point.perDay,
            point.limit.toFixed(2),
            point.limitLost.toFixed(4),
            point.perDayToKeep === null
              ? point.storedItems.toFixed(2)
              : `needs ${point.perDayToKeep.toFixed(2)} per day`,
            point.perDayToKeep === null ? point.keptLost.toFixed(4) : '–',
            point.rooted.toFixed(2),
            point.uniform.toFixed(2),
          ]),
        },
      ],
      series: [
        curve(
          'limit',
          points.map(({ limit }) => limit),
        ),
        {
          ...curve(
            'limit, nothing lost',
            keeping(points).map(({ storedItems }) => storedItems),
          ),
          x: keeping(points).map(({ perDay }) => perDay),
        },
        curve(
          '√λ, rates known',
          points.map(({ rooted }) => rooted),
        ),
        curve(
          'uniform',
          points.map(({ uniform }) => uniform),
        ),
      ],
      claims: claimsOf(points),
    }
  },
}

function worldOf(seed: number): SimWorld {
  const endMs = CONFIG.days * DAY_MS
  const sources = Array.from({ length: CONFIG.sources }, (_, id) => {
    // From one item in four days to six an hour.
    const perHour = 0.01 * 600 ** (id / (CONFIG.sources - 1))
    const times = poissonTimes(perHour / HOUR_MS, 0, endMs, sourceRandom(seed, id)).map(Math.round)
    return simSource(id, times, CONFIG.windowSize, { name: String(perHour) })
  })
  return { startMs: 0, endMs, sources }
}

function pointOf(world: SimWorld, perDay: number): Point {
  const requests = perDay * CONFIG.sources * CONFIG.days
  const knowing = (keepWindow: boolean) => {
    const outcome = clairvoyant(world, { fromMs: 0, toMs: world.endMs, requests, keepWindow })
    return { ...followPolls(world, (index) => entryAt(outcome.polls, index)), toKeep: outcome.requestsToKeepWindows }
  }
  const limit = knowing(false)
  const storing = knowing(true)
  const roots = world.sources.map(({ name }) => Math.sqrt(entryAt(constantIntensity(Number(name)).ratesPerHour, 0)))
  const total = roots.reduce((sum, root) => sum + root, 0)
  const evenly = (count: number) => Float64Array.from({ length: count }, (_, k) => ((k + 0.5) / count) * world.endMs)
  const rooted = followPolls(world, (index) => evenly(Math.round((requests * entryAt(roots, index)) / total)))
  const uniform = followPolls(world, () => evenly(perDay * CONFIG.days))
  return {
    perDay,
    limit: limit.minutes,
    limitLost: limit.lost,
    storedItems: storing.minutes,
    keptLost: storing.lost,
    perDayToKeep: storing.toKeep === null ? null : storing.toKeep / CONFIG.sources / CONFIG.days,
    rooted: rooted.minutes,
    uniform: uniform.minutes,
  }
}

function followPolls(world: SimWorld, pollsOf: (index: number) => Float64Array) {
  const tally = new Tally(0, world.endMs)
  for (const [index, source] of world.sources.entries()) {
    const run = new SourceRun(source)
    for (const at of pollsOf(index)) {
      run.refresh(at)
      tally.refreshed(source, at, run.sight)
    }
    tally.ended(source, run.sight.to, countPublishedBy(source.times, world.endMs, run.sight.to))
  }
  return { minutes: tally.meanDelayMs / MINUTE_MS, lost: tally.lost / tally.items }
}

function meanOf(points: readonly Point[]): Point {
  const mean = (of: (point: Point) => number) => points.reduce((sum, point) => sum + of(point), 0) / points.length
  return {
    perDay: entryAt(points, 0).perDay,
    limit: mean(({ limit }) => limit),
    limitLost: mean(({ limitLost }) => limitLost),
    storedItems: mean(({ storedItems }) => storedItems),
    keptLost: mean(({ keptLost }) => keptLost),
    perDayToKeep: points.some(({ perDayToKeep }) => perDayToKeep === null)
      ? null
      : mean(({ perDayToKeep }) => perDayToKeep ?? 0),
    rooted: mean(({ rooted }) => rooted),
    uniform: mean(({ uniform }) => uniform),
  }
}

/** Where the budget suffices to keep windows from overflowing. */
function keeping(points: readonly Point[]): readonly Point[] {
  return points.filter(({ perDayToKeep }) => perDayToKeep === null)
}

function claimsOf(points: readonly Point[]): PaperClaim[] {
  const last = points.at(-1)!
  return [
    {
      text: 'no policy is below the limit, and keeping windows costs delay, never gains it',
      holds: points.every((p) => p.limit <= p.storedItems + 1e-9 && p.storedItems < p.rooted && p.rooted < p.uniform),
      figures: Object.fromEntries(
        points.map((p) => [`${p.perDay} per day`, `${p.limit.toFixed(1)} to ${p.rooted.toFixed(1)}`]),
      ),
    },
    {
      text: 'where polls suffice, nothing is lost when windows are kept',
      holds: keeping(points).every(({ keptLost }) => keptLost === 0),
      figures: { lostWithout: entryAt(keeping(points), 0).limitLost, lostWith: entryAt(keeping(points), 0).keptLost },
    },
    {
      text: 'where they do not, the limit says how many it would take, and stays within its polls',
      holds: points.some(({ perDayToKeep, perDay }) => perDayToKeep !== null && perDayToKeep > perDay),
      figures: Object.fromEntries(
        points.flatMap(({ perDay, perDayToKeep }) =>
          perDayToKeep === null ? [] : [[`${perDay} per day, needed`, perDayToKeep]],
        ),
      ),
    },
    {
      text: 'with a poll for every publication the limit is 0, so policies are also compared with the best causal one',
      holds: last.limit === 0,
      figures: { at: last.perDay, limit: last.limit, bestCausal: last.rooted },
    },
  ]
}
