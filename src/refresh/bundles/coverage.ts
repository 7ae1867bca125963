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

/** A feed that may show the items of another begins with nothing. */
export const UNPROVED: CoverageRecord = { seen: 0, missed: 0 }

/** What is not proved is doubted: as if one more had been missed, half of one after so many items. */
const DOUBT_FADES_ITEMS = 8

/** What a cover may be trusted with: a record as it is says how much is shown on average, and says it of few items, too. */
export function withDoubt({ seen, missed }: CoverageRecord): CoverageRecord {
  return { seen, missed: missed + DOUBT_FADES_ITEMS / (DOUBT_FADES_ITEMS + seen + missed) }
}

/** Of an item each, so that some hundred and fifty count. */
const COVER_FADE = 0.99
/** What was missed is more than chance where it would come about less often than this. */
const BY_CHANCE = 0.005
/** After that next to nothing of what was seen before counts. */
const STOPPED = 0.03

/** The same of a cover, which shows what it likes: some missed are usual, many at once mean that it has stopped. */
export function observeCover(record: CoverageRecord, seen: number, missed: number): CoverageRecord {
  const fade = chanceOf(missed, seen + missed, record) < BY_CHANCE ? STOPPED : COVER_FADE ** (seen + missed)
  return { seen: record.seen * fade + seen, missed: record.missed * COVER_FADE ** (seen + missed) + missed }
}

/**
 * How likely it is that of `all` items at least `missed` are missing, after what was seen: the share that is missing is known by few items,
 * so that it is spread as Beta(missed + 1, seen + 1), and their number beta-binomially.
 */
function chanceOf(missed: number, all: number, record: CoverageRecord): number {
  const a = record.missed + 1
  const b = record.seen + 1
  let logChance = 0
  for (let k = 0; k < all; k++) logChance += Math.log((b + k) / (a + b + k))
  let sum = 0
  for (let k = 0; k <= all; k++) {
    if (k >= missed) sum += Math.exp(logChance)
    logChance += Math.log(((all - k) * (a + k)) / ((k + 1) * (b + all - k - 1)))
  }
  return sum
}

export function coveredShare(record: CoverageRecord): number {
  return 1 - openShare(record)
}

/** Share of its items that it has to be asked for itself. */
export function openShare({ seen, missed }: CoverageRecord): number {
  return missed / (seen + missed)
}
