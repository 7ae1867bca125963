import { GRANT_WINDOW_MS } from '../../src/cluster/grants.ts'
import { type DurationMs, SECOND_MS, type SourceId } from '../../src/model/index.ts'
import { countDifferences } from './apis.ts'
import type { FaultReport } from './faults.ts'
import {
  compareArchive,
  compareContents,
  compareMessages,
  expectedContents,
  readArchive,
  readContents,
} from './findings.ts'
import { parsedQueries, SUBSCRIBED } from './queries.ts'
import type { LogReader } from './reader.ts'
import { busiestSpan, crowdedRequests, type SiteRequest } from './requests.ts'
import { settle } from './settle.ts'
import type { Stage } from './stage.ts'
import type { ClusterFindings } from './verdict.ts'

/** A process that went on after it stood still sends what it was about to send. */
const ON_ITS_WAY_MS = 100

export interface Ending {
  readonly findings: ClusterFindings
  readonly figures: {
    readonly items: number
    readonly publications: number
    readonly messages: number
    readonly requests: number
    /** Of those that stood still in the middle of one: no clock keeps what was begun before. */
    readonly requestsOnTheirWay: number
  }
}

/** Nothing new comes any more: waits until all is done that will be, and counts what is not. */
export async function findAtEnd(
  stage: Stage,
  sources: readonly SourceId[],
  reader: LogReader,
  reports: readonly FaultReport[],
): Promise<Ending> {
  const { sites, data, load, members, options, say } = stage
  const { store } = data
  const { published } = await sites.ask({ end: true })
  const total = published.reduce((sum, count) => sum + count, 0)
  const wait = (countLeft: () => Promise<number>) => settle(load, options.patienceMs, countLeft)
  say(`waiting for the last of ${total} items`)
  await wait(async () => Math.abs(total - (await store.counts()).items))
  const archive = await readArchive(store)
  const { lost, doubled } = compareArchive(archive, sources, published)
  const outOfSight = await wait(async () => archive.filter(({ seq }) => !reader.seen.has(seq)).length)
  say('comparing query feeds with the plain evaluator')
  const expected = await expectedContents(store, archive, parsedQueries(options.feeds))
  const queryFeedErrors = await wait(async () => compareContents(await readContents(store), expected))
  const toSend = expected.get(SUBSCRIBED)?.length ?? 0
  const messagesOf = async () => compareMessages((await sites.ask()).messages, toSend)
  await wait(async () => (await messagesOf()).missing)
  const { missing, renamed } = await messagesOf()
  const apis = members.filter(({ roles }) => roles.includes('api')).map(({ url }) => url)
  const etagsDifferent = await wait(() => countDifferences(apis, ['all', ...expected.keys()]))
  const { requests, messages } = await sites.ask({ log: true })
  const onTheirWay = requests.filter((one) => isOnItsWay(one, reports))
  const counted = requests.filter((one) => !onTheirWay.includes(one))
  const busiest = busiestSpan(counted, SECOND_MS, (atMs) => allowedAt(stage, atMs))
  const { owned, within } = longestWithoutOwner(reports, options.leaseMs)
  return {
    findings: {
      itemsLost: lost,
      itemsDoubled: doubled,
      itemsOutOfSight: outOfSight,
      gapsInNumbers: (await store.lastItemSeq()) - archive.length,
      itemsCountedTwice: (await numberOf(stage, 'SELECT sum(new_items) AS n FROM observation')) - archive.length,
      refreshesSetBack: await numberOf(stage, 'SELECT count(*) AS n FROM bench_set_back'),
      queryFeedErrors,
      messagesMissing: missing,
      messagesRenamed: renamed,
      requestsInOneSecond: busiest.requests,
      requestsAllowed: busiest.atMost,
      requestsCrowded: crowdedRequests(counted).length,
      ownedAfterMs: owned,
      ownedWithinMs: within,
      etagsDifferent,
    },
    figures: {
      items: archive.length,
      publications: [...expected.values()].reduce((sum, seqs) => sum + seqs.length, 0),
      messages: messages.length,
      requests: requests.length,
      requestsOnTheirWay: onTheirWay.length,
    },
  }
}

async function numberOf({ database: { query } }: Stage, sql: string): Promise<number> {
  return Number((await query(sql))[0]?.['n'] ?? 0)
}

/**
 * The budget of a second, by the sites' clock. What was paid for goes out a moment later, and on a busy machine a longer one: so
 * much of the time before may have come along.
 */
function allowedAt({ options: { requestsPerSecond }, load }: Stage, atMs: DurationMs): number {
  const delayMs = load.worstBetween(atMs - SECOND_MS - GRANT_WINDOW_MS, atMs)
  return requestsPerSecond + Math.ceil((requestsPerSecond * delayMs) / SECOND_MS)
}

/** Of a process that stood still: it was begun before. */
function isOnItsWay({ by, fromMs }: SiteRequest, reports: readonly FaultReport[]): boolean {
  return reports.some(
    ({ who, continuedMs }) =>
      continuedMs !== null && by.startsWith(`${who}#`) && fromMs >= continuedMs && fromMs < continuedMs + ON_ITS_WAY_MS,
  )
}

/** The one that comes nearest to what is too long: a lease and a second, and what the machine took away. */
function longestWithoutOwner(reports: readonly FaultReport[], leaseMs: DurationMs) {
  let worst = { owned: 0, within: leaseMs + SECOND_MS }
  for (const { ownedAfterMs, lostMs } of reports) {
    const within = leaseMs + SECOND_MS + lostMs
    if (ownedAfterMs !== null && ownedAfterMs - within > worst.owned - worst.within)
      worst = { owned: ownedAfterMs, within }
  }
  return worst
}
