import { DAY_MS, HOUR_MS, type InstantMs, WEEK_MS } from '../../src/model/index.ts'
import { ORIGIN_MS } from '../worlds/intensity.ts'
import { type PublicationSpec, publicationTimes } from '../worlds/publication.ts'
import { type SimWorld, simSource } from './world.ts'

/** Any publication specs as a world; the same specs feed the live world of lab/worlds. */
export function specWorld(
  specs: readonly PublicationSpec[],
  span: { readonly startMs: InstantMs; readonly endMs: InstantMs },
  options: { readonly windowSize: number; readonly seed: number },
): SimWorld {
  const sources = specs.map((spec, id) => {
    const times = Float64Array.from(publicationTimes(spec, span.startMs, span.endMs - 1, options.seed, id))
    return simSource(id, times, options.windowSize, { name: `${spec.kind} ${id}` })
  })
  return { ...span, sources }
}

/** Window of the experiments of thesis 7.3. */
export const SHAPE_WINDOW = 20
const SHAPE_SOURCES = 10

/** Ten sources of one shape (7.3.1), 10 to 100 items a day, peaks and noons at different hours. */
export function shapeSpecs(shape: 'peaks' | 'uniform' | 'waves'): PublicationSpec[] {
  return Array.from({ length: SHAPE_SOURCES }, (_, id): PublicationSpec => {
    const ratePerDay = 10 * 10 ** (id / (SHAPE_SOURCES - 1))
    if (shape === 'uniform') return { kind: 'poisson', ratePerDay }
    if (shape === 'waves') return { kind: 'waves', ratePerDay, peakHour: (8 + id) % 24 }
    // "Every 4 hours" (7.3.2, Figure 6.5a).
    return { kind: 'peaks', ratePerDay, hours: Array.from({ length: 6 }, (_, k) => (4 * k + id) % 24) }
  })
}

/** A cyclic component with unpredictable bursts on top (5.2.2). */
export function cyclicWithBursts(ratePerDay: number, burstsPerDay: number, itemsPerBurst: number): PublicationSpec {
  return {
    kind: 'mixture',
    parts: [
      { kind: 'waves', ratePerDay },
      { kind: 'bursts', burstsPerDay, itemsPerBurst, burstMs: 2 * HOUR_MS },
    ],
  }
}

/** The artificial source of 7.3.2: 16 weeks of uniform, 16 of peaks, 16 of waves. */
export function artificialSource(ratePerDay: number, startMs: InstantMs = ORIGIN_MS): PublicationSpec {
  const hours = [0, 4, 8, 12, 16, 20]
  return {
    kind: 'sequence',
    phases: [
      { spec: { kind: 'poisson', ratePerDay }, untilMs: startMs + 16 * WEEK_MS },
      { spec: { kind: 'peaks', ratePerDay, hours }, untilMs: startMs + 32 * WEEK_MS },
      { spec: { kind: 'waves', ratePerDay }, untilMs: startMs + 48 * WEEK_MS },
    ],
  }
}

/** From the origin of synthetic publications on. */
export function spanOfDays(days: number): { readonly startMs: InstantMs; readonly endMs: InstantMs } {
  return { startMs: ORIGIN_MS, endMs: ORIGIN_MS + days * DAY_MS }
}
