import { identify } from '../crawler/dedup/identity.ts'
import { sortTime } from '../crawler/dedup/observe.ts'
import { entryAt } from '../model/entry-at.ts'
import {
  dayOf,
  type InstantMs,
  type ParsedItem,
  type Source,
  type SourceError,
  type SourceState,
} from '../model/index.ts'
import type { NewItem, RefreshRecord } from '../store/store.ts'

const REASON = 'its letters come by themselves'

/** As it is stored: known by its id, as items of feeds are. */
export function newItemOf(item: ParsedItem, now: InstantMs): NewItem {
  const { primary, contentHash } = entryAt(identify([item]), 0)
  return { ...item, key: primary, contentHash, firstSeenAt: now, sortAt: sortTime(item.published, now) }
}

/** A letter came: the same path that items of feeds go, without a request that could count for quality or budget. */
export function afterLetter(source: Source, item: NewItem, now: InstantMs): RefreshRecord {
  const state = {
    ...readyState(source.state),
    lastCheckAt: now,
    lastSuccessAt: now,
    lastNewItemAt: now,
    lastError: null,
  }
  const intake = { day: dayOf(now), taken: 1, repaired: 0, refused: 0 }
  return { ...emptyRecord(source, state), newItems: [item], intake }
}

/** One was refused: the source says why, and goes on. */
export function afterRefusedLetter(source: Source, lastError: SourceError): RefreshRecord {
  return emptyRecord(source, { ...readyState(source.state), lastError })
}

/** Never looked at by the crawler, so that it is neither new nor late. */
export function readyRecord(source: Source): RefreshRecord {
  return emptyRecord(source, readyState(source.state))
}

function readyState(state: SourceState): SourceState {
  return { ...state, status: 'active', failureCount: 0, nextCheckAt: null, nextCheckReason: REASON }
}

function emptyRecord(source: Source, state: SourceState): RefreshRecord {
  return {
    sourceId: source.id,
    state,
    movedTo: null,
    observation: null,
    renamedItems: [],
    newItems: [],
    changedItems: [],
    intake: null,
  }
}
