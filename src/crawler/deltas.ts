import type { DeltaSavings, WindowEntry } from '../model/index.ts'
import type { DedupResult } from './dedup/deduplicate.ts'

/*
 * Deltas (RFC 3229 with the instance manipulation `feed`): who shows the ETag of what it has gets the entries that are new or
 * changed since. What is not in a delta is still in the window; only a delta that would fill the window may hide a loss.
 */

/** 226 IM Used: only what is new since the ETag that was shown. */
export function isDelta({ status }: { readonly status: number }): boolean {
  return status === 226
}

/** As if the document had shown what was there before behind what is new. */
export function withFormerWindow(dedup: DedupResult, lastWindow: readonly WindowEntry[]): DedupResult {
  const shown = new Set(dedup.window.map(({ key }) => key))
  const renamed = new Set(dedup.renamed.map(({ from }) => from))
  const before = lastWindow.filter(({ key }) => !shown.has(key) && !renamed.has(key))
  const isShort = dedup.window.length < lastWindow.length
  return {
    ...dedup,
    window: [...dedup.window, ...before].slice(0, Math.max(dedup.window.length, lastWindow.length)),
    overlap: isShort && dedup.overlap === 'none' ? 'some' : dedup.overlap,
  }
}

/** `wholeBytes`: of the last whole document; null: unknown, and nothing is claimed. */
export function afterDelta(before: DeltaSavings | undefined, bytes: number, wholeBytes: number | null): DeltaSavings {
  const saved = wholeBytes === null ? 0 : Math.max(0, wholeBytes - bytes)
  return { count: (before?.count ?? 0) + 1, savedBytes: (before?.savedBytes ?? 0) + saved, wholeBytes }
}
