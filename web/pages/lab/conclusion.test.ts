import { describe, expect, it } from 'vitest'
import { loadPageWords } from '../../language/current.ts'
import { conclusionOf } from './conclusion.ts'
import { policyGroups } from './policies.ts'

await loadPageWords()

const point = (strategy: string, requestsPerMinute: number, minutes: number | null, completeness = 1) => ({
  strategy,
  requestsPerMinute,
  meanDelayMs: minutes === null ? null : minutes * 60_000,
  completeness,
  freshness: null,
  requests: 1,
})
const result = (points: ReturnType<typeof point>[]) => ({
  sources: 3,
  from: 0,
  to: 1,
  points,
  node: { requestsPerMinute: 1, meanDelayMs: null, completeness: null },
})

describe('the first sentence of the Lab', () => {
  it('names the best at about the budget of the node, and the last', () =>
    expect(
      conclusionOf(
        result([
          point('uniform', 1, 15, 0.99),
          point('foresight', 1, 6),
          point('uniform', 10, 1),
          point('foresight', 10, 2),
        ]),
      ),
    ).toBe(
      'At 1,440 requests a day, foresight is best: 6 minutes late on average, uniform 15 minutes, 2.5 times as much. Of all items they would have got 100\u00a0% and 99\u00a0%.',
    ))

  it('claims nothing where nothing differs, and nothing where nothing is known', () => {
    expect(conclusionOf(result([point('a', 1, 6), point('b', 1, 6)]))).toContain('hardly more')
    expect(conclusionOf(result([point('a', 1, null)]))).toMatch(/^Too little/)
    expect(conclusionOf(result([]))).toMatch(/^Too little/)
  })
})

describe('policies', () => {
  it('are grouped, and one without words is not lost', () =>
    expect(
      policyGroups(['foresight', 'uniform', 'new-one']).map(({ title, policies }) => [title, policies[0]?.id]),
    ).toEqual([
      ['Ours', 'foresight'],
      ['Readers and crawlers people use', 'uniform'],
      ['Others', 'new-one'],
    ]))
})
