import type { ShardLease, SourceId } from '../../model/index.ts'
import { partUnder } from '../rules/leases.ts'
import { MOST_FETCHERS, type SchedulingStore, type StoredModel } from '../scheduling.ts'
import { isInPart } from '../shards.ts'
import { nextRevision } from './sources.ts'
import type { MemoryTables } from './tables.ts'

export function schedulingVerbs(world: MemoryTables, isCurrent: (lease: ShardLease) => boolean): SchedulingStore {
  return {
    async saveModels(models, { also, part: wanted } = {}) {
      const part = partUnder(wanted, isCurrent)
      for (const { sourceId, ...model } of models) {
        const file = world.files.get(sourceId)
        if (file === undefined || !isInPart(file.source.url, part)) continue
        if (model.relearntAt !== null) file.revision = nextRevision(world)
        file.model = { ...model, relearntAt: model.relearntAt ?? file.model?.relearntAt ?? null }
      }
      if (also !== undefined) world.states.set(also.state.name, also.state.write(also.value))
    },
    async models(sourceIds) {
      const found = sourceIds.map((id) => [id, world.files.get(id)?.model ?? null] as const)
      return new Map(found.filter((entry): entry is [SourceId, StoredModel] => entry[1] !== null))
    },
    async decisions(sourceId, limit) {
      const file = world.files.get(sourceId)
      const decisions = [...(file?.decisions ?? [])].flatMap(([at, decision]) => {
        const observation = file?.observations.get(at)
        return observation === undefined ? [] : [{ ...decision, at, newItems: observation.newItems }]
      })
      return decisions.sort((a, b) => b.at - a.at).slice(0, Math.max(0, limit))
    },
    async recordFeedReads(reads) {
      for (const { feed, at } of reads) world.feedReads.set(feed, Math.max(at, world.feedReads.get(feed) ?? at))
    },
    async recordFetches(fetches, forgetBefore) {
      for (const [key, { at }] of world.fetches) if (at < forgetBefore) world.fetches.delete(key)
      for (const fetch of fetches) {
        const key = `${fetch.feed} ${fetch.reader}`
        if (fetch.at >= (world.fetches.get(key)?.at ?? fetch.at)) world.fetches.set(key, fetch)
      }
      for (const feed of new Set(fetches.map((one) => one.feed))) {
        const ofFeed = [...world.fetches].filter(([, one]) => one.feed === feed)
        ofFeed.sort(([, a], [, b]) => b.at - a.at || (a.reader < b.reader ? -1 : 1))
        for (const [key] of ofFeed.slice(MOST_FETCHERS)) world.fetches.delete(key)
      }
    },
    fetches: async () =>
      [...world.fetches.values()].sort((a, b) =>
        a.feed === b.feed ? (a.reader < b.reader ? -1 : 1) : a.feed < b.feed ? -1 : 1,
      ),
    feedReads: async () =>
      [...world.feedReads].map(([feed, at]) => ({ feed, at })).sort((a, b) => (a.feed < b.feed ? -1 : 1)),
  }
}
