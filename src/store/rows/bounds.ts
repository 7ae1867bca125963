import type { ItemQuery } from '../store.ts'

/** sortAt ≥ since, and (sortAt, seq) before the given point. */
export interface Bounds {
  readonly since: number
  readonly beforeAt: number
  readonly beforeSeq: number
}

const MIN = Number.MIN_SAFE_INTEGER
const MAX = Number.MAX_SAFE_INTEGER

export function boundsOf({ since, until, after }: ItemQuery): Bounds {
  // `until` is exclusive: just before the first item of that moment.
  const end = { beforeAt: until ?? MAX, beforeSeq: MIN }
  const first = after !== undefined && after.sortAt < end.beforeAt
  const point = first ? { beforeAt: after.sortAt, beforeSeq: after.seq } : end
  return { since: since ?? MIN, ...point }
}
