import { openData } from '../src/app/data/data.ts'
import { applyQueries } from '../src/app/queries/apply.ts'
import { loadConfig } from '../src/app/settings/config.ts'
import { withSourceDefaults } from '../src/app/sources/import-sources.ts'
import { MINUTE_MS, SECOND_MS, type SourceId } from '../src/model/index.ts'
import { tokenHash } from '../src/publisher/feed-access.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { seededRandom } from '../src/runtime/random.ts'
import type { NewItem, Store } from '../src/store/store.ts'
import { itemMaker, wordMaker } from './store-items.ts'

export const TOKEN = 'bench'
export const QUERY_FEEDS = 10
const ITEMS_PER_SOURCE = 500
const SEED = 1
const SAMPLE = 100_000

/** Words of the archive's texts, commonest first. */
export function commonWords(count: number): readonly string[] {
  const word = wordMaker(seededRandom(SEED))
  const counts = new Map<string, number>()
  for (let i = 0; i < SAMPLE; i++) {
    const one = word()
    counts.set(one, (counts.get(one) ?? 0) + 1)
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, count)
    .map(([one]) => one)
}

/** An archive of items from sources that rest, sources of a world that are refreshed every second, query feeds, an owner. */
export async function fillCalmData(dataDir: string, items: number, urls: readonly string[]): Promise<void> {
  const config = loadConfig(dataDir, {}, {})
  const { store } = await openData(config, systemClock)
  const now = systemClock.now()
  await addOwner(store, now)
  const rest = Math.ceil(items / ITEMS_PER_SOURCE)
  const archived = Array.from({ length: rest }, (_, index) =>
    withSourceDefaults({
      url: `http://rest-${index}.example/feed`,
      paused: true,
      categories: [`Folder ${index % 10}`],
    }),
  )
  const make = itemMaker(seededRandom(SEED))
  let remaining = items
  for (const { source } of await store.addSources(archived, now)) {
    const count = Math.min(ITEMS_PER_SOURCE, remaining)
    const first = now - remaining * MINUTE_MS
    const items = Array.from({ length: count }, (_, index): NewItem => {
      const at = first + index * MINUTE_MS
      return { ...make(source.id, index), published: at, firstSeenAt: at, sortAt: at }
    })
    remaining -= count
    await archive(store, source.id, source.state, items, now)
  }
  await store.addSources(
    urls.map((url, index) =>
      withSourceDefaults({ url, intervalMs: SECOND_MS, categories: [`Live/${index % 10}`], name: `live-${index}` }),
    ),
    now,
  )
  const words = commonWords(200)
  const queries = Array.from(
    { length: QUERY_FEEDS },
    (_, index) => `CREATE FEED wanted${index} AS RETURN ALL WHERE ITEM CONTAINS "${words[100 + index]}";`,
  )
  await applyQueries(queries.join('\n'), store, { now, replace: true, backFill: { kind: 'items', count: 2_000 } })
  // A search has the text index finish.
  await store.items({ scope: { kind: 'all' }, text: 'headwater', limit: 1 })
  await store.close()
}

async function addOwner(store: Store, now: number): Promise<void> {
  const owner = { name: 'owner', role: 'owner' as const, passwordHash: null, invitation: null }
  const { id: userId } = (await store.addUser(owner, now))!
  await store.addApiToken({ userId, label: null, scope: 'admin', feed: null, hash: tokenHash(TOKEN) }, now)
}

type State = Parameters<Store['recordRefresh']>[0]['state']

async function archive(store: Store, sourceId: SourceId, state: State, newItems: NewItem[], now: number) {
  await store.recordRefresh({
    sourceId,
    state: { ...state, status: 'active', title: `Site ${sourceId}`, lastCheckAt: now, lastSuccessAt: now },
    movedTo: null,
    observation: null,
    renamedItems: [],
    intake: null,
    newItems,
    changedItems: [],
  })
}
