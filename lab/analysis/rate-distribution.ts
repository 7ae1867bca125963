/** Posting-rate distribution of a collection (SCC07 4.1, Figure 7). */
export interface RateBin {
  /** Items in the whole time, geometric middle of the bin. */
  readonly items: number
  readonly sources: number
  /** Sources per unit of items: what a histogram with bins of width 1 would show on average. */
  readonly density: number
}

/** y = a·x^b. */
export interface PowerLaw {
  readonly a: number
  readonly b: number
  /** Share of the variance of ln y that the line explains. */
  readonly r2: number
}

/** Bins of equal width in the logarithm, `perDecade` of them; empty ones are left out. */
export function rateBins(itemsPerSource: readonly number[], perDecade = 5): readonly RateBin[] {
  const bins = new Map<number, number>()
  for (const items of itemsPerSource) {
    if (items < 1) continue
    const bin = Math.floor(Math.log10(items) * perDecade + 1e-9)
    bins.set(bin, (bins.get(bin) ?? 0) + 1)
  }
  return [...bins]
    .sort(([a], [b]) => a - b)
    .map(([bin, sources]) => {
      const from = 10 ** (bin / perDecade)
      const to = 10 ** ((bin + 1) / perDecade)
      // Counts are whole numbers: a narrow bin at the low end may hold only one of them.
      const width = Math.max(1, Math.ceil(to - 1e-9) - Math.ceil(from - 1e-9))
      return { items: Math.sqrt(from * to), sources, density: sources / width }
    })
}

/** Straight line through ln y over ln x, as SCC07 fit theirs (a ≈ 376, b ≈ −0.78); null for fewer than two bins. */
export function fitPowerLaw(bins: readonly RateBin[]): PowerLaw | null {
  if (bins.length < 2) return null
  const points = bins.map(({ items, density }) => ({ x: Math.log(items), y: Math.log(density) }))
  const meanX = points.reduce((sum, { x }) => sum + x, 0) / points.length
  const meanY = points.reduce((sum, { y }) => sum + y, 0) / points.length
  let [sxx, sxy, syy] = [0, 0, 0]
  for (const { x, y } of points) {
    sxx += (x - meanX) ** 2
    sxy += (x - meanX) * (y - meanY)
    syy += (y - meanY) ** 2
  }
  const b = sxy / sxx
  return { a: Math.exp(meanY - b * meanX), b, r2: syy > 0 ? (sxy * sxy) / (sxx * syy) : 1 }
}

/**
 * Exponent of the tail by maximum likelihood, 1 + n/Σ ln(x/(x_min − ½)), the usual form for counts: it needs no bins and
 * does not let the sparse end of the plot pull the line. Null where fewer than ten sources reach x_min.
 */
export function tailExponent(itemsPerSource: readonly number[], from: number): number | null {
  const tail = itemsPerSource.filter((items) => items >= from)
  if (tail.length < 10) return null
  return 1 + tail.length / tail.reduce((sum, items) => sum + Math.log(items / (from - 0.5)), 0)
}
