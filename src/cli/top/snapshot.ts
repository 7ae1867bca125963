import type { z } from 'zod'
import type { overview } from '../../api/operations/node.ts'
import type { refresh, sourceRow } from '../../api/operations/sources.ts'
import type { InstantMs } from '../../model/index.ts'
import type { NodeClient } from './node-client.ts'

type Overview = z.infer<typeof overview>
type SourceRow = z.infer<typeof sourceRow>
type Refresh = z.infer<typeof refresh>

/** What a node does at one moment. */
export interface TopSnapshot {
  readonly at: InstantMs
  readonly url: string
  readonly version: string
  readonly status: string
  readonly budget: Pick<Overview['budget'], 'requestsPerMinute' | 'spentPerMinute' | 'price' | 'strategy'>
  /** Over the last hour. */
  readonly quality: Overview['quality']
  readonly counts: Overview['counts']
  readonly alarms: Overview['alarms']
  /** The latest refreshes, newest first, each with its reason. */
  readonly refreshed: readonly RefreshedSource[]
  readonly next: readonly SourceRow[]
  readonly trouble: readonly SourceRow[]
}

export interface RefreshedSource {
  readonly source: SourceRow
  readonly refresh: Refresh | null
}

const LISTED = 12

export async function readSnapshot(client: NodeClient): Promise<TopSnapshot> {
  const [node, health, latest, next] = await Promise.all([
    client.get<Overview>('/api/overview?over=hour'),
    client.get<{ version: string; status: string }>('/api/health'),
    client.get<{ sources: readonly SourceRow[] }>(`/api/sources?sort=lastCheckAt&order=desc&limit=${LISTED}`),
    client.get<{ sources: readonly SourceRow[] }>(`/api/sources?sort=nextCheckAt&order=asc&limit=${LISTED}`),
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

function wasChecked({ lastCheckAt }: SourceRow): boolean {
  return lastCheckAt !== null
}

async function withRefresh(source: SourceRow, client: NodeClient): Promise<RefreshedSource> {
  const path = `/api/sources/${source.id}/refreshes?limit=1`
  const { refreshes } = await client.get<{ refreshes: readonly Refresh[] }>(path)
  const [last] = refreshes
  // A failed refresh leaves no observation: the last one is then of an earlier look.
  return { source, refresh: last?.at === source.lastCheckAt ? last : null }
}
