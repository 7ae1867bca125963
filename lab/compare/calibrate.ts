/** Requests within this share of the target count as equal (traces/README). */
export const EQUAL_WITHIN = 0.005
const AIM_WITHIN = 0.002

export interface Calibration {
  readonly knob: number
  readonly requests: number
  /** False: the policy cannot spend that much (or that little), whatever the knob. */
  readonly isMet: boolean
}

const FURTHEST = 1e9
const MOST_TRIES = 16

/**
 * Finds the one price or factor at which a policy spends the target. `requestsAt` falls as the knob rises (nearly: a
 * simulation is a little rough). Secant steps on logarithms, kept within the bracket.
 */
export function calibrate(
  requestsAt: (knob: number) => number,
  first: number,
  target: number,
  aimWithin = AIM_WITHIN,
): Calibration {
  let best: Calibration = { knob: first, requests: requestsAt(first), isMet: false }
  let low: Point | null = null
  let high: Point | null = null
  let knob = first
  let requests = best.requests
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    if (Math.abs(requests - target) < Math.abs(best.requests - target)) best = { knob, requests, isMet: false }
    if (Math.abs(best.requests / target - 1) <= aimWithin) break
    // `low` has too small a knob, that is, too many requests.
    if (requests > target) low = { knob, requests }
    else high = { knob, requests }
    const next = nextKnob(low, high, target)
    if (next > first * FURTHEST || next < first / FURTHEST || next === knob) break
    if (low !== null && high !== null && high.knob / low.knob < 1 + 1e-7) break
    knob = next
    requests = requestsAt(knob)
  }
  return { ...best, isMet: Math.abs(best.requests / target - 1) <= EQUAL_WITHIN }
}

interface Point {
  readonly knob: number
  readonly requests: number
}

function nextKnob(low: Point | null, high: Point | null, target: number): number {
  if (low === null) return high!.knob / stride(target / Math.max(1, high!.requests))
  if (high === null) return low.knob * stride(low.requests / target)
  const span = Math.log(high.knob / low.knob)
  const fall = Math.log(low.requests / Math.max(0.5, high.requests))
  const share = fall > 0 ? Math.log(low.requests / target) / fall : 0.5
  return low.knob * Math.exp(span * Math.min(0.9, Math.max(0.1, share)))
}

/** Most policies ask half as often at two to four times the price. */
function stride(ratio: number): number {
  return Math.min(1e4, Math.max(1.01, ratio ** 1.5))
}
