import { expect, it } from 'vitest'
import { picksInTheLab, picksOfTheNode, poissonCycles } from './cycles-against-lab.ts'

/** 2,000 cycles without a kill, and feeds of a trace: cycles-against-lab.long.test.ts. */
it.each(['two-steps', 'top-k-utility'])(
  'in cycles, over two kills, the node refreshes what %s picks',
  async (strategy) => {
    const subject = poissonCycles(strategy, 200)
    const picks = picksInTheLab(subject)
    expect(picks.length).toBeGreaterThan(150)
    expect(await picksOfTheNode(subject, [67, 134])).toEqual(picks)
  },
)
