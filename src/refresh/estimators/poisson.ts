/** The Poisson distribution where rates and windows need it: tails without cancellation, for any mean. */

/** ln n!, by Stirling's series beyond small n (error below 1e-12). */
function logFactorial(n: number): number {
  if (n < 2) return 0
  if (n < 16) {
    let product = 1
    for (let factor = 2; factor <= n; factor++) product *= factor
    return Math.log(product)
  }
  const x = n + 1
  const inverse = 1 / x
  const series = inverse * (1 / 12 - inverse * inverse * (1 / 360 - (inverse * inverse) / 1260))
  return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + series
}

/** ln P(N = n). */
function logProbability(n: number, mean: number): number {
  if (mean <= 0) return n === 0 ? 0 : Number.NEGATIVE_INFINITY
  return n * Math.log(mean) - mean - logFactorial(n)
}

/** ln P(N ≥ atLeast), the probability that a window of that size overflows (equation 7.5). */
export function logUpperTail(atLeast: number, mean: number): number {
  if (atLeast <= 0) return 0
  if (mean <= 0) return Number.NEGATIVE_INFINITY
  if (mean <= atLeast) return logProbability(atLeast, mean) + Math.log(upperSeries(atLeast, mean))
  return Math.log1p(-Math.exp(logProbability(atLeast - 1, mean)) * lowerSeries(atLeast - 1, mean))
}

export function upperTail(atLeast: number, mean: number): number {
  return Math.exp(logUpperTail(atLeast, mean))
}

/** d/dm ln P(N ≥ atLeast) = P(N = atLeast − 1)/P(N ≥ atLeast): to what the printed sum of 7.4.3 telescopes. */
export function tailSlope(atLeast: number, mean: number): number {
  if (atLeast <= 0) return 0
  if (mean <= 0) return Number.POSITIVE_INFINITY
  if (mean <= atLeast) return atLeast / (mean * upperSeries(atLeast, mean))
  return Math.exp(logProbability(atLeast - 1, mean) - logUpperTail(atLeast, mean))
}

/** E[N | N ≥ atLeast]: how many items came when the window overflowed. */
export function meanGivenAtLeast(atLeast: number, mean: number): number {
  if (atLeast <= 0) return mean
  // m·P(N ≥ W − 1)/P(N ≥ W) = m·(1 + P(N = W − 1)/P(N ≥ W)); as m → 0 it tends to W.
  return mean > 0 ? mean + mean * tailSlope(atLeast, mean) : atLeast
}

/** E[min(N, W)]: the window divergence a Poisson source has reached (thesis 2.1.6, 7.5). */
export function expectedInWindow(windowSize: number, mean: number): number {
  if (mean <= 0) return 0
  // Σ_{k<W} k·p(k) + W·P(N ≥ W) = m·P(N ≤ W − 2) + W·P(N ≥ W).
  return mean * (1 - upperTail(windowSize - 1, mean)) + windowSize * upperTail(windowSize, mean)
}

/** Σ_{k ≥ n} P(k)/P(n), for mean ≤ n, where its terms fall from the start. */
function upperSeries(n: number, mean: number): number {
  let term = 1
  let sum = 1
  for (let k = n + 1; term > sum * 1e-17 && k < n + 10_000; k++) {
    term *= mean / k
    sum += term
  }
  return sum
}

/** Σ_{k ≤ n} P(k)/P(n), for mean > n. */
function lowerSeries(n: number, mean: number): number {
  let term = 1
  let sum = 1
  for (let k = n; k > 0 && term > sum * 1e-17; k--) {
    term *= k / mean
    sum += term
  }
  return sum
}
