import { FLAT_TABLES, type ForesightTables, learnTables } from '../../../src/refresh/strategies/foresight/index.ts'
import { seededRandom } from '../../../src/runtime/random.ts'
import { arenaOf } from '../../compare/arena.ts'
import { comparePolicy } from '../../compare/compare-policy.ts'
import { readTraceSet } from '../../traces/trace-set.ts'
import type { Trace } from '../../worlds/trace.ts'
import type { Experiment, PaperClaim } from '../experiment.ts'
import { roundToDigits } from '../traces/rounded.ts'
import { CONFIG } from './config.ts'
import { sourcesOfKind, worldOfKind } from './kinds.ts'
import { newcomerDelay } from './measure.ts'

interface Row {
  readonly kind: string
  readonly perDay: number
  readonly shapes: string
  /** Of the steady delay. */
  readonly first: number
  readonly settled: number
}

const NO_SHAPES = 'none'
const ONE_SHAPE = { weekClusters: 1, minuteClusters: 1 }
const FEW_SHAPES = { weekClusters: 5, minuteClusters: 4 }

export const experiment: Experiment = {
  id: 'unseen-kinds',
  title:
    'Sources of a kind that was left out are within 1.2 × of their steady delay after three days, without a prior of shapes',
  paper: "the node's own promise (docs/decisions/0144)",
  defaultSeeds: 1,
  async run({ signal, progress }) {
    const rows: Row[] = []
    for (const [index, kind] of CONFIG.kinds.entries()) {
      signal?.throwIfAborted()
      rows.push(...(await rowsOf(kind)))
      progress?.((index + 1) / CONFIG.kinds.length)
    }
    return { tables: [tableOf(rows)], series: [], claims: [settles(rows), needsNoShapes(rows)] }
  },
}

async function rowsOf(kind: string): Promise<Row[]> {
  const world = worldOfKind(await sourcesOfKind(CONFIG.judgedOn, kind, false))
  const arena = arenaOf(world, 1)
  const priors = await priorsFor(kind)
  return CONFIG.perDay.flatMap((perDay) => {
    const { price } = comparePolicy(arena, 'foresight', perDay)
    if (price === null) throw new Error(`no price meets ${perDay} a day`)
    const steady = newcomerDelay(world, arena.learnt.tables, price, true)
    return priors.map(([shapes, tables]) => {
      const { first, settled } = newcomerDelay(world, tables, price, false)
      return { kind, perDay, shapes, first: first / steady.first, settled: settled / steady.settled }
    })
  })
}

async function priorsFor(kind: string): Promise<(readonly [string, ForesightTables])[]> {
  const others = await sourcesOfKind(CONFIG.learntFrom, kind, true)
  const all = await readTraceSet(CONFIG.learntFrom)
  const learn = ({ sources }: Trace, options: typeof ONE_SHAPE | typeof FEW_SHAPES) =>
    learnTables(
      sources.map(({ times }) => times),
      seededRandom(1),
      options,
    )
  return [
    [NO_SHAPES, FLAT_TABLES],
    ['one, of other kinds', learn(others, ONE_SHAPE)],
    ['few, of other kinds', learn(others, FEW_SHAPES)],
    ['one, of all kinds', learn(all, ONE_SHAPE)],
    ['few, of all kinds', learn(all, FEW_SHAPES)],
  ]
}

function tableOf(rows: readonly Row[]) {
  return {
    title: 'Mean delay of sources without history, beside that of the same sources when they are known',
    columns: ['kind left out', 'a day', 'shapes', 'days 1 to 3', 'days 4 to 10'],
    rows: rows.map(({ kind, perDay, shapes, first, settled }) => [
      kind,
      perDay,
      shapes,
      roundToDigits(first),
      roundToDigits(settled),
    ]),
  }
}

function settles(rows: readonly Row[]): PaperClaim {
  const own = rows.filter(({ shapes }) => shapes === NO_SHAPES)
  return {
    text: `Without any shapes they are within ${CONFIG.mostTimesSteady} × of their steady delay after three days`,
    holds: own.every(({ settled }) => settled <= CONFIG.mostTimesSteady),
    figures: Object.fromEntries(own.map(({ kind, perDay, settled }) => [`${kind}, ${perDay}`, roundToDigits(settled)])),
  }
}

/** Over both kinds and budgets, in the days in which a prior could help. */
function needsNoShapes(rows: readonly Row[]): PaperClaim {
  const mean = (shapes: string) => {
    const own = rows.filter((row) => row.shapes === shapes)
    return own.reduce((sum, { first }) => sum + first, 0) / own.length
  }
  const priors = [...new Set(rows.map(({ shapes }) => shapes))].filter((shapes) => shapes !== NO_SHAPES)
  return {
    text: 'No prior of shapes makes the first three days better',
    holds: priors.every((shapes) => mean(shapes) >= mean(NO_SHAPES)),
    figures: Object.fromEntries([NO_SHAPES, ...priors].map((shapes) => [shapes, roundToDigits(mean(shapes))])),
  }
}
