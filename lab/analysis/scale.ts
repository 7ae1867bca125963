/** From values to places on an axis, with the values worth a tick. */
export interface Scale {
  position(value: number): number
  readonly ticks: readonly number[]
}

export function linearScale(from: number, to: number, start: number, end: number, count = 5): Scale {
  const top = to > from ? to : from + 1
  const step = niceStep((top - from) / count)
  const ticks: number[] = []
  for (let tick = Math.ceil(from / step - 1e-9) * step; tick <= top + step * 1e-9; tick += step) {
    ticks.push(Math.abs(tick) < step * 1e-9 ? 0 : tick)
  }
  return { position: (value) => start + ((value - from) / (top - from)) * (end - start), ticks }
}

/** Values of zero or less are drawn at the lower end. */
export function logScale(from: number, to: number, start: number, end: number): Scale {
  const low = Math.floor(Math.log10(from))
  const high = Math.max(low + 1, Math.ceil(Math.log10(to) - 1e-9))
  const ticks = Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index))
  const position = (value: number) => {
    const logarithm = value > 0 ? Math.max(low, Math.log10(value)) : low
    return start + ((logarithm - low) / (high - low)) * (end - start)
  }
  return { position, ticks }
}

/** 1, 2 or 5 times a power of ten, not below the wish. */
function niceStep(wish: number): number {
  const power = 10 ** Math.floor(Math.log10(wish))
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= wish * (1 - 1e-9))!
  return factor * power
}

/** Short and readable: 1,200; 0.05; 10⁻⁴ as 1e-4. */
export function shortNumber(value: number): string {
  if (value === 0) return '0'
  const size = Math.abs(value)
  if (size >= 1e6 || size < 1e-3) return value.toExponential(0).replace('e+', 'e')
  if (size >= 1000) return value.toLocaleString('en-US', { maximumFractionDigits: 0 })
  return String(Number(value.toPrecision(3)))
}
