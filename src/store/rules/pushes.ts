import type { PushVerdict, ReceivedPush } from '../pushes.ts'

/** Hubs repeat what was not acknowledged in time, and others what they overheard; so many are remembered. */
const MOST_DIGESTS = 16

export interface PushCounts {
  readonly pushes: number
  readonly refused: number
  readonly repeated: number
  readonly pushedAt: number | null
  readonly digests: readonly string[]
}

export const NO_PUSHES: PushCounts = { pushes: 0, refused: 0, repeated: 0, pushedAt: null, digests: [] }

export function afterPush(
  before: PushCounts,
  { at, digest, isGenuine }: ReceivedPush,
): { readonly verdict: Exclude<PushVerdict, 'unknown'>; readonly counts: PushCounts } {
  if (!isGenuine) return { verdict: 'refused', counts: { ...before, refused: before.refused + 1 } }
  if (digest !== null && before.digests.includes(digest)) {
    return { verdict: 'repeated', counts: { ...before, repeated: before.repeated + 1 } }
  }
  const digests = digest === null ? before.digests : [...before.digests, digest].slice(-MOST_DIGESTS)
  return { verdict: 'taken', counts: { ...before, pushes: before.pushes + 1, pushedAt: at, digests } }
}
