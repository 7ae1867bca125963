import { DAY_MS } from '../../../src/model/index.ts'
import { KEEP_SOURCE_QUALITY_MS, REMEMBER_REMOVED_MS } from '../../../src/store/defaults.ts'
import { REMEMBER_DAYS } from '../../../src/store/intake.ts'

export const SIZES = [10_000, 100_000, 1_000_000, 10_000_000] as const

const KEEP_DAYS = 30

/** What is decided and not measured; docs/sizing.md lists it beside the table. */
export const ASSUMPTIONS = {
  /** `keepFor` and `keepObservationsFor`. */
  keepDays: KEEP_DAYS,
  /** The key of a removed item is remembered. */
  keyDays: KEEP_DAYS + REMEMBER_REMOVED_MS / DAY_MS,
  qualityDays: KEEP_SOURCE_QUALITY_MS / DAY_MS,
  intakeDays: REMEMBER_DAYS,
  /** Into how many query feeds an item goes on average. */
  publicationsPerItem: 1,
  /** Cores are busy for so much of the time on average: the rest is for busy hours, catching up and one member less. */
  busyShare: 0.5,
  /** Free pages between two rounds of vacuum, temporary files, and a rest. */
  diskRoom: 1.5,
  /** The most there are (granted-allowance.ts): with as many requests as this a crawler draws without a pause. */
  drawsPerCrawlerSecond: 4,
  matchers: 2,
  publishers: 2,
  apis: 2,
} as const
