import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../runtime/random.ts'
import {
  countedRate,
  gradient,
  gradientAscent,
  logLikelihood,
  maximumLikelihood,
  type ProfileEntry,
  printedGradient,
} from './likelihood.ts'
import { poisson } from './refresh.fixture.ts'

const PER_MINUTE = 1 / 60
/** < (10, 5), (15, 1), (8, 3), (20, 8) > of thesis 7.4.2, in minutes, window 10. */
const EXAMPLE: ProfileEntry[] = [
  [10, 5],
  [15, 1],
  [8, 3],
  [20, 8],
].map(([minutes, items]) => ({ hours: minutes! * PER_MINUTE, items: items!, windowSize: 10 }))

const profiles = fc.array(
  fc.record({
    hours: fc.double({ min: 0.05, max: 50, noNaN: true }),
    items: fc.integer({ min: 0, max: 20 }),
    windowSize: fc.constant(20),
  }),
  { minLength: 1, maxLength: 60 },
)
const rates = fc.double({ min: 0.01, max: 50, noNaN: true })

/** A source watched at even intervals through a window of 20, with what a counter of visible items makes of it. */
function observeProfile(ratePerHour: number, hours: number, observations: number, seed: number): ProfileEntry[] {
  const random = seededRandom(seed)
  return Array.from({ length: observations }, () => ({
    hours,
    items: Math.min(20, poisson(ratePerHour * hours, random)),
    windowSize: 20,
  }))
}

describe('likelihood with saturation (thesis 7.4)', () => {
  it('finds 17 items in 53 minutes for the profile of 7.4.2, where nothing overflowed', () => {
    expect(maximumLikelihood(EXAMPLE)).toMatchObject({ kind: 'maximum' })
    expect(maximumLikelihood(EXAMPLE).ratePerHour * PER_MINUTE).toBeCloseTo(17 / 53, 9)
  })

  it('has the gradient that a numeric derivative gives', () => {
    fc.assert(
      fc.property(profiles, rates, (profile, rate) => {
        const step = 1e-6 * rate
        const numeric = (logLikelihood(profile, rate + step) - logLikelihood(profile, rate - step)) / (2 * step)
        const scale = profile.reduce((sum, entry) => sum + entry.items / rate + entry.hours, 0)
        expect(Math.abs(gradient(profile, rate) - numeric) / scale).toBeLessThan(1e-4)
      }),
    )
  })

  it('shows that the printed gradient is not that derivative, and never falls to zero', () => {
    const rate = 17 / 53 / PER_MINUTE
    expect(gradient(EXAMPLE, rate)).toBeCloseTo(0, 9)
    expect(printedGradient(EXAMPLE, rate)).toBeGreaterThan(0.1)
    for (const factor of [0.1, 1, 10, 1000]) expect(printedGradient(EXAMPLE, rate * factor)).toBeGreaterThan(0)
  })

  it('agrees with the printed gradient where every entry is saturated, the part that is right', () => {
    const full = [{ hours: 3, items: 20, windowSize: 20 }]
    for (const rate of [1, 5, 7, 20]) expect(printedGradient(full, rate)).toBeCloseTo(gradient(full, rate), 12)
  })

  it('stands at the top of the likelihood for any profile', () => {
    fc.assert(
      fc.property(profiles, (profile) => {
        const { kind, ratePerHour, iterations } = maximumLikelihood(profile)
        expect(iterations).toBeLessThan(100)
        if (kind !== 'maximum' || ratePerHour === 0) return
        const top = logLikelihood(profile, ratePerHour)
        for (const factor of [0.9, 0.999, 1.001, 1.1]) {
          expect(logLikelihood(profile, ratePerHour * factor)).toBeLessThanOrEqual(top + 1e-9 * Math.abs(top))
        }
        expect(ratePerHour).toBeGreaterThanOrEqual(countedRate(profile) * (1 - 1e-9))
      }),
    )
  })

  it('flags a lower bound when every window overflowed: the likelihood then rises for ever', () => {
    const full = Array.from({ length: 5 }, () => ({ hours: 2, items: 20, windowSize: 20 }))
    expect(maximumLikelihood(full)).toEqual({ kind: 'lower bound', ratePerHour: 10, iterations: 0 })
    expect(logLikelihood(full, 100)).toBeGreaterThan(logLikelihood(full, 10))
  })

  it('says so when there is nothing, and zero when nothing ever came', () => {
    expect(maximumLikelihood([]).kind).toBe('nothing')
    expect(maximumLikelihood([{ hours: 5, items: 0, windowSize: 20 }])).toMatchObject({
      kind: 'maximum',
      ratePerHour: 0,
    })
  })

  it.each([
    [4, 6.4, 100],
    [4, 7, 100],
    [0.5, 54, 150],
    [60, 0.45, 200],
  ])(
    '%d items an hour, seen every %d h over %d refreshes: bias below 3 percent where counting is 20 to 30 too low',
    (rate, hours, n) => {
      let counted = 0
      let estimated = 0
      const runs = 200
      for (let seed = 1; seed <= runs; seed++) {
        const profile = observeProfile(rate, hours, n, seed)
        counted += countedRate(profile) / rate / runs
        estimated += maximumLikelihood(profile).ratePerHour / rate / runs
      }
      expect(1 - counted).toBeGreaterThan(0.2)
      expect(1 - counted).toBeLessThan(0.3)
      expect(Math.abs(estimated - 1)).toBeLessThan(0.03)
    },
  )
})

describe('Algorithm 7.1', () => {
  const options = { start: 1, minRate: 1e-3, stopThreshold: 1e-9, maxIterations: 20_000 }

  it('climbs to the same rate with a step that suits the profile', () => {
    const profile = observeProfile(4, 6.5, 100, 1)
    const climbed = gradientAscent(profile, { ...options, stepSize: 1e-4 })
    expect(climbed.kind).toBe('maximum')
    expect(climbed.ratePerHour).toBeCloseTo(maximumLikelihood(profile).ratePerHour, 4)
  })

  it('does not settle with one that does not, which the solver does not need', () => {
    const profile = observeProfile(4, 6.5, 100, 1)
    expect(gradientAscent(profile, { ...options, stepSize: 1 }).kind).toBe('not converged')
  })
})
