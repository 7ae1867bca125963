import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../src/model/index.ts'
import { conjugateGamma } from '../../src/refresh/estimators/gamma.ts'
import { gammaProfile } from '../../src/refresh/estimators/gamma-profile.ts'
import { history, hybrid, known, singleVariable } from '../../src/refresh/estimators/index.ts'
import { constantIntensity } from '../../src/refresh/intensity.ts'
import { readTrace } from '../worlds/trace.ts'
import { predictiveScore, USUAL } from './predictive-score.ts'

describe('predictive score', () => {
  it('is best for the truth', () => {
    const times = Float64Array.from({ length: 4000 }, (_, index) => index * 0.5 * HOUR_MS)
    const truth = predictiveScore([{ times }], known(constantIntensity(2)))
    for (const wrong of [0.5, 1, 4]) {
      expect(predictiveScore([{ times }], known(constantIntensity(wrong))).natsPerItem).toBeLessThan(truth.natsPerItem)
    }
    expect(truth.absoluteError).toBeLessThan(1)
    expect(predictiveScore([{ times }], singleVariable()).natsPerItem).toBeGreaterThan(truth.natsPerItem - 0.05)
  })
})

const RSS_2024 = '../shared/traces/rss-2024/trace.csv.gz'

describe.skipIf(!existsSync(RSS_2024))('estimators on rss-2024 (skipped where the trace is absent)', () => {
  it.each([6, 24])('refreshed every %d h, hours and days with dates foretell best', async (hours) => {
    const sources = (await readTrace(RSS_2024)).sources.filter((_, index) => index % 8 === 0)
    const options = { ...USUAL, meanIntervalMs: hours * HOUR_MS }
    const profile = predictiveScore(sources, gammaProfile(), options)
    const others = [
      predictiveScore(sources, history(), options),
      predictiveScore(sources, conjugateGamma(), options),
      predictiveScore(sources, hybrid(), options),
      predictiveScore(sources, singleVariable(), options),
    ]
    for (const other of others) {
      expect(profile.natsPerItem).toBeGreaterThan(other.natsPerItem)
      expect(profile.absoluteError).toBeLessThan(other.absoluteError)
    }
  })
})
