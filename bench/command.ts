import { Command, InvalidArgumentError, Option } from 'commander'
import type { CliContext } from '../src/cli/context.ts'
import { HeadwaterError } from '../src/runtime/errors.ts'
import { BREAKS, type Break, CLUSTER_FAULTS, type Fault } from './cluster/options.ts'

/** What has a verdict fails where a claim of it does not hold, after its figures are printed. */
type Bench = (options: BenchOptions) => Promise<object & { readonly verdict?: Verdict }>

interface BenchOptions {
  readonly rounds?: number
  readonly corpora?: string
  readonly queries?: readonly number[]
  readonly sources?: readonly number[]
  readonly trace?: string
  readonly feeds?: number
  readonly days?: number
  readonly speed?: number
  readonly archived?: number
  readonly perDay?: readonly number[]
  readonly strategies?: readonly string[]
  readonly refreshes?: number
  readonly readers?: number
  readonly users?: number
  readonly store?: string
  readonly seconds?: number
  readonly warmUp?: number
  readonly terminals?: number
  readonly atOnce?: number
  readonly changed?: number
  readonly touched?: number
  readonly sameTitles?: number
  readonly latency?: number
  readonly lookUp?: 'article' | 'feed'
  readonly roundTrip?: number
  readonly crawlers?: number
  readonly matchers?: number
  readonly publishers?: number
  readonly apis?: number
  readonly faults?: readonly Fault[]
  readonly break?: Break
  readonly seed?: number
  /** Lines that tell how far it is. */
  readonly onProgress?: (line: string) => void
}

const BENCHES: Readonly<Record<string, { readonly what: string; readonly load: () => Promise<Bench> }>> = {
  parse: {
    what: 'documents per second from bytes, beside feedsmith; memory over 10,000 documents',
    load: async () => (await import('./parse.ts')).benchParse,
  },
  articles: {
    what: 'CPU time of an article page, from bytes to text, title, author, date and language; memory over 1,000 pages',
    load: async () => (await import('./articles.ts')).benchArticles,
  },
  crawl: {
    what: 'cold and unchanged refresh of 1,000 feeds into SQLite, beside a bare loop; memory with 10,000 sources',
    load: async () => (await import('./crawl.ts')).benchCrawl,
  },
  store: {
    what: 'items per second with full-text index, beside bare inserts; look-ups and searches; or what a PostgreSQL server needs',
    load: async () => (await import('./store.ts')).benchStore,
  },
  costs: {
    what: 'what a refresh, an item, a row and a source cost over PostgreSQL, for `lab run cluster-scale`',
    load: async () => (await import('./costs.ts')).benchCosts,
  },
  schedule: {
    what: 'scheduling decisions per second and bytes per source, 10 k to 1 M sources',
    load: async () => (await import('./schedule.ts')).benchSchedule,
  },
  live: {
    what: 'a node in virtual time, 2,000 feeds of a trace for a fortnight, beside uniform and Miniflux: spending, delay, loss',
    load: async () => (await import('./live.ts')).benchLive,
  },
  push: {
    what: 'two nodes with push: from the fetch of the one to the feed of the other; one item to many subscribers of the hub',
    load: async () => (await import('./push.ts')).benchPush,
  },
  'live-http': {
    what: 'live against lab: 50 feeds of a trace over real HTTP, in lock-step and free at speed, beside the simulator',
    load: async () => (await import('./live-http.ts')).benchLiveHttp,
  },
  api: {
    what: 'the overview and lists of the API with a million archived items, beside an empty archive',
    load: async () => (await import('./api.ts')).benchApi,
  },
  calm: {
    what: 'turns of the event loop while a node crawls and many clients send requests; phrases beside FTS5; a page of items',
    load: async () => (await import('./calm.ts')).benchCalm,
  },
  readers: {
    what: 'CPU time of what reader apps ask for over a million items, beside bare SQL; refreshes while 200 of them synchronise; with a verdict',
    load: async () => (await import('./readers.ts')).benchReaders,
  },
  match: {
    what: 'items per second against 1,000 to 100,000 queries, beside naive evaluation and FTS5',
    load: async () => (await import('./match.ts')).benchMatch,
  },
  web: {
    what: 'the dashboard in Chromium: first load; scrolling and sorting a table of 50,000 sources',
    load: async () => (await import('./web.ts')).benchWeb,
  },
  join: {
    what: 'items per second through a join with a window of 24 hours and 100,000 items; memory of the window',
    load: async () => (await import('./join.ts')).benchJoin,
  },
  terminals: {
    what: 'Figure 3 of advaRSS: 793 feeds updated one by one, by terminals, by terminals with local checks; with a verdict',
    load: async () => (await import('./terminals.ts')).benchTerminals,
  },
  cluster: {
    what: 'a cluster of real processes that are killed, stopped and cut off: is anything lost, doubled or overspent; with a verdict',
    load: async () => (await import('./cluster/cluster.ts')).benchCluster,
  },
}

const EXAMPLES = `  $ headwater bench parse --json
  $ headwater bench terminals --json --progress
  $ headwater bench terminals --feeds 100 --terminals 4 --rounds 1 --json
  $ headwater bench terminals --same-titles 0.2 --json     what is lost by knowing items by their titles
  $ headwater bench cluster --crawlers 3 --matchers 2 --apis 2 --seconds 300 --json --progress
  $ headwater bench cluster --faults kill,stop --break fence --json     without a protection: it must fail`

function numbers(text: string): number[] {
  const values = text.split(',').map(Number)
  if (values.some((count) => !Number.isInteger(count) || count < 1))
    throw new InvalidArgumentError('Not whole numbers.')
  return values
}

function count(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('Not a whole number from 1 on.')
  return value
}

