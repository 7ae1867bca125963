import type { CollectedSource } from '../src/analysis/index.ts'
import type { InstantMs, Source } from '../src/model/index.ts'
import type { ItemQuery, Store } from '../src/store/store.ts'

const PAGE = 500

/** The archive of a node as a collection: when each of its sources published, as far as it knows. */
export async function collectedFrom(store: Store): Promise<CollectedSource[]> {
  const collected: CollectedSource[] = []
  for (const source of await store.sources()) collected.push(await collectedSource(source, store))
  return collected
}

async function collectedSource(source: Source, store: Store): Promise<CollectedSource> {
  const times: InstantMs[] = []
  const categories = new Set<string>()
  let after: ItemQuery['after']
  do {
    const items = await store.items({
      scope: { kind: 'source', sourceId: source.id },
      limit: PAGE,
      ...(after === undefined ? {} : { after }),
    })
    for (const item of items) {
      times.push(item.sortAt)
      for (const category of item.categories) categories.add(category)
    }
    const last = items.at(-1)
    after = items.length < PAGE || last === undefined ? undefined : { sortAt: last.sortAt, seq: last.seq }
  } while (after !== undefined)
  return {
    id: String(source.id),
    // Read newest first.
    times: times.reverse(),
    description: {
      title: source.name ?? source.state.title,
      url: source.url,
      feedCategories: source.categories,
      itemCategories: [...categories],
    },
  }
}
