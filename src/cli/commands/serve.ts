import { Command } from 'commander'
import { parseRoles, type RoleName } from '../../app/data/role-names.ts'
import { maskPassword } from '../../app/data/store-url.ts'
import type { NodeOptions, RunningNode } from '../../app/node.ts'
import type { Config } from '../../app/settings/config.ts'
import { DAY_MS } from '../../model/index.ts'
import { readCode } from '../../runtime/read-code.ts'
import { configFor, DATA_OPTION, DEFAULT_DATA_DIR, environmentFor, option, STORE_OPTION } from '../cli-session.ts'
import type { CliContext } from '../context.ts'
import { shellWord } from '../data-option.ts'

/** A world of feeds to look at without the internet; made by lab/, which src/ does not know. */
export interface Demo {
  readonly opmlUrl: string
  readonly sources: readonly {
    readonly url: string
    readonly name: string | null
    readonly categories: readonly string[]
  }[]
  /** Statements that make some query feeds. */
  readonly queries: string
  /** Who sits at the machine is this user, without a password. */
  readonly visitor: string
  close(): Promise<void>
}

/** Parts of the program that src/ does not know. */
export interface ServeParts {
  /** Gives a new data folder a past, too. */
  readonly startDemo: (config: Config) => Promise<Demo>
  readonly lab?: NodeOptions['lab']
}

export function serveCommand(context: CliContext, parts: ServeParts): Command {
  return new Command('serve')
    .description('Run the node: crawl the sources and serve the feeds')
    .option(...DATA_OPTION)
    .option(...STORE_OPTION)
    .option(
      '--role <roles>',
      'parts of the node that this process is: all, or some of crawler, matcher, publisher, api (default: all)',
      option(parseRoles),
    )
    .option('--port <n>', 'port to serve on (default: 8080)')
    .option('--host <address>', 'address to serve on (default: 127.0.0.1, this machine only)')
    .option('--budget <n/period>', 'requests to spend, as 60/min or 5000/day (default: 60/min)')
    .option(
      '--burst <n>',
      'what saved-up budget may buy at once, as 200 (requests) or 1h (of budget) (default: 15min; of a budget per day all)',
    )
    .option('--min-interval <duration>', 'no source more often than this, whatever the budget (default: 5min)')
    .option('--max-interval <duration>', 'and no source less often (default: 4d)')
    .option('--strategy <name>', 'how to spend it: foresight, two-steps, uniform … (default: foresight)')
    .option(
      '--threshold <form>',
      'decide by a price that meets the budget, or in cycles: price, thesis (default: price)',
    )
    .option('--cycle <duration>', 'length of those cycles (default: 10min)')
    .option('--estimator <name>', 'publication model of strategies that need one (default: that of its authors)')
    .option(
      '--quality <wish>',
      'hold "delay<15min" or "completeness>0.999" with the least budget; --budget is the most',
    )
    .option('--learning <way>', 'what teaches the models: online, separate, freeze or repeated (default: online)')
    .option(
      '--learning-share <share>',
      'of the budget, for requests to all sources in turn (default: 0 online, 0.2 separate, 1 while a period lasts)',
    )
    .option('--explore-share <share>', 'of the budget, for first looks while others wait (default: 0.5)')
    .option('--page-share <share>', 'of the budget, for pages of items at most; 0: none (default: 0.2)')
    .option('--learn-for <duration>', 'length of a period of learning, with freeze and repeated (default: 4d)')
    .option('--learn-every <duration>', 'from one such period to the next, with repeated (default: 28d)')
    .option('--archive-share <share>', 'what a source that nobody reads counts, against 1 (default: 0.1)')
    .option('--reader-weight <how>', 'how readers weigh a source: logarithm or linear (default: logarithm)')
    .option('--believe-subscribers <n>', 'readers that a program counts for at most if it says so (default: 0, one)')
    .option(
      '--after-loss <when>',
      'look again sooner after a loss: sooner, or as the strategy has it (default: sooner)',
    )
    .option('--costs <unit>', 'what a request costs: requests, bytes or time (default: requests)')
    .option('--concurrency <n>', 'refreshes under way at once, over all hosts (default: 32)')
    .option('--host-concurrency <n>', 'requests under way at one host (default: 2)')
    .option('--host-spacing <duration>', 'shortest time between two requests to one host (default: 1s)')
    .option('--allow-range <ranges>', 'also fetch from these addresses: CIDR, loopback, private; comma separated')
    .option('--timeout <duration>', 'longest time for one request with all its redirects (default: 60s)')
    .option('--max-body <size>', 'largest document, after decompression (default: 15MiB)')
    .option('--user-agent <text>', 'how to introduce ourselves to sites')
    .option('--contact <address>', 'whom sites can write to: a web or mail address, sent in the user agent')
    .option('--feed-items <n>', 'items in a published feed (default: 100)')
    .option('--image-proxy', 'readers load pictures of items from this node, which fetches them')
    .option('--keep-for <duration>', 'remove items first seen longer ago (default: keep for ever)')
    .option('--keep-items <n>', 'keep at most so many items of each source (default: all)')
    .option('--max-data <size>', 'fetch nothing while the data folder is larger, as 20GiB (default: no limit)')
    .option('--output-dir <dir>', 'files of subscriptions go below this folder (default: files in the data folder)')
    .option('--key-file <path>', 'key that seals log-ins of sources (default: headwater.key in the data folder)')
    .option('--check-every <duration>', 'look through the database for damage; 0: never (default: 4d)')
    .option('--smtp-url <url>', 'mail server for subscriptions by mail, as smtp://user:password@host:587')
    .option('--mail-from <address>', 'sender of that mail (default: headwater@localhost)')
    .option('--smtp-in <address>', 'take letters for sources here, as 127.0.0.1:2525 (default: none are taken)')
    .option('--mail-domain <domain>', 'what stands behind the @ of such sources (default: the host of --public-url)')
    .option('--max-letter <size>', 'largest letter, with its attachments (default: 10MiB)')
    .option('--smtp-in-cert <path>', 'certificate for letters over TLS, with --smtp-in-key (default: no TLS)')
    .option('--smtp-in-key <path>', 'its key')
    .option('--webhook-timeout <duration>', 'longest time for one message to a webhook (default: 15s)')
    .option('--max-connections <n>', 'connections at once; idle ones make room (default: 1000)')
    .option('--max-connections-per-address <n>', 'of one address, loopback and proxies excepted (default: 100)')
    .option('--trust-proxy <ranges>', 'believe X-Forwarded-For of these proxies: CIDR, loopback, private')
    .option('--public-url <url>', 'address of this node for readers elsewhere')
    .option('--log-level <level>', 'debug, info, warn, error or silent (default: info)')
    .option('--demo', 'look at a node that has followed a synthetic world for three weeks, without the internet')
    .addHelpText(
      'after',
      `
Examples:
  $ headwater serve
  $ headwater serve --data ~/feeds --budget 5000/day --port 9000
  $ headwater serve --demo
  $ headwater serve --store postgres://me@db.example.org/feeds --role crawler
  $ headwater serve --store postgres://me@db.example.org/feeds --role api,publisher

Every option can also be set in the environment (HEADWATER_BUDGET=5000/day), and all but --data, --store and
--role in headwater.json in the data folder ({"budget": "5000/day"}).`,
    )
    .action(async (options: { demo?: boolean; data?: string }, command: Command) => {
      await serve(context, command, options.demo === true, parts)
    })
}

