import type { ParsedItem, Source, SourceId, SourceSettings, SourceState } from '../../src/model/index.ts'
import type { NewItem, Store } from '../../src/store/store.ts'
import { first } from './present.ts'
import { anItem, NOON, settingsFor } from './published-items.ts'

/** A clock that stands still until it is set. */
export function handClock(start = NOON) {
  let now = start
  return {
    now: () => now,
    monotonicMs: () => now,
    sleep: (_ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        if (signal?.aborted) resolve()
        else signal?.addEventListener('abort', () => resolve())
      }),
    pass: (ms: number) => {
      now += ms
    },
  }
}

export async function addSource(
  store: Pick<Store, 'addSources'>,
  url: string,
  settings: Partial<SourceSettings> = {},
): Promise<Source> {
  return first(await store.addSources([settingsFor(url, settings)], NOON)).source
}

/** As a refresh would: the items are stored and are in the buffer. */
export async function storeItems(
  store: Pick<Store, 'recordRefresh' | 'source'>,
  sourceId: SourceId,
  items: readonly (Partial<ParsedItem> & Partial<NewItem>)[],
  state: Partial<SourceState> = {},
): Promise<void> {
  const source = await store.source(sourceId)
  await store.recordRefresh({
    sourceId,
    state: { ...source!.state, status: 'active', ...state },
    movedTo: null,
    observation: null,
    newItems: items.map((item) => newItem(item)),
    changedItems: [],
    renamedItems: [],
    intake: null,
  })
}

let keys = 0

function newItem(fields: Partial<NewItem>): NewItem {
  const { seq: _seq, sourceId: _sourceId, changedAt: _changedAt, ...item } = anItem({ seq: ++keys })
  return { ...item, ...fields }
}
