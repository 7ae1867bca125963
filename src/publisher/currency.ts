import type { DurationMs, PublicationSeq } from '../model/index.ts'

/*
 * May a document that was made before still be shown? As long as nothing has changed, yes. Once an item was edited, a source
 * or a feed set otherwise, or something was taken away, no. Where items have only been added, a document that took long to
 * make stays good for a while, so that making it anew at every poll cannot take a core; one that is made quickly does not.
 */

/** What has come since a document was made. */
export type Change = 'added' | 'changed'

/** What a document was made from. */
export interface Basis {
  readonly settingsRevision: number
  /** Of a query feed: everything that it is told by; '' of others. */
  readonly feedState: string
  /** Of a query feed, as far as its document grows. */
  readonly publications: { readonly count: number; readonly lastSeq: PublicationSeq }
}

export const NO_PUBLICATIONS: Basis['publications'] = { count: 0, lastSeq: 0 }

/** What readers would do with a document made from `before`, now that there is `now` and `told` was reported; null: nothing is new. */
export function changeSince(before: Basis, now: Basis, told: Change | null): Change | null {
  if (told === 'changed') return 'changed'
  if (before.settingsRevision !== now.settingsRevision || before.feedState !== now.feedState) return 'changed'
  const [old, fresh] = [before.publications, now.publications]
  if (fresh.count < old.count || fresh.lastSeq < old.lastSeq) return 'changed'
  return fresh.count > old.count || fresh.lastSeq > old.lastSeq ? 'added' : told
}

/** The later of two reports: an edit is not forgotten for an item that came after it. */
export function moreOf(known: Change | null, told: Change): Change {
  return known === 'changed' ? known : told
}

/** Nobody notices that he waits so long: such documents are made anew whenever there is something new. */
const QUICK_MS: DurationMs = 5
/** A document so takes a two-hundredth of a core at most, and forty that everybody polls leave four fifths to the crawl. */
const GOOD_PER_WAIT = 200
/** Readers are told that a document is good for a minute; this is how late it can really be. */
const LONGEST_MS: DurationMs = 5_000

/** How long a document stays good for readers, where items were only added, after who asked first has waited so long for it. */
export function goodForMs(waitedMs: DurationMs): DurationMs {
  return Math.min(LONGEST_MS, GOOD_PER_WAIT * Math.max(0, waitedMs - QUICK_MS))
}
