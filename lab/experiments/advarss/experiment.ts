import { entryAt } from '../../../src/model/entry-at.ts'
import { DAY_MS, HOUR_MS, type InstantMs, MINUTE_MS } from '../../../src/model/index.ts'
import { type AdvarssMemory, EXECUTION_MS, nextAdvarss, startAdvarss } from '../../../src/refresh/strategies/advarss.ts'
import type { Series } from '../../report/types.ts'
import { sourceRandom } from '../../simulator/priced-run.ts'
import { countPublishedBy } from '../../simulator/world.ts'
import type { Experiment, PaperClaim } from '../experiment.ts'
import { CONFIG } from './config.ts'

interface FollowResult {
  readonly checks: readonly { readonly at: InstantMs; readonly memory: AdvarssMemory }[]
  readonly checksPerDay: number
  readonly meanDelayMinutes: number
}

type Cap = (typeof CONFIG.caps)[number]

export const experiment: Experiment = {
  id: 'advarss',
  title: 'M, T and ToE adapt to how often a feed changes',
  paper: 'advaRSS III and IV, Figures 2 and 4 to 6',
  defaultSeeds: 5,
  async run({ seeds, progress }) {
    const rows: (string | number)[][] = []
    const perDay = new Map<string, number>()
    const series: Series[] = [figure2()]
    for (const [index, feed] of CONFIG.feeds.entries()) {
      for (const cap of CONFIG.caps) {
        const all = Array.from({ length: seeds }, (_, seed) => follow(feed.perDay, cap, seed + 1, index))
        const checks = mean(all.map(({ checksPerDay }) => checksPerDay))
        const delay = mean(all.map(({ meanDelayMinutes }) => meanDelayMinutes))
        rows.push([feed.name, cap, checks.toFixed(1), delay.toFixed(0)])
        perDay.set(`${feed.name}, ${cap}`, checks)
        if (cap === CONFIG.caps[1]) series.push(...figures4to6(feed.name, index, entryAt(all, 0)))
      }
      progress?.((index + 1) / CONFIG.feeds.length)
      await Promise.resolve()
    }
    return {
      tables: [
        {
          title: `${CONFIG.days} days, X = 8 minutes`,
          columns: ['feed', 'cap of M', 'checks per day', 'mean delay, min'],
          rows,
        },
      ],
      series,
      claims: claimsOf(perDay),
      deviations: [
        'The paper’s "2,4" after the first changed check does not follow from its own rule, which gives 0.2·4 + 0.8·1 = 1.6; the rule is used.',
        'How the cap of M grows from 25 to 640 is not said. Doubling it with every unchanged check at the cap, once three days have passed, saves a weekly feed most of its checks and costs it hours of delay; busy feeds never reach the cap.',
      ],
    }
  },
}

/** Runs of the system every X minutes; a feed is checked when its countdown is over. */
function follow(itemsPerDay: number, cap: Cap, seed: number, index: number): FollowResult {
  const times = publish(itemsPerDay, seed, index)
  const endMs = CONFIG.days * DAY_MS
  let memory: AdvarssMemory = { ...startAdvarss(seed % 4), ...(cap === CONFIG.caps[2] ? { cap: 640 } : {}) }
  const checks: { at: InstantMs; memory: AdvarssMemory }[] = []
  let fetched = 0
  let delayMs = 0
  for (let at = memory.intervalMs; at < endMs; at += memory.intervalMs) {
    const now = countPublishedBy(times, at, fetched)
    for (let index = fetched; index < now; index++) delayMs += at - entryAt(times, index)
    const mayGrow = cap === CONFIG.caps[1] && at >= 3 * DAY_MS
    memory = nextAdvarss(memory, now > fetched, mayGrow)
    checks.push({ at, memory })
    fetched = now
  }
  return {
    checks,
    checksPerDay: checks.length / CONFIG.days,
    meanDelayMinutes: fetched > 0 ? delayMs / fetched / MINUTE_MS : 0,
  }
}

/** Poisson, thinned to the hours of Figure 2. */
function publish(itemsPerDay: number, seed: number, index: number): Float64Array {
  const random = sourceRandom(seed, index)
  const total = CONFIG.hours.reduce((sum, share) => sum + share, 0)
  const times: number[] = []
  for (let hour = 0; hour < CONFIG.days * 24; hour++) {
    const perHour = (itemsPerDay * entryAt(CONFIG.hours, hour % 24)) / total
    for (let at = -Math.log(1 - random()) / perHour; at < 1; at += -Math.log(1 - random()) / perHour) {
      times.push((hour + at) * HOUR_MS)
    }
  }
  return Float64Array.from(times)
}

function claimsOf(perDay: ReadonlyMap<string, number>): PaperClaim[] {
  const everyRun = DAY_MS / EXECUTION_MS
  const [often, daily, weekly] = CONFIG.feeds.map(({ name }) => perDay.get(`${name}, ${CONFIG.caps[1]}`)!)
  return [
    {
      text: 'a feed is checked the more often the more often it changes, and less than once per run',
      holds: often! > daily! && daily! > weekly! && often! < everyRun,
      figures: { often: often!, daily: daily!, weekly: weekly!, runsPerDay: everyRun },
    },
    {
      text: 'feeds that do not change often are checked less than 10 times a day',
      holds: daily! < 10 && weekly! < 10,
      figures: { daily: daily!, weekly: weekly! },
    },
    {
      text: 'adaptation saves most of the checks: five times fewer than one per run, or more',
      holds: everyRun / mean([often!, daily!, weekly!]) > 5,
      figures: { savedFactor: everyRun / mean([often!, daily!, weekly!]) },
    },
  ]
}

function figure2(): Series {
  const total = CONFIG.hours.reduce((sum, share) => sum + share, 0)
  return {
    figure: 'Figure 2',
    name: 'share of articles per hour',
    xLabel: 'hour of the day',
    yLabel: '%',
    x: CONFIG.hours.map((_, hour) => hour),
    y: CONFIG.hours.map((share) => (100 * share) / total),
  }
}

function figures4to6(name: string, index: number, { checks }: FollowResult): Series[] {
  const day = checks.filter(({ at }) => at >= 10 * DAY_MS && at < 13 * DAY_MS)
  const curve = (what: string, read: (memory: AdvarssMemory) => number): Series => ({
    figure: `Figure ${4 + index}: ${name}`,
    name: what,
    xLabel: 'hours',
    yLabel: 'runs',
    x: day.map(({ at }) => (at - 10 * DAY_MS) / HOUR_MS),
    y: day.map(({ memory }) => read(memory)),
  })
  return [curve('M', ({ m }) => m), curve('ToE', ({ m }) => Math.ceil(m)), curve('T', ({ t }) => t)]
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
