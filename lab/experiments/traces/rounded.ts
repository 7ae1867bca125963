/** Figures are written with so many digits after the point: what follows is noise, and would only fill files. */
export function roundToDigits(value: number, digits = 3): number {
  const scale = 10 ** digits
  return Math.round(value * scale) / scale
}

/** A share in percent, to a tenth. */
export function roundPercent(share: number): number {
  return roundToDigits(100 * share, 1)
}
