import { describe, expect, it } from 'vitest'
import { benchJoin } from './join.ts'

describe('bench join', () => {
  it('measures joins that find what repeats, in windows that stay full', async () => {
    const { joins } = (await benchJoin({ items: [400] })) as {
      joins: { clause: string; keptShare: number; remembered: number }[]
    }
    for (const { clause, keptShare, remembered } of joins) {
      const keepsRepeats = clause.startsWith('JOIN')
      expect(keptShare, clause).toBeGreaterThan(keepsRepeats ? 0.02 : 0.5)
      expect(keptShare, clause).toBeLessThan(keepsRepeats ? 0.5 : 0.995)
      expect(remembered, clause).toBeLessThanOrEqual(401)
      expect(remembered, clause).toBeGreaterThan(300)
    }
  })
})
