import { addOne, changedItem, newItem, type OpenStore, record, START } from './store.fixture.ts'

export const ROUNDS = 12
const ITEMS = 3

/** Writes a bit of everything that is numbered, as fast as it can, while others do the same. */
export async function writeEverything({ store }: OpenStore, name: string): Promise<void> {
  const source = await addOne(store, `http://${name}/`)
  const feed = await store.queryFeed('feed')
  if (feed === null) throw new Error('the feed is made before its writers begin')
  const scope = { kind: 'source', sourceId: source.id } as const
  for (let round = 1; round <= ROUNDS; round++) {
    const names = Array.from({ length: ITEMS }, (_, item) => `${name}-${round}-${item}`)
    const newItems = names.map((one) => newItem(one))
    const changedItems = names.slice(0, 1).map((one) => changedItem(one))
    await Promise.all([
      store.recordRefresh(record(source, { newItems, changedItems })),
      store.recordRefresh(record(source, { newItems: newItems.slice(0, 1) })),
    ])
    const publications = [...(await store.arrivals(scope, ITEMS))]
      .reverse()
      .map(({ seq: itemSeq }) => ({ feedId: feed.id, version: feed.version, itemSeq, joined: [] }))
    await store.publish({ cursor: 0, publications, itemCounts: new Map(), matches: [], at: START })
    await store.updateSource(source.id, { weight: round + 1 })
    await store.addFeedToken(feed.id, { hash: `${name} ${round}`, label: null }, START)
    const deed = { at: START, userId: 1, userName: 'ann', address: null, action: 'source-removed' } as const
    await store.recordAudit([{ ...deed, subject: `${name} ${round}` }], START)
  }
}

/** Titles of all items that a writer stores. */
export function titlesOf(name: string): string[] {
  return Array.from({ length: ROUNDS }, (_, round) => round + 1).flatMap((round) =>
    Array.from({ length: ITEMS }, (_, item) => `${name}-${round}-${item}`),
  )
}
