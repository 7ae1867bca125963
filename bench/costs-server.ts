import { COUNTED_TABLES, type CountedTable, type UnitCosts } from '../lab/experiments/cluster-scale/unit-costs.ts'
import { NODE_READER } from '../src/buffer/buffer.ts'
import { DAY_MS } from '../src/model/index.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { openPostgresStore, type PostgresStore } from '../src/store/postgres/index.ts'
import { QUERY_READER } from '../src/store/query-feeds.ts'
import type { Meter } from './store-meter.ts'

export interface ServerAccess {
  readonly url: string
  readonly keyFile: string
  readonly meter: Meter
}

const FEEDS = 10
const PAGE = 500
const DRAWS = 2_000

/** Each item into some query feeds, as a matcher publishes them. */
export async function measurePublications(access: ServerAccess): Promise<number> {
  return withStore(access, async ({ store, buffer }) => {
    await buffer.register(QUERY_READER, { from: 'start', ...NODE_READER })
    const feeds = Array.from({ length: FEEDS }, (_, index) => ({
      kind: 'save-feed' as const,
      name: `feed-${index}`,
      title: null,
      limit: null,
      text: '*',
      catchUp: 'no' as const,
    }))
    await store.changeQueries(feeds, await store.queryRevision(), systemClock.now())
    const known = await store.queryFeeds()
    let published = 0
    const cost = await access.meter.cost(async () => {
      for (;;) {
        const entries = await buffer.read(QUERY_READER, PAGE, { parts: 'labels' })
        const last = entries.at(-1)
        if (last === undefined) return
        const publications = entries.flatMap(({ item }) =>
          known.map(({ id, version }) => ({ feedId: id, version, itemSeq: item.seq, joined: [] })),
        )
        const at = systemClock.now()
        await store.publish({ cursor: last.cursor, publications, itemCounts: new Map(), matches: [], at })
        published += publications.length
      }
    })
    return perUnit(cost, published)
  })
}

/** One member draws, spends and accounts, as often as it can. */
export async function measureDraws(access: ServerAccess): Promise<number> {
  return withStore(access, async ({ grants }) => {
    await grants.setTerms({ budget: { requests: 1e9, perMs: DAY_MS }, factor: 1, burst: 1e6 })
    const draw = (number: number) => grants.draw('bench', { number, left: 0, back: 0, want: 8, least: 1, waitedMs: 0 })
    for (let number = 0; number < 10; number++) await draw(number)
    const cost = await access.meter.cost(async () => {
      for (let number = 10; number < DRAWS + 10; number++) await draw(number)
    })
    return perUnit(cost, DRAWS)
  })
}

/** Bytes of tables and their indices, by row; what is partitioned is the sum of its parts. */
export async function measureTables({ query }: Meter): Promise<UnitCosts['bytesPerRow']> {
  const sizes = new Map<CountedTable, number>()
  for (const table of COUNTED_TABLES) {
    const [row] = await query(
      `SELECT (SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree('${table}')) AS parts,
         pg_total_relation_size('${table}') AS alone, (SELECT count(*) FROM ${table}) AS rows`,
    )
    sizes.set(table, Number(row?.['parts'] ?? row?.['alone']) / Math.max(1, Number(row?.['rows'])))
  }
  return Object.fromEntries(sizes) as UnitCosts['bytesPerRow']
}

async function withStore(
  { url, keyFile }: ServerAccess,
  work: (opened: PostgresStore) => Promise<number>,
): Promise<number> {
  const opened = await openPostgresStore({ url, clock: systemClock, keyFile, connections: 2 })
  try {
    return await work(opened)
  } finally {
    await opened.store.close()
  }
}

function perUnit(cost: Awaited<ReturnType<Meter['cost']>>, units: number): number {
  return cost === null ? 0 : (1_000 * (cost.backendsMs + cost.backgroundMs)) / Math.max(1, units)
}
