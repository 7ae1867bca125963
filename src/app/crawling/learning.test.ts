import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../../model/index.ts'
import { loadConfig } from '../settings/config.ts'
import { learningPlan } from './learning.ts'
import { checkStrategy } from './strategy.ts'

const configOf = (flags: Readonly<Record<string, unknown>>) => loadConfig('none', flags, {})

describe('ways of learning, as they are set', () => {
  it.each([
    [{}, { way: 'online', share: 0, learnMs: null, everyMs: null }],
    [{ learningShare: '0.3' }, { way: 'online', share: 0.3 }],
    [{ learning: 'separate' }, { way: 'separate', share: 0.2, learnMs: null, everyMs: null }],
    [{ learning: 'freeze' }, { way: 'freeze', share: 1, learnMs: 7 * DAY_MS, everyMs: null }],
    [
      { learning: 'freeze', learnFor: '2d', learningShare: 3 },
      { way: 'freeze', share: 3, learnMs: 2 * DAY_MS },
    ],
    [{ learning: 'repeated' }, { way: 'repeated', share: 1, learnMs: 7 * DAY_MS, everyMs: 28 * DAY_MS }],
    [
      { learning: 'repeated', exploreShare: 0, learnEvery: '14d' },
      { exploreShare: 0, everyMs: 14 * DAY_MS },
    ],
  ])('%o', (flags, plan) => {
    expect(learningPlan(configOf(flags))).toMatchObject(plan)
    expect(() => checkStrategy(configOf(flags))).not.toThrow()
  })

  it.each<[Record<string, unknown>, RegExp]>([
    [{ learning: 'offline' }, /setting learning:/],
    [{ learnFor: '2d' }, /learnFor: with learning online there are no periods.*freeze or repeated/],
    [{ learning: 'separate', learnFor: '2d' }, /learnFor: with learning separate/],
    [{ learning: 'freeze', learnEvery: '9d' }, /learnEvery: with learning freeze no period .* choose repeated/],
    [{ learning: 'freeze', learnFor: 0 }, /longer than nothing/],
    [{ learningShare: 2 }, /learningShare: online .* at most 1/],
    [{ learning: 'separate', learningShare: 0 }, /nothing would be learnt from 0/],
    [{ learning: 'separate', learningShare: 1 }, /less than 1/],
    [{ learning: 'freeze', learningShare: 0 }, /nothing would be learnt from 0/],
    [{ learning: 'repeated', learnFor: '7d', learnEvery: '7d' }, /leaves nothing for refreshing/],
    [{ learning: 'repeated', learnFor: '2d', learnEvery: '7d', learningShare: 4 }, /learnFor × learningShare/],
    [
      { learning: 'freeze', strategy: 'uniform' },
      /"uniform" learns no publication model: .* only be online, not freeze/,
    ],
  ])('%o is refused in words', (flags, words) => {
    expect(() => checkStrategy(configOf(flags))).toThrow(words)
  })
})
