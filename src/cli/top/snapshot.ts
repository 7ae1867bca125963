import type { DurationMs, InstantMs } from '../../model/index.ts'
import type { DecisionCause } from '../causes.ts'
import type { ApiReader } from './node-client.ts'

/** As much of the API's answers as the page shows (docs/api.md); JSON has all of them. */
interface OverviewAnswer {
  readonly at: InstantMs
  readonly budget: {
    readonly requestsPerMinute: number
    readonly spentPerMinute: number
    readonly price: number | null
    readonly strategy: string
  }
  readonly quality: {
    readonly requests: number
    readonly items: number
    readonly usefulShare: number | null
    readonly delay: { readonly meanMs: DurationMs } | null
    readonly lost: { readonly items: number }
  }
  readonly counts: {
    readonly sources: number
    readonly items: number
    readonly conditions: Readonly<Record<string, number>>
  }
  readonly alarms: readonly { readonly summary: string }[]
  readonly trouble: readonly ListedSource[]
}

interface ListedSource {
  readonly id: number
  readonly name: string
  readonly condition: string
  readonly ratePerHour: number | null
  readonly lastCheckAt: InstantMs | null
  readonly nextCheckAt: InstantMs | null
  readonly errorCode: string | null
}

interface PastRefresh {
  readonly at: InstantMs
  readonly newItems: number
  readonly notModified: boolean
  readonly decision: { readonly cause: DecisionCause } | null
}

/** What a node does at one moment. */
export interface TopSnapshot {
  readonly at: InstantMs
  readonly url: string
  readonly version: string
  readonly status: string
  readonly budget: OverviewAnswer['budget']
  /** Over the last hour. */
  readonly quality: OverviewAnswer['quality']
  readonly counts: OverviewAnswer['counts']
  readonly alarms: OverviewAnswer['alarms']
  /** The latest refreshes, newest first, each with its reason. */
  readonly refreshed: readonly LatestRefresh[]
  readonly next: readonly ListedSource[]
  readonly trouble: readonly ListedSource[]
}

export interface LatestRefresh {
  readonly source: ListedSource
  readonly refresh: PastRefresh | null
}

const LISTED = 12

export async function readNow(client: ApiReader): Promise<TopSnapshot> {
  const [node, health, latest, next] = await Promise.all([
    client.get<OverviewAnswer>('/api/overview?over=hour'),
    client.get<{ version: string; status: string }>('/api/health'),
    client.get<{ sources: readonly ListedSource[] }>(`/api/sources?sort=lastCheckAt&order=desc&limit=${LISTED}`),
    client.get<{ sources: readonly ListedSource[] }>(`/api/sources?sort=nextCheckAt&order=asc&limit=${LISTED}`),
  ])
  const { requestsPerMinute, spentPerMinute, price, strategy } = node.budget
  return {
    at: node.at,
    url: client.url,
    version: health.version,
    status: health.status,
    budget: { requestsPerMinute, spentPerMinute, price, strategy },
    quality: node.quality,
    counts: node.counts,
    alarms: node.alarms,
    refreshed: await Promise.all(latest.sources.filter(wasChecked).map((source) => withRefresh(source, client))),
    next: next.sources.filter(({ nextCheckAt }) => nextCheckAt !== null),
    trouble: node.trouble,
  }
}

function wasChecked({ lastCheckAt }: ListedSource): boolean {
  return lastCheckAt !== null
}

async function withRefresh(source: ListedSource, client: ApiReader): Promise<LatestRefresh> {
  const path = `/api/sources/${source.id}/refreshes?limit=1`
  const { refreshes } = await client.get<{ refreshes: readonly PastRefresh[] }>(path)
  const [last] = refreshes
  // A failed refresh leaves no observation: the last one is then of an earlier look.
  return { source, refresh: last?.at === source.lastCheckAt ? last : null }
}
