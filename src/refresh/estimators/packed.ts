import { DAY_MS, type DurationMs } from '../../model/index.ts'
import { constantIntensity, type Intensity } from '../intensity.ts'
import type { Packing } from '../packing.ts'
import type { AlphaState } from './alpha.ts'
import type { GammaProfileState } from './gamma-profile.ts'
import type { HybridState } from './hybrid.ts'
import type { PeriodicState } from './periodic.ts'
import type { SingleVariableState } from './single-variable.ts'

/** n₂ errors of the α adjustment (7.2.4), their number, α itself and the warm start's count. */
const ERRORS = 10
const ALPHA_FLOATS = ERRORS + 3

export function packedSingleVariable(): Packing<SingleVariableState> {
  return {
    floats: 1 + ALPHA_FLOATS,
    pack(state, target, offset) {
      target[offset] = state.ratePerHour
      packAlpha(state.alpha, target, offset + 1)
    },
    unpack: (source, offset) => ({ v: 1, ratePerHour: source[offset]!, alpha: unpackAlpha(source, offset + 1) }),
  }
}

export function packedPeriodic(slots = 24): Packing<PeriodicState> {
  return {
    floats: slots + ALPHA_FLOATS,
    pack(state, target, offset) {
      for (let slot = 0; slot < slots; slot++) target[offset + slot] = state.ratesPerHour[slot]!
      packAlpha(state.alpha, target, offset + slots)
    },
    unpack: (source, offset) => ({
      v: 1,
      ratesPerHour: Array.from(source.subarray(offset, offset + slots)),
      alpha: unpackAlpha(source, offset + slots),
    }),
  }
}

/** The hybrid model of thesis 7.2.3 with the α state of 7.2.4; by default daily with 24 slots: 208 bytes. */
export function packedHybrid(slots = 24, periodMs: DurationMs = DAY_MS): Packing<HybridState> {
  const single = packedSingleVariable()
  const model = packedPeriodic(slots)
  const usingAt = single.floats + model.floats
  const rates = new Float64Array(slots)
  const periodic: Intensity = { periodMs, ratesPerHour: rates }
  return {
    intensityAt(source, offset) {
      if (source[offset + usingAt] === 0) return constantIntensity(source[offset]!)
      for (let slot = 0; slot < slots; slot++) rates[slot] = source[offset + single.floats + slot]!
      return periodic
    },
    floats: usingAt + 1,
    pack(state, target, offset) {
      single.pack(state.single, target, offset)
      model.pack(state.periodic, target, offset + single.floats)
      target[offset + usingAt] = state.using === 'single' ? 0 : 1
    },
    unpack: (source, offset) => ({
      v: 1,
      single: single.unpack(source, offset),
      periodic: model.unpack(source, offset + single.floats),
      using: source[offset + usingAt] === 0 ? 'single' : 'periodic',
    }),
  }
}

/** Rate and prior (4), then seen and expected of 24 hours and of 7 days. */
export function packedGammaProfile(): Packing<GammaProfileState> {
  const parts = [24, 24, 7, 7]
  return {
    floats: 4 + 62,
    pack({ rate, hours, days }, target, offset) {
      target.set([rate.shape, rate.hours, rate.priorShape, rate.priorHours], offset)
      let at = offset + 4
      for (const values of [hours.seen, hours.expected, days.seen, days.expected]) {
        target.set(values, at)
        at += values.length
      }
    },
    unpack(source, offset) {
      let at = offset + 4
      const [hourSeen, hourExpected, daySeen, dayExpected] = parts.map((length) => {
        at += length
        return Array.from(source.subarray(at - length, at))
      }) as [number[], number[], number[], number[]]
      const [shape, hours, priorShape, priorHours] = source.subarray(offset, offset + 4) as unknown as number[]
      return {
        v: 1,
        rate: { v: 1, shape: shape!, hours: hours!, priorShape: priorShape!, priorHours: priorHours! },
        hours: { seen: hourSeen, expected: hourExpected },
        days: { seen: daySeen, expected: dayExpected },
      }
    },
  }
}

function packAlpha(alpha: AlphaState, target: Float32Array, offset: number): void {
  const errors = alpha.errors.slice(-ERRORS)
  target[offset] = alpha.value
  target[offset + 1] = alpha.seen
  target[offset + 2] = errors.length
  for (let index = 0; index < ERRORS; index++) target[offset + 3 + index] = errors[index] ?? 0
}

function unpackAlpha(source: Float32Array, offset: number): AlphaState {
  const count = source[offset + 2]!
  const errors = Array.from(source.subarray(offset + 3, offset + 3 + count))
  return { value: source[offset]!, errors, seen: source[offset + 1]! }
}
