import { propertyAt } from '../../src/model/entry-at.ts'
import type { Experiment } from './experiment.ts'

/** Every experiment by its id, in the order of the papers; loaded when asked for. */
const LOADERS: Readonly<Record<string, () => Promise<{ readonly experiment: Experiment }>>> = {
  topologies: () => import('./topologies/experiment.ts'),
  cascade: () => import('./cascade/experiment.ts'),
  push: () => import('./push/experiment.ts'),
  'shared-work': () => import('./shared-work/experiment.ts'),
  'several-clusters': () => import('./several-clusters/experiment.ts'),
  'saturation-coefficient': () => import('./saturation-coefficient/experiment.ts'),
  'table-4.1': () => import('./table-4.1/experiment.ts'),
  'tau-convergence': () => import('./tau-convergence/experiment.ts'),
  collections: () => import('./collections/experiment.ts'),
  'estimated-divergence': () => import('./estimated-divergence/experiment.ts'),
  'periodic-robustness': () => import('./periodic-robustness/experiment.ts'),
  'divergence-error': () => import('./divergence-error/experiment.ts'),
  'online-two-steps': () => import('./online-two-steps/experiment.ts'),
  'recorded-shapes': () => import('./recorded-shapes/experiment.ts'),
  'learning-ways': () => import('./learning-ways/experiment.ts'),
  'likelihood-estimation': () => import('./likelihood-estimation/experiment.ts'),
  'scc07-examples': () => import('./scc07-examples/experiment.ts'),
  'scc07-rates': () => import('./scc07-rates/experiment.ts'),
  'scc07-patterns': () => import('./scc07-patterns/experiment.ts'),
  'scc07-learning': () => import('./scc07-learning/experiment.ts'),
  'scc07-policies': () => import('./scc07-policies/experiment.ts'),
  'scc07-protocol': () => import('./scc07-protocol/experiment.ts'),
  advarss: () => import('./advarss/experiment.ts'),
  clairvoyant: () => import('./clairvoyant/experiment.ts'),
  bundles: () => import('./bundles/experiment.ts'),
  'unseen-kinds': () => import('./unseen-kinds/experiment.ts'),
  'fair-shares': () => import('./fair-shares/experiment.ts'),
  'cluster-price': () => import('./cluster-price/experiment.ts'),
  'cluster-scale': () => import('./cluster-scale/experiment.ts'),
}

export const EXPERIMENT_IDS: readonly string[] = Object.keys(LOADERS)

export async function loadExperiment(id: string): Promise<Experiment | null> {
  return Object.hasOwn(LOADERS, id) ? (await propertyAt(LOADERS, id)()).experiment : null
}
