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

/** A feed that may show the items of another begins with nothing: as if one had been missed. */
export const UNPROVED: CoverageRecord = { seen: 0, missed: 1 }

/** Of an item each, so that some hundred and fifty count. */
const COVER_FADE = 0.99
/** What was missed is more than chance where it would come about less often than this. */
const BY_CHANCE = 0.02
/** After that next to nothing of what was seen before counts. */
const STOPPED = 0.03

/** The same of a cover, which shows what it likes: some missed are usual, many at once mean that it has stopped. */
export function observeCover(record: CoverageRecord, seen: number, missed: number): CoverageRecord {
  const fade = chanceOf(missed, seen + missed, openShare(record)) < BY_CHANCE ? STOPPED : COVER_FADE ** (seen + missed)
  return { seen: record.seen * fade + seen, missed: record.missed * COVER_FADE ** (seen + missed) + missed }
}

/** Of `all` items at least `missed` are missing by chance, at most so likely; 1 where no more are missing than usual. */
function chanceOf(missed: number, all: number, open: number): number {
  const usual = Math.max(open, 0.02)
  const share = all === 0 ? 0 : missed / all
  if (share <= usual) return 1
  // Chernoff: exp(−n·KL(share ‖ usual)).
  const rest = share === 1 ? 0 : (1 - share) * Math.log((1 - share) / (1 - usual))
  return Math.exp(-all * (share * Math.log(share / usual) + rest))
}

export function coveredShare(record: CoverageRecord): number {
  return 1 - openShare(record)
}

/** Share of its items that it has to be asked for itself. */
export function openShare({ seen, missed }: CoverageRecord): number {
  return missed / (seen + missed)
}
