import type { Random } from '../../../model/index.ts'

// More items than this of one source do not make its shape count for more than another's.
const MOST_ITEMS = 200
const ROUNDS = 20
/** Items' worth of the mean in each cluster, of `base` in the mean and in a seed, and in a source against itself. */
const CLUSTER_PRIOR = 40
const SEED_PRIOR = 30
const OWN_PRIOR = 10

/**
 * Groups histograms by likelihood: each belongs to the cluster under which its items are most probable, each cluster is
 * the mean of its members with some items' worth of the mean of all. K-means on shares (SCC07 4.3.1) would let the chance of
 * sources with a dozen items weigh as much as the habits of those with hundreds. Seeds as in k-means++, the distance
 * being the likelihood that a histogram loses under the best seed so far. The first cluster stays the mean of all: what a
 * source is believed to do that has shown nothing else (evidence.ts).
 */
export function clusterCounts(
  histograms: readonly (readonly number[])[],
  clusters: number,
  base: readonly number[],
  random: Random,
  itemsPerEvent = 1,
): number[][] {
  const rows = histograms.map(capped)
  const mean = meanOf(rows, base, itemsPerEvent)
  const cents = seeds(rows, mean, Math.min(clusters, rows.length), base, random)
  for (let round = 0; round < ROUNDS; round++) {
    const logs = cents.map(logOf)
    const sums = cents.map(() => new Array<number>(base.length).fill(0))
    for (const row of rows) addTo(sums[mostLikely(row, logs)]!, row)
    for (let k = 1; k < cents.length; k++) cents[k] = smoothed(sums[k]!, cents[0]!, CLUSTER_PRIOR)
  }
  return cents
}

/** Index of the cluster (given as logarithms of shares) under which the counts are most probable. */
export function mostLikely(counts: ArrayLike<number>, logShares: readonly ArrayLike<number>[]): number {
  let best = 0
  let most = Number.NEGATIVE_INFINITY
  for (let k = 0; k < logShares.length; k++) {
    const likelihood = logLikelihood(counts, logShares[k]!)
    if (likelihood > most) {
      most = likelihood
      best = k
    }
  }
  return best
}

function logLikelihood(counts: ArrayLike<number>, logShares: ArrayLike<number>): number {
  let sum = 0
  for (let part = 0; part < logShares.length; part++) sum += counts[part]! * logShares[part]!
  return sum
}

/**
 * The mean of all, held to `base` as far as its unevenness may be chance: James and Stein's 1 − (parts − 1)/X². With 20
 * sources of a dozen items each, most of what the minutes of the hour differ by is. Items that came together are one event.
 */
function meanOf(rows: readonly (readonly number[])[], base: readonly number[], itemsPerEvent: number): number[] {
  const all = new Array<number>(base.length).fill(0)
  for (const row of rows) addTo(all, row)
  const items = total(all)
  const scatter = all.reduce((sum, count, part) => sum + count ** 2 / (items * base[part]!), -items) / itemsPerEvent
  const shrinkage = Math.max(0, 1 - (base.length - 1) / scatter)
  const mean = smoothed(all, base, CLUSTER_PRIOR)
  return mean.map((share, part) => base[part]! + (scatter > 0 ? shrinkage : 0) * (share - base[part]!))
}

function seeds(
  rows: readonly (readonly number[])[],
  mean: number[],
  count: number,
  base: readonly number[],
  random: Random,
): number[][] {
  const chosen = [mean]
  const own = rows.map((row) => logLikelihood(row, logOf(smoothed(row, base, OWN_PRIOR))))
  const best = new Array<number>(rows.length).fill(Number.NEGATIVE_INFINITY)
  while (chosen.length < count) {
    const log = logOf(chosen.at(-1)!)
    const losses = rows.map((row, index) => {
      best[index] = Math.max(best[index]!, logLikelihood(row, log))
      return Math.max(0, own[index]! - best[index]!)
    })
    chosen.push(smoothed(rows[pickByWeight(losses, random)]!, base, SEED_PRIOR))
  }
  return chosen
}

function pickByWeight(weights: readonly number[], random: Random): number {
  let remaining = random() * weights.reduce((sum, weight) => sum + weight, 0)
  let index = 0
  while (index < weights.length - 1) {
    remaining -= weights[index]!
    if (remaining <= 0) break
    index++
  }
  return index
}

function capped(row: readonly number[]): number[] {
  const scale = Math.min(1, MOST_ITEMS / total(row))
  return row.map((count) => count * scale)
}

function smoothed(row: readonly number[], base: readonly number[], prior: number): number[] {
  const items = total(row)
  return row.map((count, part) => (count + prior * base[part]!) / (items + prior))
}

function logOf(shares: readonly number[]): number[] {
  return shares.map(Math.log)
}

function addTo(sums: number[], row: readonly number[]): void {
  for (let part = 0; part < row.length; part++) sums[part]! += row[part]!
}

function total(row: readonly number[]): number {
  return row.reduce((sum, count) => sum + count, 0)
}
