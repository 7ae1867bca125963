import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPoliteness } from './politeness.ts'
import { learntLatency, SLOW_MS, SlowHosts } from './slow-hosts.ts'

const HOST = 'a.example:443'

function learnt(...answers: number[]): number | null {
  return answers.reduce<number | null>(learntLatency, null)
}

describe('a host is slow', () => {
  it.each<[string, number[], number | null]>([
    ['after one slow answer', [57_000], 57_000],
    ['not after one that takes almost as long', [4_999], null],
    ['a server that thinks for 6 s, until the next quick answer', [6_000, 100], null],
    ['one that takes a minute, after three quick answers', [57_000, 100, 100, 100], 7_213],
    ['but not after four', [57_000, 100, 100, 100, 100], null],
    ['one that is quick every other time', [57_000, 100, 57_000, 100], 28_550],
    ['and as slow as the last answer was, if that was slower', [6_000, 30_000], 30_000],
  ])('%s', (_name, answers, expected) => expect(learnt(...answers)).toBe(expected))

  it('as long as its answers are slow, and never after enough quick ones', () => {
    const answers = fc.array(fc.integer({ min: 0, max: 60_000 }), { maxLength: 30 })
    fc.assert(
      fc.property(answers, (before) => {
        expect(learnt(...before, SLOW_MS)).not.toBeNull()
        expect(learnt(...before, 10, 10, 10, 10)).toBeNull()
      }),
    )
  })

  it('and nothing is stored of the others', () => {
    const hosts = new SlowHosts()
    for (let i = 0; i < 1_000; i++) hosts.recordLatency(`h${i}:80`, i, 1_000)
    expect(hosts.keep()).toEqual([])
  })

  it('at most 10,000 are remembered, the longest unheard are forgotten first', () => {
    const hosts = new SlowHosts()
    for (let i = 0; i < 10_001; i++) hosts.recordLatency(`h${i}:80`, 10_000, 10_000)
    expect([hosts.latencyMs('h0:80'), hosts.latencyMs('h1:80')]).toEqual([null, 10_000])
  })
})

describe('a host that has been quick four times in a row', () => {
  const quick = [100, 100, 100, 100]

  /** Answers one after the other; `[tookMs, endMs]` where they overlap. */
  function latencyAfter(...answers: (number | readonly [tookMs: number, endMs: number])[]): number | null {
    const hosts = new SlowHosts()
    let nowMs = 0
    for (const answer of answers) {
      const [tookMs, endMs] = typeof answer === 'number' ? [answer, nowMs + answer] : answer
      nowMs = endMs
      hosts.recordLatency(HOST, tookMs, nowMs)
    }
    return hosts.latencyMs(HOST)
  }

  it.each<[string, Parameters<typeof latencyAfter>, number | null]>([
    ['is not slow after one slow answer, which may be a stall', [...quick, 57_000], null],
    ['is after the second', [...quick, 57_000, 57_000], 57_000],
    ['also if it is slow only at the second request', [...quick, 7_000, 100, 57_000], 57_000],
    ['counts what waited in the same stall once', [...quick, [7_000, 10_000], [7_500, 10_500], [9_000, 11_000]], null],
    ['but not what began after it', [...quick, [7_000, 10_000], [6_000, 16_001]], 6_000],
    ['has to be quick again before the next stall is forgiven', [...quick, 57_000, ...quick, 57_000], null],
    ['is not trusted before', [100, 100, 100, 57_000], 57_000],
  ])('%s', (_name, answers, expected) => expect(latencyAfter(...answers)).toBe(expected))

  it('is no way to hold places: a host that is slow twice in a row is slow, whatever came before', () => {
    const answers = fc.array(fc.integer({ min: 0, max: 60_000 }), { maxLength: 30 })
    fc.assert(
      fc.property(answers, (before) => {
        expect(latencyAfter(...before, 57_000, 57_000)).not.toBeNull()
      }),
    )
  })
})

it('slow hosts survive a restart', () => {
  const before = createPoliteness({ host: { spacingMs: 0, concurrency: 2 } })
  before.took(HOST, 20_000, 20_000)
  const stored = { politeness: JSON.parse(JSON.stringify(before.keep(0))), setByMs: 0, now: 0 }
  const after = createPoliteness({ host: { spacingMs: 0, concurrency: 2 }, stored })
  expect(after.slowMs(HOST)).toBe(20_000)
  for (let i = 0; i < 4; i++) after.took(HOST, 100, 100 * i)
  expect(after.keep(0)).toBeNull()
})