function faultList(text: string): Fault[] {
  const names = text.split(',').filter((name) => name !== 'none')
  return names.map((name) => {
    const fault = CLUSTER_FAULTS.find((one) => one === name)
    if (fault === undefined) throw new InvalidArgumentError(`There are ${CLUSTER_FAULTS.join(', ')}, and none.`)
    return fault
  })
}

function share(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !(value >= 0 && value <= 1)) throw new InvalidArgumentError('Not a share from 0 to 1.')
  return value
}

function milliseconds(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !(value >= 0)) throw new InvalidArgumentError('Not a number of milliseconds.')
  return value
}

export function benchCommand(context: CliContext): Command {
  const list = Object.entries(BENCHES).map(([name, { what }]) => `  ${name.padEnd(11)}${what}`)
  return new Command('bench')
    .description('Measure: figures as JSON, ratios against a baseline in the same run')
    .argument('<name>', Object.keys(BENCHES).join(', '))
    .option('--json', 'print JSON (it always does; said for clarity in scripts)')
    .option('--rounds <n>', 'interleaved rounds to take the median of (at least 5)', Number)
    .option('--queries <n,n,…>', 'match: how many queries are registered (default: 1000,10000,100000)', numbers)
    .option('--sources <n,n,…>', 'schedule: how many sources (default: 10000,100000,1000000)', numbers)
    .option('--trace <file>', 'live, live-http: CSV of source_id,timestamp (default: ../shared/traces/rss-2024)')
    .option('--feeds <n>', 'live, live-http, calm, costs, readers, terminals, cluster: how many feeds', Number)
    .option('--refreshes <n>', 'calm: how many, while everybody asks (default: 20000)', Number)
    .option(
      '--readers <n>',
      'calm: feed readers, readers: apps that synchronise (default: 200); push: subscribers (10,000)',
      Number,
    )
    .option('--users <n>', 'calm: users of the API (default: 20)', Number)
    .option(
      '--store <url>',
      'store, costs, terminals: postgres://…, an empty database to work in; it is empty again afterwards',
    )
    .option(
      '--seconds <n>',
      'store with --store: how long eight processes write (default: 10); cluster: how long things happen (default: 300); readers: how long apps synchronise (default: 60)',
      Number,
    )
    .option('--warm-up <share>', 'calm: of what readers and users ask, before it is measured (default: 0.25)', Number)
    .option('--days <n>', 'live, live-http: virtual days', Number)
    .option('--speed <n>', 'live-http: how many times as fast as real time it runs free (default: 500)', Number)
    .option('--per-day <n,n,…>', 'live: budgets, as refreshes per source and day (default: 24,4)', numbers)
    .option('--strategies <id,id,…>', 'live: which (default: the default strategy, uniform, miniflux)', (text) =>
      text.split(','),
    )
    .option('--progress', 'report progress on standard error, also where that is not a terminal (crawl, live)')
    .option(
      '--archived <n>',
      'api, calm, readers: how many items are archived (default: 1000000, 100000, 1000000)',
      Number,
    )
    .option('--terminals <n>', 'terminals: how many processes fetch (default: 8)', count)
    .option('--at-once <n>', 'terminals: feeds that each of them fetches at once (default: 4)', count)
    .option('--changed <share>', 'terminals: feeds with news in a round (default: 0.01)', share)
    .option('--touched <share>', 'terminals: feeds with another document and no news (default: 0.1)', share)
    .option('--same-titles <share>', 'terminals: new items with the title of the one before (default: 0)', share)
    .option('--latency <ms>', 'terminals: median of what a site takes to answer (default: 100)', milliseconds)
    .addOption(
      new Option('--look-up <how>', 'terminals: one statement for each article, as in the paper, or for each feed')
        .choices(['article', 'feed'])
        .default('article'),
    )
    .option('--round-trip <ms>', 'terminals: waited for before each statement (default: 0)', milliseconds)
    .option('--crawlers <n>', 'cluster: how many (default: 3)', count)
    .option('--matchers <n>', 'cluster: how many (default: 2)', count)
    .option('--publishers <n>', 'cluster: how many (default: 2)', count)
    .option('--apis <n>', 'cluster: how many (default: 2)', count)
    .option('--faults <kind,kind,…>', `cluster: which (default: all): ${CLUSTER_FAULTS.join(', ')}, none`, faultList)
    .addOption(new Option('--break <what>', 'cluster: without this protection the verdict must fail').choices(BREAKS))
    .option('--seed <n>', 'cluster: of what happens when (default: 1)', count)
    .option('--corpora <dir>', 'folder with real documents (default: ../shared/corpora)')
    .addHelpText('after', `\nBenches:\n${list.join('\n')}\n\nExamples:\n${EXAMPLES}`)
    .action(async (name: string, flags: BenchOptions & { readonly progress?: boolean }, command: Command) => {
      const bench = BENCHES[name]
      if (!bench) command.error(`error: no bench "${name}"; there is ${Object.keys(BENCHES).join(', ')}`)
      const run = await bench.load()
      const { progress = context.isTerminal, ...options } = flags
      const onProgress = (line: string) => context.err(`${line}\n`)
      const figures = await run(progress ? { ...options, onProgress } : options)
      context.out(`${JSON.stringify(figures, null, 2)}\n`)
      const failed = failedClaims(figures)
      if (failed.length > 0) throw new HeadwaterError('LAB_CLAIM_FAILED', failed.join('; '))
    })
}

interface Verdict {
  readonly claims: readonly { readonly text: string; readonly holds: boolean }[]
}

function failedClaims({ verdict }: { readonly verdict?: Verdict }): readonly string[] {
  return (verdict?.claims ?? []).flatMap(({ text, holds }) => (holds ? [] : [text]))
}
