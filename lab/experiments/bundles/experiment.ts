import { traceWorld } from '../../compare/trace-world.ts'
import { readTraceSet } from '../../traces/trace-set.ts'
import type { Experiment, PaperClaim } from '../experiment.ts'
import { roundToDigits } from '../traces/rounded.ts'
import { CONFIG } from './config.ts'
import { type BundleRow, measureBundles } from './measure.ts'

export const experiment: Experiment = {
  id: 'bundles',
  title:
    'One request for several sources: delay falls to a fifth where all can be composed, and nothing is lost for it',
  paper: 'thesis, Perspectives; refresh-science §7',
  defaultSeeds: 1,
  async run({ signal, progress }) {
    const trace = await readTraceSet(CONFIG.trace)
    const world = traceWorld(trace, CONFIG.windowSize, { dates: 'recorded', seed: 1 })
    const cases = CONFIG.budgets.flatMap(casesOf)
    const rows: BundleRow[] = []
    for (const each of cases) {
      signal?.throwIfAborted()
      await Promise.resolve()
      rows.push(measureBundles(world, each, 1))
      progress?.(rows.length / cases.length)
    }
    return {
      tables: [tableOf(rows)],
      series: [],
      claims: [falls('all', rows), falls('fifth', rows), losesNoMore(rows)],
    }
  },
}

function casesOf(budget: (typeof CONFIG.budgets)[number]) {
  const [sharedWindow] = CONFIG.sharedWindows
  const some = (['none', 'fifth'] as const).map(
    (part): Pick<BundleRow, 'part' | 'sharedWindow'> => ({ part, sharedWindow }),
  )
  const all = CONFIG.sharedWindows.map((each) => ({ part: 'all' as const, sharedWindow: each }))
  return [...some, ...all].map((each) => ({ ...budget, ...each }))
}

function alone(rows: readonly BundleRow[], perDay: number): BundleRow {
  const found = rows.find((row) => row.perDay === perDay && row.part === 'none')
  if (found === undefined) throw new Error(`nothing without bundles at ${perDay} a day`)
  return found
}

function tableOf(rows: readonly BundleRow[]) {
  return {
    title: `${CONFIG.trace.name}: mean delay in minutes, beside that without bundles`,
    columns: [
      'a day',
      'composed',
      'shared window',
      'delay',
      'ratio',
      'lost',
      'requests',
      'for bundles',
      'own looks',
      'full',
    ],
    rows: rows.map((row) => [
      row.perDay,
      row.part,
      row.part === 'none' ? '–' : row.sharedWindow,
      roundToDigits(row.delayMinutes),
      roundToDigits(row.delayMinutes / alone(rows, row.perDay).delayMinutes),
      roundToDigits(row.lostShare),
      row.requests,
      row.bundleRequests,
      row.memberRequests,
      row.fullWindows,
    ]),
  }
}

function falls(part: 'all' | 'fifth', rows: readonly BundleRow[]): PaperClaim {
  const most = CONFIG.mostDelay[part]
  const composed = rows.filter((row) => row.part === part)
  const ratio = (row: BundleRow) => row.delayMinutes / alone(rows, row.perDay).delayMinutes
  return {
    text: `Where ${part === 'all' ? 'all sources' : 'a random fifth'} can be composed, delay is at most ${most} of that without`,
    holds: composed.every((row) => ratio(row) <= most),
    figures: Object.fromEntries(
      composed.map((row) => [`${row.perDay} a day, window ${row.sharedWindow}`, roundToDigits(ratio(row))]),
    ),
  }
}

function losesNoMore(rows: readonly BundleRow[]): PaperClaim {
  const more = rows.map((row) => row.lostShare - alone(rows, row.perDay).lostShare)
  return {
    text: 'Loss is not higher',
    holds: more.every((each) => each <= 0),
    figures: { most: roundToDigits(Math.max(...more)) },
  }
}
