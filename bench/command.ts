import { Command, InvalidArgumentError } from 'commander'
import type { CliContext } from '../src/cli/context.ts'

type Bench = (options: BenchOptions) => Promise<object>

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
  /** Lines that report the progress. */
  readonly onProgress?: (line: string) => void
}

const BENCHES: Readonly<Record<string, { readonly what: string; readonly load: () => Promise<Bench> }>> = {
  parse: {
    what: 'documents per second from bytes, beside feedsmith; memory over 10,000 documents',
    load: async () => (await import('./parse.ts')).benchParse,
  },
  crawl: {
    what: 'cold and unchanged refresh of 1,000 feeds into SQLite, beside a bare loop; memory with 10,000 sources',
    load: async () => (await import('./crawl.ts')).benchCrawl,
  },
  store: {
    what: 'items per second with full-text index, beside bare inserts; look-ups and searches',
    load: async () => (await import('./store.ts')).benchStore,
  },
  schedule: {
    what: 'scheduling decisions per second and bytes per source, 10 k to 1 M sources',
    load: async () => (await import('./schedule.ts')).benchSchedule,
  },
  live: {
    what: 'a node in virtual time, 2,000 feeds of a trace for a fortnight, beside uniform and Miniflux: spending, delay, loss',
    load: async () => (await import('./live.ts')).benchLive,
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
}

function numbers(text: string): number[] {
  const values = text.split(',').map(Number)
  if (values.some((count) => !Number.isInteger(count) || count < 1))
    throw new InvalidArgumentError('Not whole numbers.')
  return values
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
    .option('--feeds <n>', 'live, live-http, calm: how many feeds', Number)
    .option('--refreshes <n>', 'calm: how many, while everybody asks (default: 20000)', Number)
    .option('--readers <n>', 'calm: feed readers (default: 200)', Number)
    .option('--users <n>', 'calm: users of the API (default: 20)', Number)
    .option('--days <n>', 'live, live-http: virtual days', Number)
    .option('--speed <n>', 'live-http: how many times as fast as real time it runs free (default: 500)', Number)
    .option('--per-day <n,n,…>', 'live: budgets, as refreshes per source and day (default: 24,4)', numbers)
    .option('--strategies <id,id,…>', 'live: which (default: the default strategy, uniform, miniflux)', (text) =>
      text.split(','),
    )
    .option('--progress', 'report progress on standard error, also where that is not a terminal (crawl, live)')
    .option('--archived <n>', 'api, calm: how many items are archived (default: 1000000, 100000)', Number)
    .option('--corpora <dir>', 'folder with real documents (default: ../shared/corpora)')
    .addHelpText('after', `\nBenches:\n${list.join('\n')}\n\nExample:\n  $ headwater bench parse --json`)
    .action(async (name: string, flags: BenchOptions & { readonly progress?: boolean }, command: Command) => {
      const bench = BENCHES[name]
      if (!bench) command.error(`error: no bench "${name}"; there is ${Object.keys(BENCHES).join(', ')}`)
      const run = await bench.load()
      const { progress = context.isTerminal, ...options } = flags
      const onProgress = (line: string) => context.err(`${line}\n`)
      context.out(`${JSON.stringify(await run(progress ? { ...options, onProgress } : options), null, 2)}\n`)
    })
}
