import { compareText } from '../rules/text-order.ts'
import type { SummaryStore } from '../source-summaries.ts'
import { listSources } from './sources.ts'
import type { MemoryTables } from './tables.ts'

export function summaryVerbs(world: MemoryTables): SummaryStore {
  return {
    async sourceNames() {
      const names = [...world.files.values()].flatMap(({ source }) => source.name ?? [])
      return [...new Set(names)].sort(compareText)
    },
    async listedSources({ afterId, limit, category }) {
      const page = { afterId, limit: Math.max(0, limit), ...(category === undefined ? {} : { category }) }
      return listSources(world, page).map(({ id, url, name, categories, state: { title, siteUrl } }) => {
        return { id, url, name, title, siteUrl, categories }
      })
    },
    async sourceSummaries({ afterId, limit }) {
      const files = [...world.files.values()].filter(({ source }) => source.id > afterId)
      return files.slice(0, Math.max(0, limit)).map(({ source, seqByKey, model }) => ({
        id: source.id,
        url: source.url,
        name: source.name,
        title: source.state.title,
        categories: source.categories,
        weight: source.weight,
        paused: source.paused,
        status: source.state.status,
        isSaturated: source.state.saturation !== null,
        lastLosses: source.state.lastLosses ?? [],
        isRefused: source.state.refusal !== null,
        errorCode: source.state.lastError?.code ?? null,
        lastCheckAt: source.state.lastCheckAt,
        nextCheckAt: source.state.nextCheckAt,
        lastNewItemAt: source.state.lastNewItemAt,
        items: seqByKey.size,
        model,
      }))
    },
  }
}
