import { TRACE_SETS, type TraceSet } from '../../traces/trace-set.ts'

export interface ProtocolConfig {
  readonly sets: readonly TraceSet[]
  /** Polls of each source a day, evenly spaced. */
  readonly perDay: readonly number[]
  /** Items that a feed shows: the 12 of SCC07 4.6, and the 20 of our comparisons. */
  readonly windows: readonly number[]
  /** Feeds fill their windows before anything is counted. */
  readonly warmupDays: number
  readonly bytesPerItem: number
}

export const CONFIG: ProtocolConfig = {
  sets: TRACE_SETS,
  perDay: [0.5, 1, 2, 4, 8, 24],
  windows: [12, 20],
  warmupDays: 14,
  // 4.6: "the average size of a posting is 560 bytes".
  bytesPerItem: 560,
}

/** SCC07 4.6: of 12 items 4.3 are new after a day, so 7.7/12 need not be sent. */
export const SCC07_PROTOCOL = { window: 12, newItems: 4.3, saved: 0.64 } as const
