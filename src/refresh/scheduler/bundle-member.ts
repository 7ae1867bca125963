import type { DurationMs, InstantMs } from '../../model/index.ts'
import { COMPOSED, type CoverageRecord, coveredShare, openShare } from '../bundles/coverage.ts'

/** How far a cover shows one of its members. */
export interface CoveredBy {
  readonly record: CoverageRecord
  /** Its items are known as its own there; else something new is no more than a signal, and it has to be asked itself. */
  readonly isNamed: boolean
  /** How long the cover shows an item; null: none has left yet. */
  readonly stayMs: DurationMs | null
}

/** What is known of one of a bundle. */
export interface BundleMember {
  readonly bundle: number
  /** `cover`: the request is its own. `covered`: it is shown by a cover. `composed`: the address names it. */
  readonly kind: 'composed' | 'cover' | 'covered'
  /** When it was asked itself, and when it was last seen with something. */
  ownAt: InstantMs
  seenAt: InstantMs
  /** Of the bundle. */
  shownAt: InstantMs
  /** Items that the bundle has shown since `ownAt`, and their dates as far as a cover has shown them. */
  shown: number
  shownTimes: InstantMs[]
  /** Since `ownAt` the bundle may have missed some, and that is known. */
  overflowed: boolean
  /** At its last own look. */
  missed: number
  record: CoverageRecord
  isNamed: boolean
  /** Its next own look, and the price at which that was decided. */
  dueAt: InstantMs
  price: number
}

const ANNOUNCED = 0.5
/** What a composed address shows of a source teaches its model only where it has next to all of it: silence would teach that there is nothing. */
const TEACHES_FROM = 0.9

/** Nobody has found anything missing in a composed address yet. */
export const ALL_OF_IT: CoveredBy = { record: COMPOSED, isNamed: true, stayMs: null }

export function teachesByItself({ kind, record }: BundleMember): boolean {
  return kind === 'composed' && coveredShare(record) >= TEACHES_FROM
}

/** How much of a member is worth a look at the bundle: what is only announced there takes a request more. */
export function worthOf(member: BundleMember | undefined): number {
  if (member === undefined || member.kind === 'cover' || teachesByItself(member)) return 1
  return coveredShare(member.record) * (member.isNamed ? 1 : ANNOUNCED)
}

export function openInWords(record: CoverageRecord): string {
  const percent = 100 * openShare(record)
  return `${percent < 10 ? percent.toPrecision(1) : Math.round(percent)} % of its items`
}
