import type { InstantMs, Item, Source, SourceId } from '../src/model/index.ts'
import type { ItemQuery, Store } from '../src/store/store.ts'
import type { CollectedSource } from './analysis/index.ts'

const PAGE = 500

/** The archive of a node as a collection: when each of its sources published, as far as it knows. */
export async function collectedFrom(store: Store): Promise<CollectedSource[]> {
  const collected: CollectedSource[] = []
  for (const source of await store.sources()) collected.push(await collectedSource(source, store))
  return collected
}

/** When a source published, newest first, as far as its archive knows. */
export async function archivedTimes(sourceId: SourceId, store: Store): Promise<InstantMs[]> {
  const times: InstantMs[] = []
  await eachItem(sourceId, store, (item) => times.push(item.sortAt))
  return times
}

async function collectedSource(source: Source, store: Store): Promise<CollectedSource> {
  const times: InstantMs[] = []
  const categories = new Set<string>()
  await eachItem(source.id, store, (item) => {
    times.push(item.sortAt)
    for (const category of item.categories) categories.add(category)
  })
  return {
    id: String(source.id),
    // Read newest first.
    times: times.reverse(),
    description: {
      title: source.name ?? source.state.title,
      url: source.url,
      feedCategories: [...source.state.feedCategories, ...source.categories],
      itemCategories: [...categories],
    },
  }
}

async function eachItem(sourceId: SourceId, store: Store, visit: (item: Item) => void): Promise<void> {
  let after: ItemQuery['after']
  do {
    const items = await store.items({
      scope: { kind: 'source', sourceId },
      limit: PAGE,
      ...(after === undefined ? {} : { after }),
    })
    for (const item of items) visit(item)
    const last = items.at(-1)
    after = items.length < PAGE || last === undefined ? undefined : { sortAt: last.sortAt, seq: last.seq }
  } while (after !== undefined)
}
