import { loadConfig } from '../src/app/config.ts'
import { openData } from '../src/app/data.ts'
import { applyQueries } from '../src/app/queries/apply.ts'
import { withDefaults } from '../src/app/sources.ts'
import { HOUR_MS, MINUTE_MS, NO_COUNTS, type Source } from '../src/model/index.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { seededRandom } from '../src/runtime/random.ts'
import type { NewItem, RefreshRecord, Store } from '../src/store/store.ts'
import { addOwner } from './calm-data.ts'
import { itemMaker, wordMaker } from './store-items.ts'

/** Folders of the sources; one of them has most. */
export const LARGE_FOLDER = 'Large'
export const LARGE_FEED = 'large'
/** A source with very many items, which somebody removes. */
const ITEMS_OF_FIRST = 20_000
const HOURS = 3
const BATCH = 1_000
const PORT_THAT_NOBODY_HAS = 9

/** Very many sources, each refreshed in each of the last hours, all in one category and in one query feed. */
export async function fillWideData(dataDir: string, sources: number, items: number): Promise<void> {
  const { store } = await openData(loadConfig(dataDir, {}, {}), systemClock)
  const now = systemClock.now()
  await addOwner(store, now)
  const word = wordMaker(seededRandom(3))
  const settings = Array.from({ length: sources }, (_, index) =>
    withDefaults({
      url: `http://127.0.0.1:${PORT_THAT_NOBODY_HAS}/${index}/feed.xml`,
      name: `${word()} ${word()} ${word()}`,
      categories: [`${LARGE_FOLDER}/${word()}`],
    }),
  )
  const added: Source[] = []
  for (let at = 0; at < sources; at += BATCH) {
    added.push(...(await store.addSources(settings.slice(at, at + BATCH), now)).map(({ source }) => source))
  }
  await applyQueries(`CREATE FEED ${LARGE_FEED} AS RETURN ALL`, store, {
    now,
    replace: true,
    backFill: { kind: 'all' },
  })
  await refreshAll(store, added, items, now)
  await store.items({ scope: { kind: 'all' }, text: 'headwater', limit: 1 })
  await store.close()
}

async function refreshAll(store: Store, sources: readonly Source[], items: number, now: number): Promise<void> {
  const make = itemMaker(seededRandom(1))
  const perSource = Math.max(1, Math.floor((items - ITEMS_OF_FIRST) / sources.length))
  let left = items
  for (const [place, source] of sources.entries()) {
    const count = place === 0 ? Math.min(items, ITEMS_OF_FIRST) : perSource
    const newItems = Array.from({ length: count }, (_, index): NewItem => {
      const at = now - left-- * MINUTE_MS
      return { ...make(source.id, index), published: at, firstSeenAt: at, sortAt: at }
    })
    const hours = Array.from({ length: HOURS }, (_, hour) => now - (hour + 1) * HOUR_MS)
    const records = hours.map((at, hour) => recordOf(source, at, hour === 0 ? newItems : []))
    await Promise.all(records.map((record) => store.recordRefresh(record)))
  }
}

function recordOf(source: Source, at: number, newItems: readonly NewItem[]): RefreshRecord {
  const state = { ...source.state, status: 'active' as const, title: `Site ${source.id}`, lastCheckAt: at }
  return {
    sourceId: source.id,
    state: { ...state, lastSuccessAt: at, nextCheckAt: at + 24 * HOUR_MS },
    movedTo: null,
    observation: {
      sourceId: source.id,
      previousAt: null,
      at,
      newItems: newItems.length,
      windowSize: 20,
      overlap: 'some',
      lostAtLeast: 0,
      itemTimes: [],
      notModified: false,
      bytes: 10_000,
      latencyMs: 100,
    },
    renamedItems: [],
    intake: null,
    newItems,
    changedItems: [],
    quality: {
      ...NO_COUNTS,
      requests: 1,
      items: 2,
      delayMs: 1e6,
      watchedMs: 1e6,
      delays: [
        { bucket: 15, items: 1 },
        { bucket: 20, items: 1 },
      ],
    },
  }
}
