import { ESTIMATORS, type EstimatorId } from '../../src/refresh/estimators/index.ts'
import { type EstimatorExpectations, estimatorContract } from './estimator.contract.ts'

// Bytes of JSON text; the packed forms are a fraction of it (src/refresh/estimators/packed.test.ts).
const EXPECTATIONS: Record<EstimatorId, EstimatorExpectations> = {
  'single-variable': { maxBytes: 320, steadyWithin: 0.1 },
  periodic: { maxBytes: 820, steadyWithin: 0.1 },
  'periodic-168': { maxBytes: 3700, steadyWithin: 0.2 },
  hybrid: { maxBytes: 1150, steadyWithin: 0.1 },
}

for (const id of Object.keys(ESTIMATORS) as EstimatorId[]) estimatorContract(ESTIMATORS[id], EXPECTATIONS[id])
