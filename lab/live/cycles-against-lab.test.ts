import { expect, it } from 'vitest'
import { MINUTE_MS } from '../../src/model/index.ts'
import { picksInTheLab, picksOfTheNode, poissonCycles } from './cycles-against-lab.ts'

/** 2,000 cycles without a kill, and feeds of a trace: cycles-against-lab.long.test.ts. */
it.each([
  ['two-steps', 10],
  ['top-k-utility', 10],
  // Full windows are rare.
  ['only-sat', 720],
])('in cycles, over two kills, the node refreshes what %s picks every %i minutes', async (strategy, minutes) => {
  const subject = poissonCycles(strategy, 200, minutes * MINUTE_MS)
  const picks = picksInTheLab(subject)
  expect(picks.length).toBeGreaterThan(150)
  expect(await picksOfTheNode(subject, [67, 134])).toEqual(picks)
})
