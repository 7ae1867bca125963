import type { Experiment, ExperimentOptions, ExperimentResult, PaperClaim } from '../experiment.ts'
import { roundToDigits } from '../traces/rounded.ts'
import { CONFIG, HUBS, type HubKind } from './config.ts'
import { type HubFigures, measurePush } from './measure.ts'
import { type PushWorld, pushWorlds } from './worlds.ts'

export const experiment: Experiment = {
  id: 'push',
  title: 'Hubs as priced signals: what push brings at equal requests, and what a bad or dying hub costs',
  paper: 'thesis 3.1 (push); refresh-science §3 and §7',
  defaultSeeds: 1,
  run: async (options) => runPush(await pushWorlds(), options),
}

/** Every hub beside polling alone, in each of these worlds; of several seeds, the mean. */
export async function runPush(
  worlds: readonly PushWorld[],
  { seeds, signal, progress }: ExperimentOptions,
): Promise<ExperimentResult> {
  const kinds = ['polling alone', ...(Object.keys(HUBS) as HubKind[])] as const
  const cases = worlds.flatMap((world) => kinds.map((hub) => ({ ...world, hub })))
  const rows: HubFigures[] = []
  for (const each of cases) {
    const runs: HubFigures[] = []
    for (let seed = 1; seed <= seeds; seed++) {
      signal?.throwIfAborted()
      await Promise.resolve()
      runs.push(measurePush(each, seed))
      progress?.((rows.length + seed / seeds) / cases.length)
    }
    rows.push(meanOf(runs))
  }
  return {
    tables: [tableOf(rows)],
    series: [],
    claims: [...Object.keys(CONFIG.most).map((hub) => helps(hub as keyof typeof CONFIG.most, rows)), ...others(rows)],
  }
}

function others(rows: readonly HubFigures[]): PaperClaim[] {
  return [equalRequests(rows), losesNoMore(rows), survivesDeath(rows)]
}

function meanOf(runs: readonly HubFigures[]): HubFigures {
  const [first] = runs
  if (first === undefined) throw new Error('no run')
  const mean = (key: Figure) => runs.reduce((sum, run) => sum + run[key], 0) / runs.length
  return { ...first, ...Object.fromEntries(FIGURES.map((key) => [key, mean(key)])) }
}

const FIGURES = [
  'delayMinutes',
  'pushedMinutes',
  'polledMinutes',
  'lostShare',
  'requests',
  'lateMinutes',
  'latestMinutes',
] as const
type Figure = (typeof FIGURES)[number]

function alone(rows: readonly HubFigures[], { world, perDay }: HubFigures): HubFigures {
  const found = rows.find((row) => row.world === world && row.perDay === perDay && row.hub === 'polling alone')
  if (found === undefined) throw new Error(`no polling alone at ${perDay} a day`)
  return found
}

function tableOf(rows: readonly HubFigures[]) {
  return {
    title: `${roundToDigits(100 * CONFIG.pushedShare, 1)} % of the sources behind a hub: mean delay in minutes beside polling alone`,
    columns: [
      'sources',
      'a day',
      'hub',
      'delay',
      'ratio',
      'pushed',
      'polled',
      'lost',
      'requests',
      'pushed, second half',
      'longest there, h',
    ],
    rows: rows.map((row) => [
      row.world,
      row.perDay,
      row.hub,
      roundToDigits(row.delayMinutes, 2),
      roundToDigits(row.delayMinutes / alone(rows, row).delayMinutes),
      roundToDigits(row.pushedMinutes, 2),
      roundToDigits(row.polledMinutes, 2),
      roundToDigits(row.lostShare, 4),
      Math.round(row.requests),
      roundToDigits(row.lateMinutes, 2),
      roundToDigits(row.latestMinutes / 60, 1),
    ]),
  }
}

/** Figures of each world, as they are beside polling alone. */
function besideAlone(rows: readonly HubFigures[], hub: HubFigures['hub'], key: Figure): Record<string, number> {
  const those = rows.filter((row) => row.hub === hub)
  return Object.fromEntries(
    those.map((row) => [`${row.world}, ${row.perDay} a day`, roundToDigits(row[key] / alone(rows, row)[key])]),
  )
}

function helps(hub: keyof typeof CONFIG.most, rows: readonly HubFigures[]): PaperClaim {
  const most = CONFIG.most[hub]
  const figures = besideAlone(rows, hub, 'delayMinutes')
  return {
    text: `A hub with ${hub}: delay over all sources is at most ${most} of that of polling alone`,
    holds: Object.values(figures).every((ratio) => ratio <= most),
    figures,
  }
}

function equalRequests(rows: readonly HubFigures[]): PaperClaim {
  const ratios = rows.map((row) => row.requests / alone(rows, row).requests)
  const figures = { least: roundToDigits(Math.min(...ratios), 4), most: roundToDigits(Math.max(...ratios), 4) }
  return {
    text: `Requests are those of polling alone, within ${100 * CONFIG.requestsWithin} %: a fetch after a push counts as any other`,
    holds: figures.least >= 1 - CONFIG.requestsWithin && figures.most <= 1 + CONFIG.requestsWithin,
    figures,
  }
}

function losesNoMore(rows: readonly HubFigures[]): PaperClaim {
  const more = rows.map((row) => row.lostShare - alone(rows, row).lostShare)
  return {
    text: `No hub makes more items be lost, but for one in ${1 / CONFIG.mostLost} at most`,
    holds: more.every((each) => each <= CONFIG.mostLost),
    figures: { most: roundToDigits(Math.max(...more), 5) },
  }
}

function survivesDeath(rows: readonly HubFigures[]): PaperClaim {
  const figures = besideAlone(rows, 'recall 1, dies half way', 'lateMinutes')
  return {
    text: `Once a hub is dead, what its sources publish is at most ${CONFIG.mostAfterDeath} times as late as by polling alone`,
    holds: Object.values(figures).every((ratio) => ratio <= CONFIG.mostAfterDeath),
    figures,
  }
}
