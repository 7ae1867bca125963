import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, WEEK_MS } from '../../src/model/index.ts'
import type { PublicationSpec } from '../worlds/publication.ts'
import { ORIGIN_MS } from '../worlds/weekly-intensity.ts'
import { shapeSpecs, specWorld } from './named-worlds.ts'
import { countWorldItems } from './world.ts'

/** Window of the experiments of thesis 7.3. */
const options = { windowSize: 20, seed: 4 }

/** A cyclic component with unpredictable bursts on top (5.2.2). */
function cyclicWithBursts(ratePerDay: number, burstsPerDay: number, itemsPerBurst: number): PublicationSpec {
  return {
    kind: 'mixture',
    parts: [
      { kind: 'waves', ratePerDay },
      { kind: 'bursts', burstsPerDay, itemsPerBurst, burstMs: 2 * HOUR_MS },
    ],
  }
}

/** The artificial source of 7.3.2: 16 weeks of uniform, 16 of peaks, 16 of waves. */
function artificialSource(ratePerDay: number): PublicationSpec {
  const hours = [0, 4, 8, 12, 16, 20]
  return {
    kind: 'sequence',
    phases: [
      { spec: { kind: 'poisson', ratePerDay }, untilMs: ORIGIN_MS + 16 * WEEK_MS },
      { spec: { kind: 'peaks', ratePerDay, hours }, untilMs: ORIGIN_MS + 32 * WEEK_MS },
      { spec: { kind: 'waves', ratePerDay }, untilMs: ORIGIN_MS + 48 * WEEK_MS },
    ],
  }
}

/** From the origin of synthetic publications on. */
function spanOfDays(days: number) {
  return { startMs: ORIGIN_MS, endMs: ORIGIN_MS + days * DAY_MS }
}

function hourShares(times: Float64Array): number[] {
  const counts = new Array<number>(24).fill(0)
  for (const time of times) counts[Math.floor(time / HOUR_MS) % 24]! += 1
  return counts.map((count) => count / times.length)
}

describe('worlds of the thesis', () => {
  it.each(['peaks', 'uniform', 'waves'] as const)('%s: ten sources, at least 10 items a day, W = 20', (shape) => {
    const world = specWorld(shapeSpecs(shape), spanOfDays(60), options)
    expect(world.sources).toHaveLength(10)
    for (const { times, windowSize } of world.sources) {
      expect(windowSize).toBe(20)
      expect(times.length / 60).toBeGreaterThan(8)
      expect(times.every((time, k) => k === 0 || time >= times[k - 1]!)).toBe(true)
    }
    const most = Math.max(...hourShares(world.sources[9]!.times))
    if (shape === 'uniform') expect(most).toBeLessThan(0.06)
    else expect(most).toBeGreaterThan(0.07)
  })

  it('are the same for the same seed, others for another', () => {
    const count = (seed: number) =>
      countWorldItems(specWorld(shapeSpecs('waves'), spanOfDays(20), { ...options, seed }))
    expect(count(1)).toBe(count(1))
    expect(count(1)).not.toBe(count(2))
  })

  it('the 48 weeks change from uniform to peaks to waves', () => {
    const span = spanOfDays(48 * 7)
    const [source] = specWorld([artificialSource(60)], span, options).sources
    const part = (k: number) =>
      source!.times.filter((t) => t >= span.startMs + 16 * k * WEEK_MS && t < span.startMs + 16 * (k + 1) * WEEK_MS)
    const quiet = [0, 1, 2].map((k) => hourShares(part(k)).filter((share) => share < 0.02).length)
    expect(quiet[0]).toBe(0)
    expect(quiet[1]).toBe(18)
    expect(quiet[2]).toBeGreaterThan(2)
    expect(quiet[2]).toBeLessThan(12)
  })

  it('bursts overflow a window that the cyclic part alone does not', () => {
    const most = (spec: Parameters<typeof specWorld>[0][number]) => {
      const [source] = specWorld([spec], spanOfDays(60), options).sources
      let largest = 0
      for (let day = 0; day < 60 * 12; day++) {
        const from = spanOfDays(0).startMs + (day * DAY_MS) / 12
        largest = Math.max(largest, source!.times.filter((t) => t >= from && t < from + DAY_MS / 12).length)
      }
      return largest
    }
    expect(most({ kind: 'waves', ratePerDay: 20 })).toBeLessThan(20)
    expect(most(cyclicWithBursts(20, 0.5, 40))).toBeGreaterThan(20)
  })
})
