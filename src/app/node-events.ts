import { createEventHub, type EventHub } from '../api/events.ts'
import type { Refreshed } from '../crawler/pipeline.ts'
import { SECOND_MS, type SourceId } from '../model/index.ts'
import type { Clock } from '../runtime/clock.ts'

export interface NodeEvents {
  readonly hub: EventHub
  refreshed(refreshed: Refreshed): void
  /** Tells of new items, a second's worth at a time. */
  run(signal: AbortSignal): Promise<void>
}

export function createNodeEvents(clock: Clock): NodeEvents {
  const hub = createEventHub()
  const sources = new Set<SourceId>()
  let count = 0
  return {
    hub,
    refreshed({ record, added }) {
      if (hub.listeners === 0) return
      const { state, sourceId, observation } = record
      const error = observation === null ? (state.lastError?.code ?? null) : null
      hub.tell({ kind: 'refresh', sourceId, at: state.lastCheckAt ?? clock.now(), newItems: added, error })
      if (added === 0) return
      count += added
      sources.add(sourceId)
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
