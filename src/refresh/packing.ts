import type { Intensity } from './intensity.ts'

/**
 * A state as a row of 32-bit floats, for schedulers that hold a million sources in typed arrays. Seven decimal digits are
 * far more than a rate is ever known to.
 */
export interface Packing<State> {
  /** Floats per state; four bytes each. */
  readonly floats: number
  pack(state: State, target: Float32Array, offset: number): void
  unpack(source: Float32Array, offset: number): State
  /** What the packed state believes, without unpacking it; good until the next call. */
  intensityAt?(source: Float32Array, offset: number): Intensity
}
