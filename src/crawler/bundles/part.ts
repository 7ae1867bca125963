import type { InstantMs, Observation, ParsedItem, Source } from '../../model/index.ts'
import { tallyOf } from '../../quality/live.ts'
import type { NextCheck } from '../../refresh/scheduler/types.ts'
import type { RefreshRecord } from '../../store/store.ts'
import { observeContent, observeUnchanged } from '../dedup/observe.ts'
import { type ItemsReading, type PipelineDeps, readPartOrWhole } from '../pipeline.ts'
import { intakeOf, newItem } from '../refresh-outcome.ts'

/** What one answer for several sources showed of one of them. */
export interface SeenPart {
  readonly source: Source
  /** null: there was nothing to read, or none of its items. */
  readonly reading: ItemsReading | null
  readonly observation: Observation
}

export interface PartFacts {
  readonly at: InstantMs
  /** Its part of the answer. */
  readonly bytes: number
  readonly latencyMs: number
}

/**
 * The items of one source among those of others are like a delta: what is not there may still be in its own feed. Whether
 * something is missing only its own feed can tell, so that nothing is ever called lost here.
 */
export async function seePart(
  source: Source,
  items: readonly ParsedItem[],
  { at, bytes, latencyMs }: PartFacts,
  deps: Pick<PipelineDeps, 'store'>,
): Promise<SeenPart> {
  const facts = { sourceId: source.id, previousAt: source.state.lastSuccessAt, at, bytes, latencyMs }
  if (items.length === 0) return { source, reading: null, observation: observeUnchanged(facts) }
  const reading = withoutEdits(source, await readPartOrWhole(source, items, { at, isPart: true }, deps))
  const { added } = reading.dedup
  const { datesCredible } = reading
  const found = { added, windowSize: reading.windowSize, overlap: 'some' as const, datesCredible, usualPerHour: null }
  return { source, reading, observation: { ...observeContent(facts, found), windowSize: null } }
}

/** Feeds of several sources often show less of an item than its own feed, which alone says what was edited. */
function withoutEdits({ state }: Source, reading: ItemsReading): ItemsReading {
  const { dedup } = reading
  const former = new Map(state.window.map((entry) => [entry.key, entry]))
  const window = dedup.window.map((entry) => former.get(entry.key) ?? entry)
  return { ...reading, deferred: 0, dedup: { ...dedup, changed: [], window } }
}

/** The source keeps what its own address last said: title, hints, validators. `isFirst`: the request is counted to it. */
export function recordOf({ source, reading, observation }: SeenPart, next: NextCheck, isFirst: boolean): RefreshRecord {
  const { at, bytes } = observation
  const { state } = source
  const dedup = reading?.dedup ?? null
  const windowSize = dedup?.window.length ?? state.window.length
  return {
    sourceId: source.id,
    movedTo: null,
    state: {
      ...state,
      lastCheckAt: at,
      lastSuccessAt: at,
      nextCheckAt: next.at,
      nextCheckReason: next.reason,
      ...(reading && afterReading(source, reading, at)),
    },
    observation,
    renamedItems: dedup?.renamed ?? [],
    newItems: (dedup?.added ?? []).map((one) => newItem(one, at, one.item.language)),
    changedItems: [],
    intake: reading && intakeOf(source, { ...reading, repaired: null }, at),
    quality: tallyOf(observation, { requests: isFirst ? 1 : 0, bytes, repaired: 0, windowSize }),
  }
}

function afterReading({ state }: Source, { dedup, refusal, datesCredible }: ItemsReading, at: InstantMs) {
  return {
    window: dedup.window,
    guidChanges: dedup.guidChanges,
    lastNewItemAt: dedup.added.length > 0 ? at : state.lastNewItemAt,
    datesCredible,
    refusal: refusal ?? state.refusal,
    // What was not stored is to be seen again by itself, though its document may be the same.
    ...(refusal === null ? {} : { etag: null, lastModified: null, bodyHash: null }),
  }
}
