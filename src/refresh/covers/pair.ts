import { type DurationMs, HOUR_MS, type InstantMs, type SourceId } from '../../model/index.ts'
import { type CoverageRecord, observeCover, UNPROVED } from '../bundles/coverage.ts'
import { NO_SIGNALS, type SignalRecord } from '../strategies/foresight/signals.ts'
import type { ShownItems } from './shown-items.ts'

/** Of the items of the cover with one mark: those that the member showed, too, and those that it should have and did not. */
interface MarkCount {
  readonly in: number
  readonly out: number
}

/** What is learnt of one source whose items another one shows. */
export interface CoverPair {
  readonly v: 1
  readonly cover: SourceId
  readonly member: SourceId
  /** How much of the member the cover shows. */
  readonly record: CoverageRecord
  /** How long after publication. */
  readonly lagMs: DurationMs
  /** What distinguishes the items of the member among all those of the cover. */
  readonly marks: Readonly<Record<string, MarkCount>>
  /** What something new in the cover has announced, where nobody can say whose it is. */
  readonly signal: SignalRecord
}

interface Judgement {
  readonly pair: CoverPair
  /** What was published until then has been judged. */
  readonly until: InstantMs
}

/** An item may be on its way to one of the two for so long, or for three times the usual lag. */
const PATIENCE_MS = 2 * HOUR_MS
const LAGS = 3
const LAG_MEMORY = 0.1
/** A mark that so many items had, and next to none of others, is believed. */
const LEAST_MARKED = 5
const MOST_OTHERS = 0.02
const MARK_FADE = 0.99
const MOST_MARKS = 64

export function newPair(cover: SourceId, member: SourceId): CoverPair {
  return { v: 1, cover, member, record: UNPROVED, lagMs: 0, marks: {}, signal: NO_SIGNALS }
}

/**
 * After an own look of the member: what of its items since `from` the cover has shown, and whose those of the cover were. Only
 * what is old enough to have reached both counts, so that neither is blamed for being later than the other.
 */
export function judgePair(pair: CoverPair, from: InstantMs, cover: ShownItems, member: ShownItems): Judgement {
  const until = Math.min(cover.lookedAt, member.lookedAt) - Math.max(PATIENCE_MS, LAGS * pair.lagMs)
  if (!(until > from)) return { pair, until: from }
  let seen = 0
  let missed = 0
  for (const [link, { at }] of member.items) {
    if (at <= from || at > until) continue
    if (cover.items.has(link)) seen++
    else missed++
  }
  const marks = judgeMarks(pair.marks, Math.max(from, member.oldestAt), until, cover, member)
  return { pair: { ...pair, record: observeCover(pair.record, seen, missed), marks }, until }
}

function judgeMarks(
  before: CoverPair['marks'],
  from: InstantMs,
  until: InstantMs,
  cover: ShownItems,
  member: ShownItems,
): CoverPair['marks'] {
  const counts = new Map(Object.entries(before))
  for (const [link, { at, marks }] of cover.items) {
    if (at <= from || at > until) continue
    const isIn = member.items.has(link)
    for (const mark of marks) {
      const count = counts.get(mark)
      // Marks of others are of no use; those that once stood for the member are watched.
      if (count === undefined && (!isIn || counts.size >= MOST_MARKS)) continue
      counts.set(mark, {
        in: (count?.in ?? 0) * MARK_FADE + (isIn ? 1 : 0),
        out: (count?.out ?? 0) * MARK_FADE + (isIn ? 0 : 1),
      })
    }
  }
  return Object.fromEntries(counts)
}

/** The cover has shown an item of the member so long after its publication. */
export function withLag(pair: CoverPair, lagMs: DurationMs): CoverPair {
  return { ...pair, lagMs: pair.lagMs + LAG_MEMORY * (lagMs - pair.lagMs) }
}

/** Whether an item of the cover with these marks is one of the member's, as far as one can say before the member shows it. */
export function isNamed({ marks: counts }: Pick<CoverPair, 'marks'>, marks: readonly string[]): boolean {
  return marks.some((mark) => {
    const count = counts[mark]
    return count !== undefined && count.in >= LEAST_MARKED && count.out <= MOST_OTHERS * count.in
  })
}

/** Of the items that both have shown, those that could be told to be the member's. */
export function namedShare(pair: CoverPair, cover: ShownItems, member: ShownItems): number {
  let both = 0
  let named = 0
  for (const link of member.items.keys()) {
    const shown = cover.items.get(link)
    if (shown === undefined || shown.marks.length === 0) continue
    both++
    if (isNamed(pair, shown.marks)) named++
  }
  return both === 0 ? 0 : named / both
}
