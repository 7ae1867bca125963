import { logUpperTail, tailSlope } from './poisson.ts'

/** One entry of a publication profile (thesis 7.4.2): how long, how many new items, how many fit into the window. */
export interface ProfileEntry {
  readonly hours: number
  readonly items: number
  readonly windowSize: number
}

/** x = W_s: at least W_s items came (equation 7.5). */
function saturated(entry: ProfileEntry): boolean {
  return entry.items >= entry.windowSize
}

/** ln L(λ | profile) of thesis 7.4.3, without the terms ln x! that do not depend on λ. */
export function logLikelihood(profile: readonly ProfileEntry[], ratePerHour: number): number {
  let sum = 0
  for (const entry of profile) {
    const mean = ratePerHour * entry.hours
    if (saturated(entry)) sum += logUpperTail(entry.windowSize, mean)
    else sum += (entry.items > 0 ? entry.items * Math.log(mean) : 0) - mean
  }
  return sum
}

/**
 * ∂ ln L/∂λ. The unsaturated part is Σ (x/λ − ΔT), the derivative of x·ln(λΔT) − λΔT; the thesis prints Σ x·ΔT/λ, with a
 * stray ΔT and without −ΔT. Its saturated part is right; here in the closed form that its sum telescopes to.
 */
export function gradient(profile: readonly ProfileEntry[], ratePerHour: number): number {
  let sum = 0
  for (const entry of profile) {
    if (saturated(entry)) sum += entry.hours * tailSlope(entry.windowSize, ratePerHour * entry.hours)
    else sum += entry.items / ratePerHour - entry.hours
  }
  return sum
}

/** The gradient as printed in 7.4.3, kept to show in a test that it is not the derivative. */
export function printedGradient(profile: readonly ProfileEntry[], ratePerHour: number): number {
  let sum = 0
  for (const entry of profile) {
    if (saturated(entry)) sum += entry.hours * tailSlope(entry.windowSize, ratePerHour * entry.hours)
    else sum += (entry.items * entry.hours) / ratePerHour
  }
  return sum
}

export interface LikelihoodEstimate {
  readonly ratePerHour: number
  /**
   * `maximum`: the rate that makes the profile most likely. `lower bound`: every entry is saturated, so the likelihood
   * rises for ever and no finite maximum exists; the rate is the count as if nothing was lost. `nothing`: empty profile.
   * `not converged`: Algorithm 7.1 ran out of iterations.
   */
  readonly kind: 'maximum' | 'lower bound' | 'nothing' | 'not converged'
  readonly iterations: number
}

/** Items seen over time watched: the maximum without saturation, and too low with it. */
export function countedRate(profile: readonly ProfileEntry[]): number {
  let items = 0
  let hours = 0
  for (const entry of profile) {
    items += Math.min(entry.items, entry.windowSize)
    hours += entry.hours
  }
  return hours > 0 ? items / hours : 0
}

const TOLERANCE = 1e-10
const MOST_STEPS = 200

/**
 * Maximises ln L. It is concave in λ (each term is: a Poisson log-likelihood, or the logarithm of a Gamma distribution
 * function), so its derivative falls through zero at one point only: at or above the counted rate, bracketed by
 * doubling, then closed in on by the Illinois form of regula falsi.
 */
export function maximumLikelihood(profile: readonly ProfileEntry[]): LikelihoodEstimate {
  const counted = countedRate(profile)
  if (profile.length === 0) return { ratePerHour: 0, kind: 'nothing', iterations: 0 }
  if (profile.every(saturated)) return { ratePerHour: counted, kind: 'lower bound', iterations: 0 }
  if (counted === 0 || profile.every((entry) => !saturated(entry))) {
    return { ratePerHour: counted, kind: 'maximum', iterations: 0 }
  }
  let low = counted
  let high = counted * 2
  let slopeLow = gradient(profile, low)
  let slopeHigh = gradient(profile, high)
  let steps = 2
  for (; slopeHigh > 0 && steps < MOST_STEPS; steps++) {
    low = high
    slopeLow = slopeHigh
    high *= 2
    slopeHigh = gradient(profile, high)
  }
  for (; high - low > TOLERANCE * high && steps < MOST_STEPS; steps++) {
    const middle = low + ((high - low) * slopeLow) / (slopeLow - slopeHigh)
    const slope = gradient(profile, middle)
    if (Math.abs(slope) <= TOLERANCE * Math.abs(slopeLow - slopeHigh)) return found(middle, steps)
    if (slope > 0) {
      low = middle
      slopeLow = slope
      slopeHigh /= 2
    } else {
      high = middle
      slopeHigh = slope
      slopeLow /= 2
    }
  }
  return found((low + high) / 2, steps)
}

function found(ratePerHour: number, iterations: number): LikelihoodEstimate {
  return { ratePerHour, kind: 'maximum', iterations }
}

export interface AscentOptions {
  readonly start: number
  /** ε of Algorithm 7.1. */
  readonly stepSize: number
  readonly minRate: number
  readonly stopThreshold: number
  readonly maxIterations: number
}

/**
 * Algorithm 7.1 with the right gradient: climbs by ε·∂ln L/∂λ until λ hardly moves. How far it gets depends on ε: too
 * large a step swings between minRate and far too high, too small a one stops early. Kept for comparison.
 */
export function gradientAscent(profile: readonly ProfileEntry[], options: AscentOptions): LikelihoodEstimate {
  let rate = options.start
  for (let iteration = 1; iteration <= options.maxIterations; iteration++) {
    const climbed = rate + options.stepSize * gradient(profile, rate)
    const next = climbed > 0 ? climbed : options.minRate
    const moved = Math.abs(next - rate) / rate
    rate = next
    if (moved <= options.stopThreshold) return found(rate, iteration)
  }
  return { ratePerHour: rate, kind: 'not converged', iterations: options.maxIterations }
}
