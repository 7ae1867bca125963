import { benchCluster } from '../../bench/cluster/cluster.ts'

export interface BenchFigures {
  readonly network: string
  readonly items: number
  readonly publications: number
  readonly messages: number
  readonly requests: number
  readonly faults: readonly { readonly fault: string; readonly who: string | null; readonly shards: number }[]
  readonly checks: Readonly<Record<string, { readonly value: number; readonly atMost: number; readonly ok: boolean }>>
  readonly verdict: {
    readonly holds: boolean
    readonly claims: readonly { readonly holds: boolean; readonly text: string }[]
  }
}

/** Few processes: starting one takes longer than all that it does in a short run. */
const SMALL = { crawlers: 2, matchers: 0, publishers: 0, apis: 0, feeds: 24, requestsPerSecond: 12, leaseMs: 2_000 }

export async function runBench(options: Parameters<typeof benchCluster>[0]): Promise<BenchFigures> {
  return (await benchCluster({ ...SMALL, mixed: 1, ...options })) as unknown as BenchFigures
}

/** What does not hold, with its figures. */
export function failures({ checks }: BenchFigures): readonly string[] {
  return Object.entries(checks).flatMap(([name, { ok }]) => (ok ? [] : [name]))
}
