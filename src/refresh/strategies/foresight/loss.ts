/**
 * What an item is worth that falls out of the window unseen, in item-hours. Chosen on one trace as the least at which no
 * budget loses more than 2Steps does; above one refresh a day it hardly costs any delay (docs/decisions).
 */
const LOST_ITEM_HOURS = 14

/** Variance of counts beyond Poisson's, relative to the squared mean: bursts, and a rate that is only estimated. */
const OVERDISPERSION = 0.1

/** P(N > windowSize) for a count of this mean, by the normal curve. */
function overflowChance(mean: number, windowSize: number): number {
  const deviation = Math.sqrt(mean + OVERDISPERSION * mean * mean)
  if (!(deviation > 0)) return 0
  // Logistic curve in place of the normal one: within 0.01 everywhere.
  return 1 / (1 + Math.exp((-1.702 * (mean - windowSize - 0.5)) / deviation))
}

/** Below this share of the window nothing is at stake. */
const SAFE_SHARE = 0.25

/**
 * The price as it acts on delay once loss is counted too (refresh-science §1, last row): λa²/2 + L·W·P(N > W) = μ gives
 * the interval a that both together are worth; λa²/2 is what it leaves for delay. Equal to `price` where no loss threatens.
 */
export function priceBesideLoss(price: number, ratePerHour: number, windowSize: number): number {
  const most = Math.sqrt((2 * price) / ratePerHour)
  if (ratePerHour * most < SAFE_SHARE * windowSize) return price
  const lostWindow = windowSize * LOST_ITEM_HOURS
  const worth = (hours: number) =>
    (ratePerHour * hours * hours) / 2 + lostWindow * overflowChance(ratePerHour * hours, windowSize)
  let low = 0
  let high = most
  for (let step = 0; step < 14; step++) {
    const middle = (low + high) / 2
    if (worth(middle) < price) low = middle
    else high = middle
  }
  return (ratePerHour * high * high) / 2
}

/** Expected items at which the threat of loss alone is worth the price; Infinity: it never is. */
export function maxExpected(price: number, windowSize: number): number {
  const chance = price / (windowSize * LOST_ITEM_HOURS)
  if (!(chance < 1)) return Number.POSITIVE_INFINITY
  let low = 0
  let high = 4 * windowSize + 4
  for (let step = 0; step < 14; step++) {
    const middle = (low + high) / 2
    if (overflowChance(middle, windowSize) < chance) low = middle
    else high = middle
  }
  return high
}
