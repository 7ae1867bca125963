/**
 * The smoothing parameter α of equations 7.2 and 7.3 and its adjustment (thesis 7.2.4): while the most recent errors are
 * no larger than those of a longer history, the model is converging and α shrinks; when they grow, α grows.
 *
 * The thesis leaves γ₁, γ₂, the border of stability and the bounds open. See docs/decisions/0020-estimator-parameters.md for how
 * these were chosen and how much they matter.
 */
export interface AlphaRule {
  readonly initial: number
  /** False: α stays at its initial value. */
  readonly adjusts: boolean
  /** α := α·γ₁ when stable; < 1. */
  readonly gamma1: number
  /** α := α·γ₂ when unstable; > 1. */
  readonly gamma2: number
  /** Stable up to this stability indicator. */
  readonly stableUpTo: number
  readonly min: number
  readonly max: number
  /** Errors in the numerator of the stability indicator. */
  readonly n1: number
  /** Errors in the denominator, n₁ < n₂. */
  readonly n2: number
  /**
   * The first observations count as in a running mean, so that a wrong prior is forgotten within a few of them instead
   * of 1/α of them (the thesis waits for "an initial warm up period" instead).
   */
  readonly warmStart: boolean
}

// n₁ and n₂ are the example of 7.2.4; the bounds are the interval [0.01, 0.2] that 7.3.1 found useful.
export const ADJUSTED_ALPHA: AlphaRule = {
  initial: 0.1,
  adjusts: true,
  gamma1: 0.95,
  gamma2: 1.15,
  stableUpTo: 1.2,
  min: 0.01,
  max: 0.2,
  n1: 3,
  n2: 10,
  warmStart: true,
}

export function fixedAlpha(value: number): AlphaRule {
  return { ...ADJUSTED_ALPHA, initial: value, adjusts: false, warmStart: false }
}

export interface AlphaState {
  readonly value: number
  /** The last n₂ absolute divergence errors, oldest first; empty where α is fixed. */
  readonly errors: readonly number[]
  /** How often each rate of the model was observed so far; counted for the warm start only, up to MOST_SEEN. */
  readonly seen: number
}

// 1/(1 + seen) is then below any useful α.
const MOST_SEEN = 1000

export function startAlpha(rule: AlphaRule): AlphaState {
  return { value: rule.initial, errors: [], seen: 0 }
}

/** Mean of the last n₁ errors over the mean of the last n₂; 1 (stable) while there is too little or nothing wrong. */
export function stabilityIndicator(errors: readonly number[], n1: number, n2: number): number {
  const { length } = errors
  if (length < n2) return 1
  // Both means in one pass: every refresh comes here, twice for the hybrid model.
  let history = 0
  let recent = 0
  for (let index = length - n2; index < length; index++) {
    const error = errors[index]!
    history += error
    if (index >= length - n1) recent += error
  }
  return history > 0 ? recent / n1 / (history / n2) : 1
}

/** `seen`: by how much this observation adds to the times that each rate was observed. */
export function adjustAlpha(rule: AlphaRule, state: AlphaState, error: number, seen = 1): AlphaState {
  const seenSoFar = rule.warmStart ? Math.min(MOST_SEEN, state.seen + seen) : 0
  if (!rule.adjusts) return { ...state, seen: seenSoFar }
  const size = Number.isFinite(error) ? Math.abs(error) : 0
  const errors = withNewest(state.errors, size, rule.n2)
  // Before n₂ errors are known there is no indicator; α keeps its initial, quick value.
  if (errors.length < rule.n2) return { value: state.value, errors, seen: seenSoFar }
  const factor = stabilityIndicator(errors, rule.n1, rule.n2) <= rule.stableUpTo ? rule.gamma1 : rule.gamma2
  return { value: Math.min(rule.max, Math.max(rule.min, state.value * factor)), errors, seen: seenSoFar }
}

/** The last `most` values; every refresh comes here, and spreading would copy twice. */
function withNewest(values: readonly number[], newest: number, most: number): readonly number[] {
  const first = values.length < most ? 0 : values.length - most + 1
  const length = values.length - first + 1
  const errors = new Array<number>(length)
  for (let index = 0; index < length - 1; index++) errors[index] = values[first + index]!
  errors[length - 1] = newest
  return errors
}

/** Weight of an observation that the warm start asks for; the prior counts as one observation. */
export function warmWeight(rule: AlphaRule, before: AlphaState): number {
  return rule.warmStart ? 1 / (2 + before.seen) : 0
}

export function meanOfLast(values: readonly number[], count: number): number {
  const first = Math.max(0, values.length - count)
  let sum = 0
  for (let index = first; index < values.length; index++) sum += values[index]!
  return values.length > first ? sum / (values.length - first) : 0
}
