import type { Random } from '../../../src/model/index.ts'
import {
  type AscentOptions,
  countedRate,
  gradientAscent,
  maximumLikelihood,
  type ProfileEntry,
} from '../../../src/refresh/estimators/likelihood.ts'
import { seededRandom } from '../../../src/runtime/random.ts'

/** Relative errors of an estimate: its mean (bias) and root mean square. */
export interface Bias {
  readonly bias: number
  readonly rms: number
}

export interface LikelihoodOutcome {
  readonly counted: Bias
  readonly likelihood: Bias
  /** Mean relative distance of Algorithm 7.1 from the solver, over the first `ascents` profiles. */
  readonly ascentOff: number
  /** Share of profiles in which every window overflowed, so that only a lower bound exists; they are left out above. */
  readonly onlyBounds: number
}

export interface LikelihoodCase {
  readonly ratePerHour: number
  readonly meanPerInterval: number
  readonly windowSize: number
  readonly profileSize: number
  readonly profiles: number
  readonly ascents: number
  readonly ascent: AscentOptions
}

/** A homogeneous Poisson source seen through a window at even intervals (7.4.1, 7.4.2). */
function drawProfile(one: LikelihoodCase, random: Random): ProfileEntry[] {
  const hours = one.meanPerInterval / one.ratePerHour
  return Array.from({ length: one.profileSize }, () => ({
    hours,
    items: Math.min(one.windowSize, poisson(one.meanPerInterval, random)),
    windowSize: one.windowSize,
  }))
}

export function measureLikelihood(one: LikelihoodCase, seed: number): LikelihoodOutcome {
  const random = seededRandom(seed)
  const counted: number[] = []
  const likelihood: number[] = []
  const off: number[] = []
  let onlyBounds = 0
  for (let index = 0; index < one.profiles; index++) {
    const profile = drawProfile(one, random)
    const estimate = maximumLikelihood(profile)
    if (estimate.kind === 'lower bound') {
      onlyBounds++
      continue
    }
    counted.push(countedRate(profile) / one.ratePerHour - 1)
    likelihood.push(estimate.ratePerHour / one.ratePerHour - 1)
    if (off.length >= one.ascents) continue
    off.push(Math.abs(gradientAscent(profile, one.ascent).ratePerHour / estimate.ratePerHour - 1))
  }
  return {
    counted: biasOf(counted),
    likelihood: biasOf(likelihood),
    ascentOff: biasOf(off).bias,
    onlyBounds: onlyBounds / one.profiles,
  }
}

function biasOf(errors: readonly number[]): Bias {
  const mean = (values: readonly number[]) =>
    values.length > 0 ? values.reduce((sum, value) => sum + value, 0) / values.length : 0
  return { bias: mean(errors), rms: Math.sqrt(mean(errors.map((error) => error * error))) }
}

function poisson(mean: number, random: Random): number {
  const limit = Math.exp(-mean)
  let count = 0
  for (let product = random(); product > limit; product *= random()) count++
  return count
}
