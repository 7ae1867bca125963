import type { Distinct } from '../language/ast.ts'
import type { Arrival } from '../match/arrival.ts'
import { JoinWindow } from './join-window.ts'

const OTHER = 'other'
const AT = { start: 0, end: 0 }

/** Keeps the first of items that are alike: a feed that is joined with what it already holds. */
export class DistinctFilter<T> {
  private readonly window: JoinWindow<T>

  constructor({ by, threshold, window }: Distinct) {
    this.window = new JoinWindow<T>({
      negated: true,
      window,
      source: { origin: { kind: 'all' }, variable: OTHER, at: AT },
      condition:
        by === 'SIMILAR'
          ? {
              kind: 'similar',
              field: 'TITLE',
              other: { variable: OTHER, field: 'TITLE' },
              threshold: threshold!,
              at: AT,
            }
          : { kind: 'same', field: by, other: { variable: OTHER, field: by }, at: AT },
      at: AT,
    })
  }

  /** Whether nothing like it is in the feed yet. */
  keeps(about: T, arrival: Arrival): boolean {
    return this.window.keeps(about, arrival, null)
  }

  /** The item is in the feed. */
  add(about: T, arrival: Arrival): void {
    this.window.add(about, arrival)
  }
}
