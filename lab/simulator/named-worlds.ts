import type { InstantMs } from '../../src/model/index.ts'
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