/** What stays while a node is started again and again. */
interface Serving {
  readonly context: CliContext
  readonly command: Command
  readonly parts: ServeParts
  readonly roles: readonly RoleName[]
  readonly demo: Demo | null
}

async function serve(context: CliContext, command: Command, isDemo: boolean, parts: ServeParts): Promise<void> {
  const roles = rolesFor(command, context)
  const settingsNow = async () => {
    const base = await configFor(command, context)
    return isDemo ? { ...base, ...demoSettings(base, command) } : base
  }
  const demo = isDemo ? await parts.startDemo(await settingsNow()) : null
  const serving = { context, command, parts, roles, demo }
  try {
    let port: number | null = null
    for (let ends: End = 'again'; ends === 'again'; ) {
      // Read again each time: a backup brings its own settings.
      const config = await settingsNow()
      const run = await serveOnce({ ...config, port: port ?? config.port }, serving)
      ends = run.ends
      port = run.port
    }
  } finally {
    await demo?.close()
  }
}

type End = 'again' | 'for good'

/** Until the node is to end, or to begin again: a backup was restored, or the disk can be written again. */
async function serveOnce(
  config: Config,
  { context, command, parts, roles, demo }: Serving,
): Promise<{ readonly ends: End; readonly port: number }> {
  const environment = await environmentFor(config, context)
  const { startNode } = await readCode(() => import('../../app/node.ts'))
  const { givenElsewhere } = await import('../../app/settings/config.ts')
  const { placeOf } = await import('../../app/data/data.ts')
  const place = placeOf(config)
  const isNew = !(await place.exists())
  let restart = () => {}
  const again = new Promise<End>((resolve) => {
    restart = () => resolve('again')
  })
  const node = await startNode(config, environment, {
    roles,
    origins: givenElsewhere(command.optsWithGlobals(), context.env),
    ownerPassword: context.env.HEADWATER_OWNER_PASSWORD,
    // It reads the database as a file.
    lab: config.store === undefined ? (parts.lab ?? null) : null,
    ...(demo && { visitor: demo.visitor }),
    onRestart: () => restart(),
  })
  const { serviceManager } = await import('../service-manager.ts')
  const manager = serviceManager(context.env, context.clock)
  const { listenForSurprises } = await import('../../runtime/surprises.ts')
  const stopListening = listenForSurprises(node.surprise)
  try {
    const where = dataDirOption(config, command)
    if (demo) await followDemo(demo, node, where, context)
    if (isNew) context.out(`A new node: nothing was in ${place.name}\n`)
    await sayHello(node, { roles, place: place.name, where }, context)
    if (roles.includes('api')) await warnOfPlainHttp(config, context)
    await manager.ready()
    const ends = await Promise.race([node.failed, again, aborted(context.signal)])
    if (ends === 'again') context.out('Starting again …\n')
    return { ends, port: node.port }
  } finally {
    await manager.stopping()
    await node.stop()
    stopListening()
  }
}

