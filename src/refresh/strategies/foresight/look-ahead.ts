import type { WeekProfile } from './week-profile.ts'

/** Steps to one usual interval, and usual intervals looked ahead. Four intervals cost 2 to 3 % of delay, ten gain 0.5 %. */
const STEPS = 12
const INTERVALS = 6
const NODES = STEPS * INTERVALS
// The last, open interval may not be longer than this many usual ones.
const LONGEST_OPEN = 2
const MINUTES_PER_HOUR = 60
const HOURS_PER_SECOND = 1 / 3_600
const LEAST_PACE = 0.01
/** From one neighbour of the best node to the other. */
const FINE_STEPS = 8
// Intervals beyond this are not shaped by a week any more.
const LONGEST_HOURS = 60 * 24

/**
 * When to refresh next, over the coming intervals rather than up to the next refresh alone (refresh-science §2):
 * f(i) = min over j > i of x_j(Λ_j − Λ_i) − (K_j − K_i) + μ + f(j), with Λ = ∫λ and K = ∫tλ on a grid that reaches six
 * usual intervals ahead; its stationary points are SCC07's Theorem 3. As a function of Λ_i each j is a line of slope
 * −x_j, so a convex hull with a moving head finds every minimum in O(1): the whole look-ahead is O(72).
 *
 * Everything is for a rate of 1: only the price relative to it matters. The arrays are reused between calls.
 */
export class LookAhead {
  private readonly mass = new Float64Array(NODES + 1)
  private readonly moment = new Float64Array(NODES + 1)
  private readonly next = new Int32Array(NODES + 1)
  private readonly slopes = new Float64Array(NODES + 1)
  private readonly intercepts = new Float64Array(NODES + 1)
  private readonly lines = new Int32Array(NODES + 1)

  /** Hours to wait after a refresh at `fromHours` (week.ts) at this price in item-hours per unit of rate. */
  waitHours(profile: WeekProfile, fromHours: number, price: number): number {
    const usual = Math.sqrt(2 * price)
    if (!(usual < LONGEST_HOURS)) return usual
    const step = usual / STEPS
    profile.layAfter(fromHours, step, this.mass, this.moment)
    this.solve(price, usual, step)
    return this.refined(profile, fromHours, usual, step)
  }

  /** Both ends of the hull are held in variables: every decision passes 72 nodes, and looking them up is most of the work. */
  private solve(price: number, usual: number, step: number): void {
    const { mass, moment, next, slopes, intercepts, lines } = this
    const end = NODES * step
    const endMass = mass[NODES]!
    const endMoment = moment[NODES]!
    // What an hour costs from there on, if the pace of the last interval goes on.
    const pace = Math.max(LEAST_PACE, (endMass - mass[NODES - STEPS]!) / usual)
    const costPerHour = usual * Math.sqrt(pace)
    const longestOpen = (LONGEST_OPEN * usual) / Math.sqrt(pace)
    let headSlope = end
    let headIntercept = end * endMass - endMoment
    let lastSlope = headSlope
    let lastIntercept = headIntercept
    slopes[0] = headSlope
    intercepts[0] = headIntercept
    lines[0] = NODES
    next[NODES] = -1
    let head = 0
    let last = 0
    for (let node = NODES - 1; node >= 0; node--) {
      const here = mass[node]!
      const slope = node * step
      const momentHere = moment[node]!
      let lowest = headIntercept - headSlope * here
      while (head < last) {
        const followingSlope = slopes[head + 1]!
        const followingIntercept = intercepts[head + 1]!
        const following = followingIntercept - followingSlope * here
        if (!(following <= lowest)) break
        lowest = following
        headSlope = followingSlope
        headIntercept = followingIntercept
        head++
      }
      let least = lowest + momentHere + price
      let best = lines[head]!
      // Open at the end: what waits by then, and its share of the costs of an interval that an even rate would have.
      const open = end - slope
      if (open <= longestOpen) {
        const waited = end * (endMass - here) - (endMoment - momentHere)
        const leftOpen = waited + costPerHour * open - (pace * open * open) / 2
        if (!(least < leftOpen)) {
          least = leftOpen
          best = -1
        }
      }
      next[node] = best
      const intercept = slope * here - momentHere + least
      // The last line goes where it is lowest nowhere any more once this one is there; slopes fall along the hull.
      while (last > head) {
        const beforeSlope = slopes[last - 1]!
        const beforeIntercept = intercepts[last - 1]!
        const meetsBefore = (lastIntercept - intercept) * (beforeSlope - lastSlope)
        if (meetsBefore < (beforeIntercept - lastIntercept) * (lastSlope - slope)) break
        lastSlope = beforeSlope
        lastIntercept = beforeIntercept
        last--
      }
      last++
      slopes[last] = slope
      intercepts[last] = intercept
      lines[last] = node
      lastSlope = slope
      lastIntercept = intercept
    }
  }

  /** Between the neighbours of the node found, the one after it held: x₁Λ₁ + x₂(Λ₂ − Λ₁) least; minutes and seconds count. */
  private refined(profile: WeekProfile, fromHours: number, usual: number, step: number): number {
    const { next } = this
    const node = next[0]! > 0 ? next[0]! : NODES
    const at = node * step
    const after = next[node]! > 0 ? next[node]! * step : at + usual
    const low = (node - 1) * step
    const high = Math.min(after, 2 * at - low)
    const start = profile.cumulativeAt(fromHours)
    const afterMass = profile.cumulativeAt(fromHours + after) - start
    let bestAt = at
    let least = Number.POSITIVE_INFINITY
    const fine = (high - low) / FINE_STEPS
    // A second into a minute: then an item dated at its start is there.
    const first = Math.ceil((fromHours + low) * MINUTES_PER_HOUR)
    const last = Math.floor((fromHours + high) * MINUTES_PER_HOUR)
    const stride = Math.max(1, Math.ceil((last - first) / 30))
    // Even steps, then minutes, in one loop: a function for both would keep the least so far in memory.
    let minute = first
    for (let k = 0; k <= FINE_STEPS || minute <= last; k++) {
      let wait = low + k * fine
      if (k > FINE_STEPS) {
        wait = minute / MINUTES_PER_HOUR + HOURS_PER_SECOND - fromHours
        minute += stride
      }
      if (!(wait > 0) || wait > high) continue
      const mass = profile.cumulativeAt(fromHours + wait) - start
      const cost = wait * mass + after * (afterMass - mass)
      if (cost < least) {
        least = cost
        bestAt = wait
      }
    }
    return bestAt
  }
}
