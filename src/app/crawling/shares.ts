import type { ShareService, SourceShare } from '../../api/services.ts'
import type { QueryFeed, QueryFeedId, Selectivity, Source } from '../../model/index.ts'
import { shareInterval } from '../../quality/share-interval.ts'
import { matchSource } from '../../query/arrivals.ts'
import { ownKeys, withoutInputs } from '../../query/inputs.ts'
import type { ItemOrigin } from '../../query/language/ast.ts'
import { parseQuery } from '../../query/language/parse.ts'
import { type FeedForm, formsOf, keepersByForm, unfilteredOrigins } from '../../query/selectivity-by-form.ts'
import { giveWay } from '../../runtime/event-loop-turns.ts'
import { allSources } from '../../store/all-sources.ts'
import type { Store } from '../../store/store.ts'

export type { SourceShare }

export const NO_SHARES: Awaited<ReturnType<ShareService['read']>> = { everything: new Set(), pairs: [] }

export type ShareStore = Pick<Store, 'queryRevision' | 'queryFeeds' | 'selectivities' | 'sources'>

/** What queries keep of sources: by their form where that says it, as counted otherwise. */
export function createShareReader(store: ShareStore): ShareService {
  const forms = formReader(store)
  return {
    async read() {
      const form = await forms()
      const everything = new Set([...form].filter(([, { isAll }]) => isAll).map(([id]) => id))
      const some = new Map([...form].filter(([, { isAll, atoms }]) => !isAll && atoms.size > 0))
      const byForm = await pairsByForm(some, store)
      return { everything, pairs: joined(byForm, await store.selectivities(), ({ feedId }) => !everything.has(feedId)) }
    },
    async ofFeed(feedId) {
      const form = (await forms()).get(feedId)
      const byForm = await pairsByForm(new Map(form === undefined ? [] : [[feedId, form]]), store)
      return joined(byForm, await store.selectivities(), (one) => one.feedId === feedId)
    },
    async ofSource(source) {
      const byForm = sharesOfSource(source, keepersByForm(await forms())(matchSource(source)))
      return joined(byForm, await store.selectivities(), ({ sourceId }) => sourceId === source.id)
    },
  }
}

/** Each query is parsed once. */
function formReader(store: ShareStore): () => Promise<ReadonlyMap<QueryFeedId, FeedForm>> {
  const origins = new Map<QueryFeedId, { readonly version: number; readonly of: readonly ItemOrigin[] }>()
  let known: { readonly revision: number; readonly forms: ReadonlyMap<QueryFeedId, FeedForm> } | null = null
  return async () => {
    const revision = await store.queryRevision()
    if (known?.revision === revision) return known.forms
    const unfiltered = new Map<string, readonly ItemOrigin[]>()
    const feeds = await store.queryFeeds()
    for (const feed of feeds) {
      await giveWay()
      const before = origins.get(feed.id)
      const of = before?.version === feed.version ? before.of : unfilteredOf(feed)
      origins.set(feed.id, { version: feed.version, of })
      if (of.length > 0) unfiltered.set(feed.name, of)
    }
    const present = new Set(feeds.map(({ id }) => id))
    for (const id of origins.keys()) if (!present.has(id)) origins.delete(id)
    const forms = formsById(feeds, formsOf(unfiltered))
    known = { revision, forms }
    return forms
  }
}

function unfilteredOf({ name, text, without }: QueryFeed): readonly ItemOrigin[] {
  const parsed = parseQuery(text)
  return parsed.ok ? unfilteredOrigins(withoutInputs(parsed.value, ownKeys(name, without))) : []
}

function formsById(
  feeds: readonly QueryFeed[],
  byName: ReadonlyMap<string, FeedForm>,
): ReadonlyMap<QueryFeedId, FeedForm> {
  return new Map(
    feeds.flatMap(({ id, name }): [QueryFeedId, FeedForm][] => {
      const form = byName.get(name)
      return form === undefined ? [] : [[id, form]]
    }),
  )
}

async function pairsByForm(forms: ReadonlyMap<QueryFeedId, FeedForm>, store: ShareStore): Promise<SourceShare[]> {
  if (forms.size === 0) return []
  const keepers = keepersByForm(forms)
  const pairs: SourceShare[] = []
  for (const source of await allSources(store)) {
    await giveWay()
    pairs.push(...sharesOfSource(source, keepers(matchSource(source))))
  }
  return pairs
}

function sharesOfSource({ id }: Source, keepers: ReadonlySet<QueryFeedId>): SourceShare[] {
  const whole = { share: 1, atLeast: 1, atMost: 1, isByForm: true }
  return [...keepers].map((feedId) => ({ feedId, sourceId: id, ...whole }))
}

function joined(
  byForm: readonly SourceShare[],
  counted: readonly Selectivity[],
  isCurrent: (one: Selectivity) => boolean,
): readonly SourceShare[] {
  const known = new Set(byForm.map(({ feedId, sourceId }) => `${feedId} ${sourceId}`))
  const others = counted.filter((one) => one.share > 0 && isCurrent(one) && !known.has(`${one.feedId} ${one.sourceId}`))
  return [
    ...byForm,
    ...others.map(({ feedId, sourceId, share, items }) => ({
      feedId,
      sourceId,
      share,
      ...shareInterval(share, items),
      isByForm: false,
    })),
  ]
}
