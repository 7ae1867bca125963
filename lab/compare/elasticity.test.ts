import { describe, expect, it } from 'vitest'
import { elasticity } from './elasticity.ts'

const spentAt = (fall: number, knobs: readonly number[]) => knobs.map((knob) => ({ knob, share: knob ** -fall }))

describe('how requests fall with the price', () => {
  it.each([0.5, 1])('is seen from two prices near the budget: %d', (fall) => {
    expect(elasticity(spentAt(fall, [0.01, 0.9, 1.1]))).toBeCloseTo(fall, 9)
  })

  it('is taken as usual where nothing can be seen', () => {
    expect(elasticity([])).toBe(0.6)
    expect(elasticity(spentAt(1, [1, 1.001]))).toBe(0.6)
    expect(
      elasticity([
        { knob: 1, share: 1 },
        { knob: 2, share: 1 },
      ]),
    ).toBe(0.6)
  })
})
