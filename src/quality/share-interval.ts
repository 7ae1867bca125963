/** Where a share lies that was counted of some items. */
export interface ShareInterval {
  readonly atLeast: number
  readonly atMost: number
}

/** Two-sided 95 % of a normal distribution. */
const Z = 1.959964

/** Wilson's score interval of a share that was counted of so many items: everything is possible where there are none. */
export function shareInterval(share: number, items: number): ShareInterval {
  const spread = (Z * Z) / Math.max(0, items)
  if (!Number.isFinite(spread)) return { atLeast: 0, atMost: 1 }
  const middle = (share + spread / 2) / (1 + spread)
  const half = Math.sqrt(share * (1 - share) * spread + (spread * spread) / 4) / (1 + spread)
  // Rounding must not put what was counted outside.
  return { atLeast: Math.max(0, Math.min(share, middle - half)), atMost: Math.min(1, Math.max(share, middle + half)) }
}
