import { setImmediate as turn } from 'node:timers/promises'
import { entryAt } from '../../../src/model/entry-at.ts'
import type { Series, Table } from '../../report/types.ts'
import type { Experiment, ExperimentOptions, PaperClaim } from '../experiment.ts'
import { roundToDigits } from '../traces/rounded.ts'
import { CONFIG } from './config.ts'
import { type Level, levelsOf, meanLevels } from './measure.ts'
import { measureNetworks, networkClaim, networkTable } from './network.ts'

interface Chain {
  readonly windowSize: number
  readonly levels: readonly Level[]
}

export const experiment: Experiment = {
  id: 'cascade',
  title: 'Aggregators that read each other: what each level costs and adds',
  paper: 'thesis 1.6 and its perspectives, distributed web syndication network',
  defaultSeeds: 40,
  async run(options) {
    const { seeds } = options
    const chains = await measureChains(options)
    const networks = measureNetworks(seeds)
    const [narrow, wide] = [entryAt(chains, 0), chains.at(-1)!]
    return {
      tables: [...chains.map(tableOf), networkTable(networks)],
      series: chains.flatMap(seriesOf),
      claims: [
        delaysAddUp(wide, seeds),
        cheapBeyondTheFirst(wide),
        windowsMatter(narrow, wide),
        networkClaim(networks),
      ],
      deviations: ['The thesis names the cascade and measures nothing: the claims are ours, from Definition 1.6.1.'],
    }
  },
}

async function measureChains({ seeds, signal, progress }: ExperimentOptions): Promise<readonly Chain[]> {
  const chains: Chain[] = []
  for (const windowSize of CONFIG.windows) {
    const runs: Level[][] = []
    for (let seed = 1; seed <= seeds; seed++) {
      signal?.throwIfAborted()
      runs.push(levelsOf(windowSize, seed))
      progress?.((chains.length + seed / seeds) / CONFIG.windows.length)
      await turn()
    }
    chains.push({ windowSize, levels: meanLevels(runs) })
  }
  return chains
}

/** Two levels keep the phase to each other with which they began: one even draw of an interval per run. */
function delaysAddUp({ levels }: Chain, seeds: number): PaperClaim {
  const half = CONFIG.intervalMinutes / 2
  const within = (3 * CONFIG.intervalMinutes) / Math.sqrt(12 * seeds)
  const added = levels.map(({ level, addedMinutes }) => [`level ${level}`, roundToDigits(addedMinutes, 1)])
  return {
    text: 'each level adds half of its refresh interval to the delay (within three standard errors; windows that hold what it gathers)',
    holds: levels.every(({ addedMinutes }) => Math.abs(addedMinutes - half) < within),
    figures: { ...Object.fromEntries(added), 'give or take': roundToDigits(within, 1) },
  }
}

function cheapBeyondTheFirst({ levels }: Chain): PaperClaim {
  const [first, ...others] = levels
  const shares = others.map(({ requestsPerDay }) => requestsPerDay / first!.requestsPerDay)
  return {
    text: 'a level costs a request per input and interval: beyond the first, a share of one in as many as there are sources',
    holds: shares.every((share) => Math.abs(share * CONFIG.sources - 1) < 0.02),
    figures: {
      first: roundToDigits(first!.requestsPerDay, 1),
      further: roundToDigits(entryAt(others, 0).requestsPerDay, 1),
    },
  }
}

function windowsMatter(narrow: Chain, wide: Chain): PaperClaim {
  const worst = ({ levels }: Chain) => Math.max(...levels.slice(1).map(({ lostShare }) => lostShare))
  return {
    text: 'a window as a source has overflows in a merged feed, and the next level loses items; a wide one loses none',
    holds: worst(narrow) > 0.01 && worst(wide) === 0,
    figures: {
      [`lost at level 2, window ${narrow.windowSize}`]: roundToDigits(entryAt(narrow.levels, 1).lostShare, 4),
      [`lost at any further level, window ${wide.windowSize}`]: worst(wide),
    },
  }
}

function tableOf({ windowSize, levels }: Chain): Table {
  return {
    title: `${CONFIG.sources} sources, every feed read once in ${CONFIG.intervalMinutes} min, windows of ${windowSize}`,
    columns: ['level', 'requests a day', 'added delay, min', 'end to end, min', 'lost at this level', 'completeness'],
    rows: levels.map((each) => [
      each.level,
      roundToDigits(each.requestsPerDay, 1),
      roundToDigits(each.addedMinutes, 1),
      roundToDigits(each.endToEndMinutes, 1),
      roundToDigits(each.lostShare, 4),
      roundToDigits(each.completeness, 4),
    ]),
  }
}

function seriesOf({ windowSize, levels }: Chain): Series[] {
  const shared = { name: `windows of ${windowSize}`, xLabel: 'level', x: levels.map(({ level }) => level) }
  return [
    { ...shared, figure: 'delay', yLabel: 'end to end, min', y: levels.map((each) => each.endToEndMinutes) },
    { ...shared, figure: 'completeness', yLabel: 'completeness', y: levels.map((each) => each.completeness) },
  ]
}