function rolesFor(command: Command, { env }: CliContext): readonly RoleName[] {
  const { role } = command.opts<{ role?: readonly RoleName[] }>()
  return role ?? parseRoles(env.HEADWATER_ROLE ?? 'all')
}

/** What other commands need to work on the same data, with a blank before it; empty: nothing. */
function dataDirOption({ dataDir, store }: Config, command: Command): string {
  const isUsual = dataDir === DEFAULT_DATA_DIR && command.opts().data === undefined
  const folder = isUsual ? '' : ` --data ${shellWord(dataDir)}`
  return store === undefined ? folder : `${folder} --store ${shellWord(maskPassword(store))}`
}

interface Served {
  readonly roles: readonly RoleName[]
  readonly place: string
  /** See dataDirOption. */
  readonly where: string
}

async function sayHello(node: RunningNode, { roles, place, where }: Served, context: CliContext): Promise<void> {
  const { sources } = await node.data.store.counts()
  const isServing = roles.includes('api')
  const work = isServing ? `serves on ${node.url}` : `runs as ${roles.join(', ')}`
  context.out(`Headwater ${work} (data in ${place}, ${sources} sources)\n`)
  if (!isServing) return
  if (node.smtpPort !== null) context.out(`Letters are taken on port ${node.smtpPort}\n`)
  const hasOwner = (await node.data.store.users()).some(({ role }) => role === 'owner')
  if (!hasOwner) context.out('Nobody owns it yet. Open the address on this machine and choose a password.\n')
  if (sources === 0) context.out(`No sources yet. Add one:  npx headwater source add https://example.org/${where}\n`)
}

/** Said at every start: passwords and tokens can be read on the way. */
async function warnOfPlainHttp(config: Config, context: CliContext): Promise<void> {
  const { isPlainBeyondLoopback, PLAIN_HTTP_HINT } = await import('../../app/doctor/network-checks.ts')
  if (isPlainBeyondLoopback(config)) context.err(`Warning: others reach it by plain HTTP. ${PLAIN_HTTP_HINT}\n`)
}

/** Scarce for some sixty feeds, so that choosing matters. */
const DEMO_BUDGET = { requests: 480, perMs: DAY_MS }

/** The demo has a folder of its own and may fetch from loopback. */
function demoSettings(base: Config, command: Command) {
  const options = command.opts()
  const isNamed = (options.data ?? options.store) !== undefined
  return {
    dataDir: isNamed ? base.dataDir : `${base.dataDir}/demo`,
    allowRange: [...base.allowRange, 'loopback'],
    ...(options.budget === undefined ? { budget: DEMO_BUDGET } : {}),
  }
}

async function followDemo(demo: Demo, node: RunningNode, option: string, context: CliContext): Promise<void> {
  const { importSources } = await import('../../app/sources/import-sources.ts')
  // The world listens on another port each time, so sources of an earlier demo lead nowhere.
  const urls = new Set(demo.sources.map((source) => source.url))
  for (const source of await node.data.store.sources()) {
    if (!urls.has(source.url)) await node.data.store.removeSource(source.id)
  }
  const { added, known } = await importSources(demo.sources, node.data.store, context.clock.now())
  context.out(`Demo: following ${added + known} synthetic feeds (${demo.opmlUrl})\n`)
  const { applyQueries } = await import('../../app/queries/apply.ts')
  const done = await applyQueries(demo.queries, node.data.store, { now: context.clock.now(), replace: true })
  context.out(`Demo: query feeds ${done.map(({ name }) => name).join(', ')} (see \`headwater query list${option}\`)\n`)
}

function aborted(signal: AbortSignal): Promise<End> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve('for good')
    else signal.addEventListener('abort', () => resolve('for good'), { once: true })
  })
}
