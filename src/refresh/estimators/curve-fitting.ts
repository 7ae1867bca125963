import type { IntensityEstimator } from '../estimator.ts'
import { constantIntensity } from '../intensity.ts'
import { intensityEstimator } from './intensity-estimator.ts'
import { saneRate } from './interval.ts'
import { countedRate, type ProfileEntry } from './likelihood.ts'
import { orQuiet } from './maximum-likelihood.ts'
import { expectedInWindow } from './poisson.ts'
import { type FlatProfile, profileEntries, withObservation } from './profile.ts'

export interface CurveFittingState {
  readonly v: 1
  readonly profile: FlatProfile
  readonly ratePerHour: number
}

/**
 * Curve fitting over a generative model (thesis 5.3.3, [OP08]): the divergence curve of a homogeneous Poisson source is
 * laid through the points (interval, divergence) of the change profile, by least squares.
 */
export function curveFitting(
  options: { readonly id?: string; readonly profileSize?: number } = {},
): IntensityEstimator<CurveFittingState> {
  return intensityEstimator<CurveFittingState>({
    id: options.id ?? 'curve-fitting',
    start: (prior) => ({ v: 1, profile: [], ratePerHour: saneRate(prior.ratePerHour) }),
    observe(state, observation) {
      const profile = withObservation(state.profile, observation, options.profileSize ?? 50)
      if (profile === null) return state
      return { v: 1, profile, ratePerHour: orQuiet(fittedRate(profileEntries(profile)), profile) }
    },
    intensity: (state) => constantIntensity(state.ratePerHour),
  })
}

/**
 * Least squares for x ≈ E[min(N, W)], N ~ Poisson(λΔt). Without overflow the curve is the line λΔt, and
 * λ = Σ Δt·x/Σ Δt². With overflow it bends towards W; where every point lies there, any large λ fits, and the counted
 * rate is given as the least of them.
 */
export function fittedRate(profile: readonly ProfileEntry[]): number {
  const line = slope(profile)
  if (profile.every((entry) => entry.items < entry.windowSize)) return line
  const counted = countedRate(profile)
  if (profile.every((entry) => entry.items >= entry.windowSize)) return counted
  return goldenSection((logRate) => misfit(profile, Math.exp(logRate)), Math.log(counted / 4), Math.log(counted * 16))
}

function slope(profile: readonly ProfileEntry[]): number {
  let above = 0
  let below = 0
  for (const { hours, items } of profile) {
    above += hours * items
    below += hours * hours
  }
  return below > 0 ? above / below : 0
}

function misfit(profile: readonly ProfileEntry[], ratePerHour: number): number {
  // Entries that did not overflow do not show their window; the largest one seen is the best guess.
  let largest = 0
  for (const { items } of profile) largest = Math.max(largest, items)
  let sum = 0
  for (const { hours, items, windowSize } of profile) {
    const window = Number.isFinite(windowSize) ? windowSize : Math.max(1, largest)
    sum += (items - expectedInWindow(window, ratePerHour * hours)) ** 2
  }
  return sum
}

/** Minimum of a function with one valley in [low, high], given as exp of the place; to about 1e-6. */
function goldenSection(value: (at: number) => number, low: number, high: number): number {
  const share = (Math.sqrt(5) - 1) / 2
  let [from, to] = [low, high]
  let left = to - share * (to - from)
  let right = from + share * (to - from)
  let [valueLeft, valueRight] = [value(left), value(right)]
  for (let step = 0; step < 36; step++) {
    if (valueLeft <= valueRight) {
      to = right
      right = left
      valueRight = valueLeft
      left = to - share * (to - from)
      valueLeft = value(left)
    } else {
      from = left
      left = right
      valueLeft = valueRight
      right = from + share * (to - from)
      valueRight = value(right)
    }
  }
  return Math.exp((from + to) / 2)
}
