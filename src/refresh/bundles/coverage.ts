/**
 * How much of a source one request for several of them has shown, as its own looks prove it: what the bundle had shown before,
 * and what it should have shown and had not. Older proofs fade over some fifty looks.
 */
export interface CoverageRecord {
  readonly seen: number
  readonly missed: number
}

/** A composed address is made to carry its members: as if fifty items had been seen, and half of one missed. */
export const COMPOSED: CoverageRecord = { seen: 50, missed: 0.5 }

const FADE = 0.98
/** What was seen before something was missed says little about what comes after it. */
const BROKEN = 0.2

/** After an own look of the source: what was shown since the one before, and what was not. */
export function observeCoverage(record: CoverageRecord, seen: number, missed: number): CoverageRecord {
  return {
    seen: record.seen * (missed > 0 ? BROKEN : FADE) + seen,
    missed: record.missed * FADE + missed,
  }
}

/** Share of its items that it has to be asked for itself. */
export function openShare({ seen, missed }: CoverageRecord): number {
  return missed / (seen + missed)
}
