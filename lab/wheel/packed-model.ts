import { DAY_MS } from '../../src/model/index.ts'
import type { IntensityEstimator } from '../../src/refresh/estimator.ts'
import {
  type HybridOptions,
  type HybridState,
  hybrid,
  type Packing,
  packedHybrid,
  packedSingleVariable,
} from '../../src/refresh/estimators/index.ts'
import { constantIntensity, type Intensity } from '../../src/refresh/intensity.ts'

/** An estimator whose states lie packed in rows of 32-bit floats. */
export interface PackedModel<State> {
  readonly estimator: IntensityEstimator<State>
  readonly packing: Packing<State>
  /** What the packed state believes, without unpacking it; good until the next call. */
  intensityAt(rows: Float32Array, offset: number): Intensity
}

/** The hybrid model of thesis 7.2.3 with the α state of 7.2.4; by default daily with 24 slots: 208 bytes. */
export function packedHybridModel(options: HybridOptions = {}): PackedModel<HybridState> {
  const slots = options.slots ?? 24
  const packing = packedHybrid(slots)
  const slotsAt = packedSingleVariable().floats
  const usingAt = packing.floats - 1
  const single = new Float64Array(1)
  const rates = new Float64Array(slots)
  const constant: Intensity = { ...constantIntensity(0), ratesPerHour: single }
  const periodic: Intensity = { periodMs: options.periodMs ?? DAY_MS, ratesPerHour: rates }
  return {
    estimator: hybrid(options),
    packing,
    intensityAt(rows, offset) {
      if (rows[offset + usingAt] === 0) {
        single[0] = rows[offset] ?? 0
        return constant
      }
      for (let slot = 0; slot < slots; slot++) rates[slot] = rows[offset + slotsAt + slot] ?? 0
      return periodic
    },
  }
}
