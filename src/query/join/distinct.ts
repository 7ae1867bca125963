import type { Distinct, Join } from '../language/ast.ts'

const OTHER = 'other'
const AT = { start: 0, end: 0 }

/** Keeping the first of items that are alike is NOT JOINED with what the feed itself holds. */
export function distinctJoin(feed: string, { by, threshold, window }: Distinct): Join {
  const other = { variable: OTHER, field: by === 'SIMILAR' ? ('TITLE' as const) : by }
  return {
    negated: true,
    window,
    sources: [{ origin: { kind: 'name', name: feed }, variable: OTHER, at: AT }],
    condition:
      by === 'SIMILAR'
        ? { kind: 'similar', field: 'TITLE', other, threshold: threshold!, at: AT }
        : { kind: 'same', field: by, other, at: AT },
    at: AT,
  }
}
