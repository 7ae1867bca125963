import type { SourceRefresh } from '../crawler/pipeline.ts'
import { type InstantMs, SECOND_MS, type SourceId } from '../model/index.ts'
import type { Clock } from '../runtime/clock.ts'
import { repeat } from '../runtime/repeat.ts'
import type { Layer } from '../runtime/supervisor.ts'
import { jsonState, type NamedState } from '../store/node-state.ts'
import type { Store } from '../store/store.ts'
import { isReportLog, ReportLog, ReportReader, type StoredReports } from './report-log.ts'

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
/** Somebody may have begun to read so long before the crawler knows: both look once a second, on a busy machine later. */
const READER_SEEN_WITHIN_MS = 10 * SECOND_MS

/** null: nobody has read any yet. */
export const REFRESH_REPORTS: NamedState<StoredReports<RefreshReport> | null> = jsonState(
  'refresh-reports',
  null,
  readReports,
)
/** When a reader was last there; null: never. */
const REPORT_READER: NamedState<InstantMs | null> = jsonState('refresh-reports-reader', null, (stored) =>
  typeof stored === 'number' ? stored : undefined,
)

export function refreshReport({ record, added }: SourceRefresh, now: InstantMs): RefreshReport {
  const { state, sourceId, observation } = record
  const error = observation === null ? (state.lastError?.code ?? null) : null
  return { sourceId, at: state.lastCheckAt ?? now, newItems: added, error }
}

/** For a reader in another process: writes the last refreshes once a second, as long as there is one, and at first those of the last seconds. */
export function reportRefreshes(
  store: ReportStore,
  clock: Clock,
): { readonly note: (report: RefreshReport) => void; readonly layer: Layer } {
  const log = new ReportLog<RefreshReport>(MOST_REPORTS)
  const isRead = readerWatch(clock)
  const isOld = ({ at }: RefreshReport) => clock.now() - at > READER_SEEN_WITHIN_MS
  const action = async () => {
    if (!isRead(await store.state(REPORT_READER))) return log.dropWhile(isOld)
    const pending = log.pending()
    if (pending === null) return
    await store.saveState(REFRESH_REPORTS, pending)
    log.confirm(pending)
  }
  return {
    note: (report) => log.note(report),
    layer: { name: 'refresh reports', run: repeat({ clock, everyMs: EVERY_MS, action }), healthyAfterMs: null },
  }
}

/** Whether somebody reads: what readers write goes on changing. Their clocks may be others than ours. */
function readerWatch(clock: Pick<Clock, 'monotonicMs'>): (readAt: InstantMs | null) => boolean {
  let last: InstantMs | null = null
  let movedMs = Number.NEGATIVE_INFINITY
  return (readAt) => {
    if (readAt !== last) movedMs = clock.monotonicMs()
    last = readAt
    return clock.monotonicMs() - movedMs <= READER_GONE_AFTER_MS
  }
}

/** Reads what crawlers in other processes report, while somebody wants to know. */
export function readRefreshReports(
  store: ReportStore,
  clock: Clock,
  { isWanted, withOwn }: { readonly isWanted: () => boolean; readonly withOwn: boolean },
  onReport: (report: RefreshReport) => void,
): Layer {
  const reader = new ReportReader<RefreshReport>()
  let renewedMs = Number.NEGATIVE_INFINITY
  const action = async () => {
    if (!isWanted()) return reader.pause()
    // What is stored at the first look is old; it must not be what a crawler writes because it sees us.
    const saved = await store.states(REFRESH_REPORTS)
    if (clock.monotonicMs() - renewedMs >= RENEW_EVERY_MS) {
      await store.saveState(REPORT_READER, clock.now())
      renewedMs = clock.monotonicMs()
    }
    const stored = saved.flatMap(({ value, isOwn }) => (isOwn && !withOwn ? [] : (value ?? [])))
    for (const report of reader.news(stored)) onReport(report)
  }
  const run = repeat({ clock, everyMs: EVERY_MS, action, alsoAtEnd: false })
  return { name: 'refresh reports', run, healthyAfterMs: null }
}

function readReports(stored: unknown): StoredReports<RefreshReport> | undefined {
  return isReportLog(stored) ? (stored as StoredReports<RefreshReport>) : undefined
}
