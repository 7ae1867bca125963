import { ESTIMATORS, type EstimatorId } from '../../src/refresh/estimators/index.ts'
import { type EstimatorExpectations, estimatorContract } from './estimator.contract.ts'

// Bytes of JSON text; the packed forms are a fraction of it (src/refresh/estimators/packed.test.ts).
const EXPECTATIONS: Record<EstimatorId, EstimatorExpectations> = {
  'single-variable': { maxBytes: 320, steadyWithin: 0.1 },
  periodic: { maxBytes: 820, steadyWithin: 0.1 },
  'periodic-168': { maxBytes: 3700, steadyWithin: 0.2 },
  hybrid: { maxBytes: 1150, steadyWithin: 0.1 },
  'hybrid-recent': { maxBytes: 1150, steadyWithin: 0.1 },
  'maximum-likelihood': { maxBytes: 700, steadyWithin: 0.1 },
  'moving-average': { maxBytes: 90, steadyWithin: 0.2 },
  'single-exponential-smoothing': { maxBytes: 80, steadyWithin: 0.1 },
  'double-exponential-smoothing': { maxBytes: 80, steadyWithin: 0.2 },
  history: { maxBytes: 2200, steadyWithin: 0.1 },
  'posting-clusters': { maxBytes: 2200, steadyWithin: 0.1 },
  'curve-fitting': { maxBytes: 500, steadyWithin: 0.1 },
  'conservative-bounds': { maxBytes: 80, steadyWithin: 0.15 },
  gamma: { maxBytes: 120, steadyWithin: 0.1 },
  'gamma-profile': { maxBytes: 900, steadyWithin: 0.1 },
  'changed-or-not': { maxBytes: 120, steadyWithin: null },
}

for (const id of Object.keys(ESTIMATORS) as EstimatorId[]) estimatorContract(ESTIMATORS[id], EXPECTATIONS[id])
