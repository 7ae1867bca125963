import { createEventHub, type EventHub } from '../api/events.ts'
import { SECOND_MS, type SourceId } from '../model/index.ts'
import type { Clock } from '../runtime/clock.ts'
import type { RefreshReport } from './refresh-reports.ts'

export interface NodeEvents {
  readonly hub: EventHub
  refreshed(report: RefreshReport): void
  /** Sends new items, collected over a second. */
  run(signal: AbortSignal): Promise<void>
}

export function createNodeEvents(clock: Clock): NodeEvents {
  const hub = createEventHub()
  const sources = new Set<SourceId>()
  let count = 0
  return {
    hub,
    refreshed(report) {
      if (hub.listeners === 0) return
      hub.tell({ kind: 'refresh', ...report })
      if (report.newItems === 0) return
      count += report.newItems
      sources.add(report.sourceId)
    },
    async run(signal) {
      while (!signal.aborted) {
        await clock.sleep(SECOND_MS, signal)
        if (count === 0) continue
        hub.tell({ kind: 'items', count, sourceIds: [...sources] })
        count = 0
        sources.clear()
      }
    },
  }
}
