import { describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../model/index.ts'
import { seededRandom } from '../../runtime/random.ts'
import type { AnyEstimator } from '../estimator.ts'
import type { Packing } from '../packing.ts'
import { gammaProfile } from './gamma-profile.ts'
import { hybrid } from './hybrid.ts'
import { packedGammaProfile, packedHybrid, packedPeriodic, packedSingleVariable } from './packed.ts'
import { periodic } from './periodic.ts'
import { refresh } from './refresh.fixture.ts'
import { singleVariable } from './single-variable.ts'

const START = Date.UTC(2024, 0, 1)

const CASES: [string, AnyEstimator, Packing<unknown>, number][] = [
  ['single variable', singleVariable(), packedSingleVariable() as Packing<unknown>, 56],
  ['daily periodic', periodic(), packedPeriodic() as Packing<unknown>, 148],
  ['Gamma profile', gammaProfile(), packedGammaProfile() as Packing<unknown>, 264],
  ['daily hybrid with its α state', hybrid(), packedHybrid() as Packing<unknown>, 256],
]

describe('packed states', () => {
  it.each(CASES)('hold a %s model', (_name, estimator, packing, bytes) => {
    const random = seededRandom(3)
    const row = new Float32Array(packing.floats * 3)
    let state = estimator.start({ ratePerHour: 0.5, at: START })
    for (let hour = 0; hour < 200; hour++) {
      packing.pack(state, row, packing.floats)
      const packed = packing.unpack(row, packing.floats)
      for (const span of [1, 7, 100]) {
        const to = START + (hour + span) * HOUR_MS
        const exact = estimator.expected(state, START + hour * HOUR_MS, to)
        expect(estimator.expected(packed, START + hour * HOUR_MS, to) / exact).toBeCloseTo(1, 5)
      }
      const at = START + hour * HOUR_MS
      state = estimator.observe(state, refresh(at, at + HOUR_MS, Math.floor(random() * 3)))
    }
    expect(packing.floats * 4).toBeLessThanOrEqual(bytes)
    expect(row.subarray(0, packing.floats).every((value) => value === 0)).toBe(true)
    expect(row.subarray(2 * packing.floats).every((value) => value === 0)).toBe(true)
  })
})
