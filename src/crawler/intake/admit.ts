import { DAY_MS, type InstantMs, type Refusal, type WindowEntry } from '../../model/index.ts'
import type { DedupResult } from '../dedup/deduplicate.ts'
import type { IntakeLimit } from './allowance.ts'

export interface IntakeDecision {
  /** As if the document had not shown what is refused. */
  readonly dedup: DedupResult
  readonly refusal: Refusal | null
}

export interface AdmitFacts {
  /** As it was remembered before this document. */
  readonly lastWindow: readonly WindowEntry[]
  readonly guidChanges: number
  readonly at: InstantMs
}

/**
 * Of the new items of a document, those that the allowance has room for: the newest ones. Where a site suddenly shows its
 * whole past, its news are not to wait for days until that is stored; and a document from which something is refused is so
 * long that its older items will be there tomorrow. See docs/decisions/0061-daily-allowance.md.
 *
 * What is refused is not remembered, so that it is new again where it is still shown when there is room.
 */
export function admit(
  dedup: DedupResult,
  limit: IntakeLimit,
  { lastWindow, guidChanges, at }: AdmitFacts,
): IntakeDecision {
  const items = dedup.added.length - limit.items
  if (items <= 0) return { dedup, refusal: null }
  const refused = new Set(dedup.added.slice(0, items).map(({ key }) => key))
  const window = dedup.window.filter(({ key }) => !refused.has(key))
  const mayBeRewritten = dedup.guidChanges > guidChanges
  return {
    dedup: {
      ...dedup,
      added: dedup.added.slice(items),
      // Something must be known next time, or nothing could be said about what has changed.
      window: window.length === 0 ? lastWindow : window,
      // How much was published is not seen any more, let alone lost.
      overlap: dedup.overlap === 'first' ? 'first' : 'some',
    },
    refusal: { at, items, allowance: limit.allowance, until: mayBeRewritten ? null : turnOfDay(at) },
  }
}

/** When the day is over that this moment is in, in UTC. */
function turnOfDay(at: InstantMs): InstantMs {
  return (Math.floor(at / DAY_MS) + 1) * DAY_MS
}
