import { entryAt } from '../../../src/model/entry-at.ts'
import type { Experiment, ExperimentOptions, ExperimentResult } from '../experiment.ts'
import { roundToDigits } from '../traces/rounded.ts'
import { claimsOf } from './claims.ts'
import { type ScaleSettings, SETTINGS } from './config.ts'
import type { RowsOfSource } from './day-rows.ts'
import { schedulerHeapPerSource } from './heap.ts'
import { measureCrawlers, measureOne, type SceneRun } from './measure.ts'
import { sampleScene, traceScene } from './scenes.ts'
import { rowsTable, sizingTable } from './sizing.ts'
import { handOverTable, memoryTable, runTable } from './tables.ts'
import { readUnitCosts } from './unit-costs.ts'

export const experiment: Experiment = {
  id: 'cluster-scale',
  title:
    'Ten million feeds: crawlers that come and go refresh as one scheduler does, and what they and their database need',
  paper: "the cluster's own promise (docs/decisions/0101, docs/sizing.md)",
  defaultSeeds: 1,
  run: (options) => runScale(SETTINGS, options),
}

export interface ScaleResult extends ExperimentResult {
  readonly load: RowsOfSource
}

/** The experiment at any size. */
export async function runScale(
  settings: ScaleSettings,
  { seeds, signal, progress }: ExperimentOptions,
): Promise<ScaleResult> {
  const [large, small] = settings.synthetic.samples
  const scenes = Array.from({ length: seeds }, (_, index) => index + 1).flatMap((seed) => [
    async () => sampleScene(settings, large, seed),
    async () => sampleScene(settings, small, seed),
    ...(settings.trace === null ? [] : [traceScene(settings.trace, seed)]),
  ])
  const runs: SceneRun[] = []
  for (const makeScene of scenes) {
    signal?.throwIfAborted()
    const scene = await makeScene()
    const one = measureOne(scene)
    progress?.((runs.length + 0.5) / scenes.length)
    runs.push({ scene, one, crawlers: measureCrawlers(scene) })
    progress?.(runs.length / scenes.length)
  }
  const costs = readUnitCosts()
  const { sources } = settings.synthetic
  const load = loadOf(runs)
  const heap = schedulerHeapPerSource(entryAt(runs, 0).scene)
  return {
    tables: [
      runTable(runs),
      handOverTable(runs),
      memoryTable(runs, heap, costs),
      rowsTable(sources, load, costs),
      sizingTable(load, costs),
    ],
    series: [],
    load,
    claims: claimsOf(runs, heap, costs),
    deviations: [
      `Unit costs were measured on ${costs.measured.at} with \`${costs.measured.with}\` (${costs.measured.machine}, Node ${costs.measured.node}, ${costs.measured.server}).`,
      'A sample has as much of every shard and that share of the budget; leases and hand-overs do not shrink with it.',
    ],
  }
}

/** Of the larger sample; more digits than these are noise. */
function loadOf(runs: readonly SceneRun[]): RowsOfSource {
  const { crawlers } = entryAt(runs, 0)
  const { refreshes, withNews, items, hours, hoursWithNews } = crawlers.rows
  return {
    refreshes: roundToDigits(refreshes),
    withNews: roundToDigits(withNews),
    items: roundToDigits(items),
    hours: roundToDigits(hours),
    hoursWithNews: roundToDigits(hoursWithNews),
  }
}
