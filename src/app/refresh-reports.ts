import type { SourceRefresh } from '../crawler/pipeline.ts'
import { type InstantMs, SECOND_MS, type SourceId } from '../model/index.ts'
import type { Clock } from '../runtime/clock.ts'
import { randomSecret } from '../runtime/random.ts'
import { repeat } from '../runtime/repeat.ts'
import type { Layer } from '../runtime/supervisor.ts'
import { jsonState, type NamedState } from '../store/node-state.ts'
import type { Store } from '../store/store.ts'

/** A refresh as those who watch the node see it. */
export interface RefreshReport {
  readonly sourceId: SourceId
  readonly at: InstantMs
  readonly newItems: number
  readonly error: string | null
}

type ReportStore = Pick<Store, 'state' | 'states' | 'saveState'>

const EVERY_MS = SECOND_MS
/** Of the last ones: a reader that comes every second misses none of a crawler with 500 refreshes a second. */
const MOST_REPORTS = 500
/** A reader says so often that it is there, and counts as gone when it has not for so long. */
const RENEW_EVERY_MS = 5 * SECOND_MS
const READER_GONE_AFTER_MS = 20 * SECOND_MS

/** As stored: `first` is the number of the first, counted from the start of the crawler `run`. */
interface StoredReports {
  readonly run: string
  readonly first: number
  readonly reports: readonly RefreshReport[]
}

/** null: nobody has read any yet. */
export const REFRESH_REPORTS: NamedState<StoredReports | null> = jsonState('refresh-reports', null, readReports)
/** When a reader was last there; null: never. */
const REPORT_READER: NamedState<InstantMs | null> = jsonState('refresh-reports-reader', null, (stored) =>
  typeof stored === 'number' ? stored : undefined,
)

export function refreshReport({ record, added }: SourceRefresh, now: InstantMs): RefreshReport {
  const { state, sourceId, observation } = record
  const error = observation === null ? (state.lastError?.code ?? null) : null
  return { sourceId, at: state.lastCheckAt ?? now, newItems: added, error }
}

/** For a reader in another process: writes the last refreshes once a second, as long as there is one. */
export function reportRefreshes(
  store: ReportStore,
  clock: Clock,
): { readonly note: (report: RefreshReport) => void; readonly layer: Layer } {
  const run = randomSecret()
  let reports: RefreshReport[] = []
  let first = 0
  let writtenUpTo = 0
  const action = async () => {
    const end = first + reports.length
    if (end === writtenUpTo) return
    const readAt = (await store.state(REPORT_READER)) ?? Number.NEGATIVE_INFINITY
    if (Math.abs(clock.now() - readAt) > READER_GONE_AFTER_MS) {
      // A new listener gets what happens from now on, not what happened before.
      reports = []
      first = end
      writtenUpTo = end
      return
    }
    await store.saveState(REFRESH_REPORTS, { run, first, reports })
    writtenUpTo = end
  }
  return {
    note(report) {
      reports.push(report)
      if (reports.length < 2 * MOST_REPORTS) return
      first += reports.length - MOST_REPORTS
      reports = reports.slice(-MOST_REPORTS)
    },
    layer: { name: 'refresh reports', run: repeat({ clock, everyMs: EVERY_MS, action }), healthyAfterMs: null },
  }
}

/** Reads what crawlers in other processes report, while somebody wants to know. */
export function readRefreshReports(
  store: ReportStore,
  clock: Clock,
  { isWanted, withOwn }: { readonly isWanted: () => boolean; readonly withOwn: boolean },
  onReport: (report: RefreshReport) => void,
): Layer {
  /** How many reports of each crawler were told, by its run; null: nobody has listened yet. */
  let told: ReadonlyMap<string, number> | null = null
  let renewedMs = Number.NEGATIVE_INFINITY
  const action = async () => {
    if (!isWanted()) {
      told = null
      return
    }
    if (clock.monotonicMs() - renewedMs >= RENEW_EVERY_MS) {
      await store.saveState(REPORT_READER, clock.now())
      renewedMs = clock.monotonicMs()
    }
    const saved = await store.states(REFRESH_REPORTS)
    const stored = saved.flatMap(({ value, isOwn }) => (isOwn && !withOwn ? [] : (value ?? [])))
    const before = told
    told = new Map(stored.map(({ run, first, reports }) => [run, first + reports.length]))
    // What was there before anybody listened is no news.
    if (before === null) return
    for (const { run, first, reports } of stored) {
      for (const report of reports.slice(Math.max(0, (before.get(run) ?? first) - first))) onReport(report)
    }
  }
  const run = repeat({ clock, everyMs: EVERY_MS, action, alsoAtEnd: false })
  return { name: 'refresh reports', run, healthyAfterMs: null }
}

function readReports(stored: unknown): StoredReports | undefined {
  const { reports, first } = (stored ?? {}) as Partial<StoredReports>
  return Array.isArray(reports) && Number.isFinite(first) ? (stored as StoredReports) : undefined
}
