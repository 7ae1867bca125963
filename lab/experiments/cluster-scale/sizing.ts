import { connectionsOf } from '../../../src/store/postgres/database/connections.ts'
import type { Table } from '../../report/types.ts'
import type { RowsOfSource } from './day-rows.ts'
import { ASSUMPTIONS, SIZES } from './sizing-config.ts'
import type { CountedTable, UnitCosts } from './unit-costs.ts'

const SECONDS_PER_DAY = 86_400
const MICROS = 1e6
const GIGA = 1e9

interface RowPlan {
  readonly rowsPerDay: number
  /** How long a row stays; null: it is one for each source, however old. */
  readonly keepDays: number | null
}

/** Rows of a source and day, by table, and how long they stay. */
function planRows(load: RowsOfSource): Readonly<Record<CountedTable, RowPlan>> {
  const { keepDays, keyDays, qualityDays, intakeDays, publicationsPerItem } = ASSUMPTIONS
  const { refreshes, withNews, items, hours, hoursWithNews } = load
  const standing = { rowsPerDay: 0, keepDays: null }
  return {
    source: standing,
    source_state: standing,
    source_window: standing,
    source_items: standing,
    model: standing,
    observation: { rowsPerDay: refreshes, keepDays },
    quality_hour: { rowsPerDay: hours, keepDays: qualityDays },
    quality_delay: { rowsPerDay: hoursWithNews, keepDays: qualityDays },
    source_day: { rowsPerDay: Math.min(1, withNews), keepDays: intakeDays },
    item: { rowsPerDay: items, keepDays },
    item_key: { rowsPerDay: items, keepDays: keyDays },
    item_words: { rowsPerDay: items, keepDays },
    // Gone as soon as all have read it.
    buffer_entry: { rowsPerDay: items, keepDays: 0 },
    publication: { rowsPerDay: items * publicationsPerItem, keepDays },
  }
}

export interface Sizing {
  readonly feeds: number
  readonly requestsPerSecond: number
  readonly itemsPerSecond: number
  readonly crawlers: number
  readonly crawlerCores: number
  readonly matcherCores: number
  readonly databaseCores: number
  readonly crawlerGigabytes: number
  readonly databaseGigabytes: number
  readonly diskGigabytes: number
  readonly logGigabytesPerDay: number
  readonly connections: number
}

/** What so many feeds need; docs/sizing.md says how it is worked out. */
function sizeFor(feeds: number, load: RowsOfSource, costs: UnitCosts): Sizing {
  const { crawler, matcher, server, bytesPerRow } = costs
  const { busyShare, publicationsPerItem, diskRoom, drawsPerCrawlerSecond } = ASSUMPTIONS
  const perSecond = (count: number) => (count * feeds) / SECONDS_PER_DAY
  const cores = (micros: number) => perSecond(micros) / MICROS / busyShare
  const { refreshes, withNews, items } = load
  const crawlerCores = cores(refreshes * crawler.cpuMicrosPerRefresh + withNews * crawler.cpuMicrosPerDocument)
  const crawlers = Math.max(1, Math.ceil(crawlerCores))
  const draws = (crawlers * drawsPerCrawlerSecond * server.cpuMicrosPerDraw) / MICROS / busyShare
  const served =
    refreshes * server.cpuMicrosPerRefresh +
    items * (server.cpuMicrosPerItem + publicationsPerItem * server.cpuMicrosPerPublication)
  let standing = 0
  let ofOneDay = 0
  let retained = 0
  for (const [table, { rowsPerDay, keepDays }] of Object.entries(planRows(load))) {
    const bytes = bytesPerRow[table as CountedTable]
    if (keepDays === null) standing += bytes
    else {
      ofOneDay += rowsPerDay * bytes
      retained += rowsPerDay * keepDays * bytes
    }
  }
  return {
    feeds,
    requestsPerSecond: perSecond(refreshes),
    itemsPerSecond: perSecond(items),
    crawlers,
    crawlerCores,
    matcherCores: cores(items * matcher.cpuMicrosPerItem),
    databaseCores: cores(served) + draws,
    crawlerGigabytes: (crawlers * crawler.residentBytes + feeds * crawler.heapBytesPerSource) / GIGA,
    databaseGigabytes: (feeds * (standing + ofOneDay)) / GIGA,
    diskGigabytes: (feeds * (standing + retained) * diskRoom) / GIGA,
    logGigabytesPerDay: (feeds * (refreshes * server.logBytesPerRefresh + items * server.logBytesPerItem)) / GIGA,
    connections: connectionsFor(crawlers),
  }
}

/** Each process listens with one connection more. */
function connectionsFor(crawlers: number): number {
  const { matchers, publishers, apis } = ASSUMPTIONS
  const each = (role: Parameters<typeof connectionsOf>[0][number]) => connectionsOf([role]) + 1
  return crawlers * each('crawler') + matchers * each('matcher') + publishers * each('publisher') + apis * each('api')
}

export function sizingTable(load: RowsOfSource, costs: UnitCosts): Table {
  return {
    title: 'For operators: what so many feeds need',
    columns: [
      'feeds',
      'requests/s',
      'items/s',
      'crawlers',
      'cores: crawlers',
      'matchers',
      'database',
      'memory, GB: crawlers',
      'database, GB',
      'disk, GB',
      'server log, GB a day',
      'connections',
    ],
    rows: SIZES.map((feeds) => Object.values(sizeFor(feeds, load, costs)).map(shown)),
  }
}

export function rowsTable(feeds: number, load: RowsOfSource, { bytesPerRow }: UnitCosts): Table {
  const rows = Object.entries(planRows(load)).flatMap(([table, { rowsPerDay, keepDays }]) => {
    const bytes = bytesPerRow[table as CountedTable]
    const count = rowsPerDay * feeds
    return keepDays === null ? [] : [[table, shown(count), bytes, shown((count * bytes) / GIGA), keepDays]]
  })
  return {
    title: `Rows and bytes a day for ${feeds.toLocaleString('en')} feeds`,
    columns: ['table', 'rows a day', 'bytes a row, with indices', 'GB a day', 'kept, days'],
    rows,
  }
}

/** Two digits: more would pretend that anybody knows them. */
function shown(value: number): number {
  return Number.isInteger(value) && value < 1e4 ? value : Number(value.toPrecision(2))
}
