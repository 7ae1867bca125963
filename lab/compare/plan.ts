import { ABLATION_IDS } from './ablations.ts'
import { variantsFor } from './dates.ts'
import { NAMED_IDS, OURS, POLICY_IDS, SHIPPED_IDS, STRONGEST, shippedPeer } from './policies.ts'
import type { CompareSetting } from './setting.ts'

/** What is known of a trace before anything is run. */
export interface TraceFacts {
  readonly path: string
  readonly sources: number
  readonly items: number
  readonly measuredDays: number
  readonly wholeMinuteShare: number
}

export interface ComparePlanOptions {
  readonly perDay: readonly number[]
  readonly windows: readonly number[]
  /** All of them at the main window and those of the table at the others, unless given. */
  readonly policies?: readonly string[]
  /** Also our strategy with one part left out each. */
  readonly ablations?: boolean
  /** Also how much of the gain is the rounding of dates. */
  readonly rounding?: boolean
  /** Also the peers as their authors ship them, each beside ours at as many requests. */
  readonly shipped?: boolean
  /** Where a run would take more requests, so many sources are drawn that it does not. */
  readonly mostRequests?: number
}

/** Policies side by side in one world at one budget. */
export interface Block {
  readonly kind: 'policies' | 'parts' | 'dates' | 'shipped'
  readonly setting: CompareSetting
  readonly perDay: number
  readonly policies: readonly string[]
}

/** What claims rest on and the traces' convention is (traces/README). */
const USUAL_WINDOW = 20

export function mainWindow(windows: readonly number[]): number {
  return windows.includes(USUAL_WINDOW) ? USUAL_WINDOW : (windows[0] ?? 0)
}

/**
 * Shares of the most requests that a run may take. No claim rests on further windows; parts and dates are compared with
 * ourselves on the same sources, which takes fewer of them; and what is refreshed often has many intervals to measure.
 */
const FURTHER_SHARE = 1 / 8
const PARTS_SHARE = 1 / 16
const DATES_SHARE = 1 / 8
const OFTEN_SHARE = 1 / 2
const OFTEN_PER_DAY = 48

/** Everything that is to be measured, in the order of the report. */
export function planOf(traces: readonly TraceFacts[], options: ComparePlanOptions): Block[] {
  const { perDay, windows } = options
  const main = mainWindow(windows)
  const further = windows.filter((window) => window !== main)
  const at = (window: number) =>
    traces.flatMap((trace) => perDay.map((each) => policiesBlock(trace, window, each, window === main, options)))
  return [
    ...at(main),
    ...(options.shipped ? traces.map((trace) => shippedBlock(trace, main, options)) : []),
    ...(options.ablations
      ? traces.flatMap((trace) => perDay.map((each) => partsBlock(trace, main, each, options)))
      : []),
    ...(options.rounding ? traces.flatMap((trace) => datesBlocks(trace, main, Math.max(...perDay), options)) : []),
    ...further.flatMap(at),
  ]
}

/** The lower, the sooner: a run that is ended early should have what is wanted most. */
export function urgency({ kind, setting }: Block, policy: string, main: number): number {
  if (kind === 'shipped') return 1
  if (kind === 'parts') return 2
  if (kind === 'dates') return 3
  if (setting.window !== main) return 4
  return policy === OURS ? 0 : NAMED_IDS.includes(policy) ? 1 : 5
}

function policiesBlock(
  trace: TraceFacts,
  window: number,
  perDay: number,
  isMain: boolean,
  options: ComparePlanOptions,
): Block {
  const policies = options.policies ?? (isMain ? POLICY_IDS : NAMED_IDS)
  const share = !isMain ? FURTHER_SHARE : perDay > OFTEN_PER_DAY ? OFTEN_SHARE : 1
  const setting = settingOf(trace, window, perDay, options.mostRequests, share)
  return { kind: 'policies', setting, perDay, policies }
}

/** The number of requests is theirs: this one only says how much work it may be. */
const SHIPPED_PER_DAY = 24

function shippedBlock(trace: TraceFacts, window: number, { mostRequests, policies }: ComparePlanOptions): Block {
  const setting = settingOf(trace, window, SHIPPED_PER_DAY, mostRequests)
  const ids = SHIPPED_IDS.filter((id) => policies === undefined || policies.includes(shippedPeer(id) ?? ''))
  return { kind: 'shipped', setting, perDay: SHIPPED_PER_DAY, policies: ids }
}

function partsBlock(trace: TraceFacts, window: number, perDay: number, { mostRequests }: ComparePlanOptions): Block {
  const setting = settingOf(trace, window, perDay, mostRequests, PARTS_SHARE)
  return { kind: 'parts', setting, perDay, policies: [OURS, ...ABLATION_IDS] }
}

function datesBlocks(trace: TraceFacts, window: number, perDay: number, { mostRequests }: ComparePlanOptions): Block[] {
  const setting = settingOf(trace, window, perDay, mostRequests, DATES_SHARE)
  return variantsFor(trace.wholeMinuteShare).map((dates) => ({
    kind: 'dates',
    setting: { ...setting, dates },
    perDay,
    policies: [OURS, STRONGEST, ...ABLATION_IDS.filter((id) => id === WITHOUT_MINUTES)],
  }))
}

/** Ours with nothing of minutes and seconds. */
const WITHOUT_MINUTES = 'foresight-no-minutes'

const FEWEST_SOURCES = 20

function settingOf(
  trace: TraceFacts,
  window: number,
  perDay: number,
  mostRequests?: number,
  share = 1,
): CompareSetting {
  const most = mostRequests === undefined ? Number.POSITIVE_INFINITY : mostRequests * share
  const sources = Math.max(FEWEST_SOURCES, Math.floor(most / (perDay * trace.measuredDays)))
  return { trace: trace.path, window, dates: 'recorded', sources: sources < trace.sources ? sources : null }
}
