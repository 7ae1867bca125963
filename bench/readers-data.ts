import { secretHash } from '../src/api/access/principal.ts'
import { openData } from '../src/app/data/data.ts'
import { loadConfig } from '../src/app/settings/config.ts'
import { withSourceDefaults } from '../src/app/sources/import-sources.ts'
import { NODE_READER } from '../src/buffer/buffer.ts'
import { MINUTE_MS, SECOND_MS, type Source, type UserId } from '../src/model/index.ts'
import { PUBLISHER } from '../src/publisher/publisher-pipeline.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { seededRandom } from '../src/runtime/random.ts'
import type { NewItem, Store } from '../src/store/store.ts'
import { itemMaker } from './store-items.ts'

export const APP_PASSWORD = 'hw_bench'
const FOLDERS = 40
/** Of the newest, and everything but so many. */
const READ_ONE_BY_ONE = 1_000
const UNREAD = 100_000

export interface ReadersData {
  readonly items: number
  readonly subscriptions: number
  /** Refreshed while clients synchronise; nobody follows them. */
  readonly liveUrls: readonly string[]
}

/** An archive, and somebody who follows all its sources one by one and has read a part of it. */
export async function fillReadersData(dataDir: string, data: ReadersData): Promise<UserId> {
  const { store, buffer } = await openData(loadConfig(dataDir, {}, {}), systemClock)
  const now = systemClock.now()
  const owner = await store.addUser({ name: 'owner', role: 'owner', passwordHash: null, invitation: null }, now)
  if (owner === null) throw new Error('the folder is not empty')
  const token = { userId: owner.id, label: null, scope: 'app' as const, feed: null, hash: secretHash(APP_PASSWORD) }
  await store.addApiToken(token, now)
  const settings = Array.from({ length: data.subscriptions }, (_, index) => {
    const categories = [`Folder ${index % FOLDERS}`]
    return withSourceDefaults({ url: `http://rest-${index}.example/feed`, paused: true, categories })
  })
  const sources = (await store.addSources(settings, now)).map(({ source }) => source)
  await archiveItems(store, sources, data.items)
  for (const { id } of sources) await store.follow({ userId: owner.id, feed: `/feeds/source/${id}`, since: now })
  await store.addSources(
    data.liveUrls.map((url) => withSourceDefaults({ url, intervalMs: SECOND_MS })),
    now,
  )
  await readSome(store, owner.id)
  // In an archive that has grown all of it was news once, and has been published.
  await buffer.register(PUBLISHER, { from: 'end', ...NODE_READER })
  await store.close()
  return owner.id
}

/** Turn by turn, so that neighbours are of different sources, as in an archive that has grown. */
async function archiveItems(store: Store, sources: readonly Source[], items: number): Promise<void> {
  const make = itemMaker(seededRandom(1))
  const perTurn = Math.max(1, Math.min(20, Math.ceil(items / sources.length)))
  let left = items
  for (let turn = 0; left > 0; turn++) {
    for (const source of sources) {
      const count = Math.min(perTurn, left)
      left -= count
      if (count > 0) await archive(store, source, turn * perTurn, count, make)
    }
  }
}

async function archive(store: Store, source: Source, from: number, count: number, make: ReturnType<typeof itemMaker>) {
  const at = systemClock.now()
  const newItems = Array.from({ length: count }, (_, index) => short(make(source.id, from + index), at - MINUTE_MS))
  await store.recordRefresh({
    sourceId: source.id,
    state: { ...source.state, status: 'active', title: `Site ${source.id}`, lastCheckAt: at, lastSuccessAt: at },
    ...{ movedTo: null, observation: null, renamedItems: [], intake: null, changedItems: [], newItems },
  })
}

/** One paragraph: it is the rows that are many. */
function short(item: NewItem, at: number): NewItem {
  return { ...item, summary: null, content: item.content?.split('\n')[0] ?? null, firstSeenAt: at, sortAt: at }
}

async function readSome(store: Store, userId: UserId): Promise<void> {
  const last = await store.lastItemSeq()
  await store.markAllRead(userId, { kind: 'all' }, Math.max(0, last - UNREAD))
  const read = Array.from({ length: READ_ONE_BY_ONE }, (_, index) => last - 3 * index).filter((seq) => seq > 0)
  await store.markItems(userId, read, { isRead: true })
}
