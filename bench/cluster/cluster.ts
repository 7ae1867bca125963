import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../src/runtime/clock.ts'
import { HeadwaterError } from '../../src/runtime/errors.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { roundToPrecision } from '../rounds.ts'
import { postQueries } from './apis.ts'
import { applyBreak } from './breaks.ts'
import { findAtEnd } from './end.ts'
import { type FaultReport, runFaults } from './faults.ts'
import { LoadWatch } from './load.ts'
import { namespaceNetwork } from './namespaces.ts'
import { type Network, plainNetwork } from './network.ts'
import { BREAK_SETTINGS, CLUSTER_DEFAULTS, type ClusterOptions } from './options.ts'
import { queryTexts, SUBSCRIBED } from './queries.ts'
import { LogReader } from './reader.ts'
import { relayNetwork } from './relay.ts'
import { addFeeds, type Closing, openBeside, openDatabase, openSites, startMembers } from './set-up.ts'
import type { Stage } from './stage.ts'
import { type ClusterVerdict, judgeCluster } from './verdict.ts'
import { WATCH } from './watch.ts'

const LOOK_EVERY_MS = 100

export interface BenchClusterOptions extends Partial<ClusterOptions> {
  readonly onProgress?: (line: string) => void
}

/** A cluster of real processes that all kinds of things happen to, and whether it has lost, doubled or overspent anything. */
export async function benchCluster(given: BenchClusterOptions): Promise<object & { readonly verdict: ClusterVerdict }> {
  const { onProgress: say = () => {}, ...rest } = given
  const options = withDefaults(rest)
  const folder = mkdtempSync(join(tmpdir(), 'headwater-cluster-'))
  const closing: Closing = []
  try {
    return await run(options, folder, closing, say)
  } finally {
    for (const close of closing.reverse()) await close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function withDefaults(given: Partial<ClusterOptions>): ClusterOptions {
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const broken = given.break ?? null
  const options: ClusterOptions = { ...CLUSTER_DEFAULTS, ...(broken === null ? {} : BREAK_SETTINGS[broken]), ...set }
  if (options.faults.length > 0 && options.crawlers < 2)
    throw new HeadwaterError('USAGE', 'nobody takes over from a single crawler: give --crawlers 2 or more')
  return options
}

async function run(options: ClusterOptions, folder: string, closing: Closing, say: (line: string) => void) {
  const load = new LoadWatch()
  closing.push(async () => load.stop())
  const network = await openNetwork(options, folder)
  if (network.note !== null) say(network.note)
  closing.push(() => network.close())
  if (options.logFolder !== undefined) mkdirSync(options.logFolder, { recursive: true })
  say('starting a database and sites')
  const [sites, database] = await Promise.all([
    openSites(options, network, closing),
    openDatabase(options, folder, network, closing),
  ])
  const data = await openBeside(database, folder, closing)
  await database.query(WATCH)
  if (options.break !== null) await applyBreak(database, options.break)
  const reader = new LogReader(data)
  await reader.begin()
  closing.push(() => reader.stop())
  const sources = await addFeeds(data, sites)
  say('starting the members')
  const { members, doorOf } = await startMembers({ options, folder, network, database }, closing)
  const api = members.find(({ roles }) => roles.includes('api'))
  const subscription = `SUBSCRIBE TO ${SUBSCRIBED} OUTPUT WEBHOOK "${sites.hookUrl}";`
  await postQueries(api?.url ?? '', `${queryTexts(options.feeds)}\n${subscription}`)
  const random = seededRandom(options.seed)
  const stage: Stage = { options, sites, database, network, members, doorOf, data, load, random, say }
  await untilAllWork(stage)
  const beganMs = systemClock.monotonicMs()
  await sites.ask({ begin: true })
  const reports = await runFaults(stage)
  const { findings, figures } = await findAtEnd(stage, sources, reader, reports)
  const { checks, verdict } = judgeCluster(findings)
  const { crawlers, matchers, publishers, apis, mixed, leaseMs, requestsPerSecond, seed } = options
  return {
    members: { crawlers, matchers, publishers, apis, mixed },
    feeds: options.feeds,
    budget: `${requestsPerSecond}/s`,
    leaseSeconds: leaseMs / 1_000,
    seed,
    break: options.break,
    network: network.how,
    ...(network.note === null ? {} : { note: network.note }),
    seconds: roundToPrecision((systemClock.monotonicMs() - beganMs) / 1_000),
    load: roundToPrecision(loadavg()[0] ?? 0),
    ...figures,
    faults: reports.map((report) => shownFault(report, beganMs)),
    checks,
    verdict,
  }
}

/** Namespaces where they may be made; else bytes are held back between a member and the database. */
async function openNetwork({ faults }: ClusterOptions, folder: string): Promise<Network> {
  if (!faults.includes('partition')) return plainNetwork()
  try {
    return await namespaceNetwork()
  } catch (error) {
    return relayNetwork(folder, `no network namespaces here, members are cut off by a relay: ${error}`)
  }
}

/** Faults are for a cluster that works: all crawlers have their part, and then each feed was asked for. */
async function untilAllWork({ sites, database, options }: Stage): Promise<void> {
  const countOwners = async () => {
    const [row] = await database.query("SELECT count(DISTINCT owner)::int AS n FROM lease WHERE role = 'crawler'")
    return Number(row?.['n'])
  }
  while ((await countOwners()) < options.crawlers) await systemClock.sleep(LOOK_EVERY_MS)
  const sinceMs = systemClock.monotonicMs()
  const countFeeds = async () => {
    const { requests } = await sites.ask({ log: true })
    return new Set(requests.filter(({ fromMs }) => fromMs > sinceMs).map(({ feed }) => feed)).size
  }
  while ((await countFeeds()) < options.feeds) await systemClock.sleep(LOOK_EVERY_MS)
}

function shownFault({ fault, who, atMs, shards, ownedAfterMs, lostMs }: FaultReport, beganMs: number) {
  const inSeconds = (ms: number) => roundToPrecision(ms / 1_000)
  return {
    fault,
    who,
    atSecond: inSeconds(atMs - beganMs),
    shards,
    ownedAgainAfterSeconds: ownedAfterMs === null ? null : inSeconds(ownedAfterMs),
    busySeconds: inSeconds(lostMs),
  }
}
