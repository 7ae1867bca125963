import { expect } from 'vitest'

/** Another order of additions may move the last digits of a figure, and no more. */
const WITHIN = 1e-6

/** All figures of `actual` are those of `expected`, but for rounding. */
export function expectEqualRows(actual: unknown, expected: unknown, path = ''): void {
  if (typeof expected === 'number') {
    const apart = Math.abs((actual as number) - expected)
    expect(apart, `${path}: ${String(actual)} instead of ${expected}`).toBeLessThanOrEqual(WITHIN * Math.abs(expected))
  } else if (typeof expected === 'object' && expected !== null) {
    expect(Object.keys(actual as object), path).toEqual(Object.keys(expected))
    for (const [key, value] of Object.entries(expected)) {
      expectEqualRows((actual as Record<string, unknown>)[key], value, `${path}/${key}`)
    }
  } else expect(actual, path).toEqual(expected)
}
