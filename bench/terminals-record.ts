import { deduplicate, NO_GUID_HISTORY, prepare } from '../src/crawler/dedup/deduplicate.ts'
import { observeContent, observeUnchanged, type RefreshFacts, sortTime } from '../src/crawler/dedup/observe.ts'
import type { DurationMs, InstantMs, ItemKey, Source, SourceId } from '../src/model/index.ts'
import type { Clock } from '../src/runtime/clock.ts'
import type { RefreshRecord, Store } from '../src/store/store.ts'
import type { FetchReport, TerminalReport } from './terminals-link.ts'

/** Articles looked up one by one, as the procedure of the paper has it, or all of a feed at once. */
export type LookUp = 'article' | 'feed'

export interface Statements {
  readonly lookUps: number
  readonly records: number
}

/** The controller's side of the database: asks what is known and stores the rest. */
export interface Recorder {
  record(source: Source, report: Exclude<TerminalReport, { readonly kind: 'failed' | 'done' }>): Promise<void>
  statements(): Statements
}

export interface RecorderOptions {
  readonly store: Pick<Store, 'knownItems' | 'recordRefresh'>
  readonly clock: Clock
  readonly lookUp: LookUp
  /** Waited for before each statement: a database at the other end of a network. */
  readonly roundTripMs: DurationMs
}

export function createRecorder({ store, clock, lookUp, roundTripMs }: RecorderOptions): Recorder {
  let lookUps = 0
  let records = 0
  const lastAt = new Map<SourceId, InstantMs>()
  const cross = async () => {
    if (roundTripMs > 0) await clock.sleep(roundTripMs)
  }
  const known = async ({ id }: Source, keys: readonly ItemKey[]) => {
    lookUps++
    await cross()
    return store.knownItems(id, keys)
  }
  const archived = async (source: Source, keys: readonly (readonly ItemKey[])[]) => {
    const found = new Map<ItemKey, string>()
    for (const some of keys) for (const [key, hash] of await known(source, some)) found.set(key, hash)
    return found
  }
  return {
    async record(source, report) {
      const now = clock.now()
      const facts = factsOf(source.id, lastAt.get(source.id) ?? null, report, now)
      let record = unchangedRecord(source, facts)
      if (report.kind === 'articles' && report.items.length > 0) {
        const prepared = prepare(report.items, [])
        const keys = prepared.identities.map((one) => [one.primary, one.composite()])
        const answer = await archived(source, lookUp === 'article' ? keys : [keys.flat()])
        const { added, changed } = deduplicate(prepared, answer, NO_GUID_HISTORY)
        record = contentRecord(record, facts, report.windowSize, { added, changed })
      }
      records++
      await cross()
      await store.recordRefresh(record)
      lastAt.set(source.id, now)
    },
    statements: () => ({ lookUps, records }),
  }
}

function factsOf(sourceId: SourceId, previousAt: InstantMs | null, report: FetchReport, at: InstantMs): RefreshFacts {
  return { sourceId, previousAt, at, bytes: report.bytes, latencyMs: report.latencyMs }
}

function unchangedRecord({ id, state }: Source, facts: RefreshFacts): RefreshRecord {
  return {
    sourceId: id,
    state: { ...state, status: 'active', lastCheckAt: facts.at, lastSuccessAt: facts.at },
    movedTo: null,
    observation: observeUnchanged(facts),
    renamedItems: [],
    newItems: [],
    changedItems: [],
    intake: null,
  }
}

type Findings = Pick<ReturnType<typeof deduplicate>, 'added' | 'changed'>

function contentRecord(
  record: RefreshRecord,
  facts: RefreshFacts,
  windowSize: number,
  { added, changed }: Findings,
): RefreshRecord {
  const { at } = facts
  const overlap = facts.previousAt === null ? 'first' : 'some'
  return {
    ...record,
    observation: observeContent(facts, { added, windowSize, overlap, datesCredible: true, usualPerHour: null }),
    newItems: added.map(({ item, key, contentHash }) => {
      return { ...item, key, contentHash, firstSeenAt: at, sortAt: sortTime(item.published, at) }
    }),
    changedItems: changed.map(({ item, key, contentHash }) => ({ ...item, key, contentHash, changedAt: at })),
  }
}
