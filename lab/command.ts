import { Command, Option } from 'commander'
import { DEFAULT_DATA_DIR, option, STORE_OPTION, withSession } from '../src/cli/cli-session.ts'
import type { CliContext } from '../src/cli/context.ts'
import { HeadwaterError } from '../src/runtime/errors.ts'
import type { CompareCommandOptions } from './compare-command.ts'

// Modules are loaded when a command needs them, so that all others start as fast as before.

export function labCommand(context: CliContext): Command {
  return new Command('lab')
    .description('Worlds and experiments: the same code as the live node, on synthetic and recorded feeds')
    .addCommand(listCommand(context))
    .addCommand(runCommand(context))
    .addCommand(compareCommand(context))
    .addCommand(worldCommand())
}

function listCommand(context: CliContext): Command {
  return new Command('list')
    .description('List the experiments with the paper and section that each reproduces')
    .option('--json', 'print as JSON')
    .addHelpText('after', '\nExample:\n  $ headwater lab list')
    .action(async (options: { json?: boolean }) => {
      const { runListCommand } = await import('./experiments/command.ts')
      await runListCommand(options, context)
    })
}

function runCommand(context: CliContext): Command {
  return new Command('run')
    .description("Run experiments, in parallel over the cores, and check the papers' claims")
    .argument('<name...>', 'names as of headwater lab list, or all')
    .option('--seeds <n>', "how many seeds to average over (default: each experiment's own)", option(parseCount))
    .option('--json <file>', 'write the results as JSON; - for standard output')
    .option('--html <file>', 'write one HTML page with plots; - for standard output')
    .addHelpText(
      'after',
      `
Exits with 1 when a claim does not hold.

Examples:
  $ headwater lab run topologies --html report.html
  $ headwater lab run all --html report.html
  $ headwater lab run divergence-error --seeds 5 --json -`,
    )
    .action(async (names: string[], options: object) => {
      const { runRunCommand } = await import('./experiments/command.ts')
      await runRunCommand(names, options, context)
    })
}

function compareCommand(context: CliContext): Command {
  return new Command('compare')
    .description('Compare refresh policies on recorded feeds at equal total requests')
    .requiredOption(
      '--trace <path...>',
      'traces (CSV of source_id,timestamp, plain or gzipped), folders of them, or all: those in shared/traces',
    )
    .addOption(
      new Option('--per-day <list>', 'requests per source and day')
        .argParser(option(parsePositives))
        .default([4, 24], '4,24'),
    )
    .addOption(
      new Option('--window <list>', 'items that a source shows, one comparison each')
        .argParser(option(parseCounts))
        .default([20], '20'),
    )
    .option('--slow', 'also those sources of each trace by themselves that publish less than one item a day')
    .option('--ablations', 'also our strategy with one part left out each')
    .option('--rounding', 'also how much of the gain is the rounding of dates')
    .option('--shipped', 'also the peers as their authors ship them, each beside ours with as many requests')
    .option('--newcomers <n>', 'add so many sources without history, beside known ones', option(parseCount))
    .option(
      '--followed',
      'also under a price that follows the budget day by day, so that nothing is known in hindsight',
    )
    .option(
      '--burst <minutes>',
      'ours under the live scheduler that may save up so much, as 1,60',
      option(parsePositives),
    )
    .option(
      '--policies <list>',
      'only these, as uniform,two-steps (default: all; at windows other than 20 those of the table)',
      parseNames,
    )
    .option(
      '--most-requests <n>',
      'where a run would take more requests, draw so many sources that it does not',
      option(parseCount),
    )
    .option('--seed <n>', 'the same seed, the same figures', option(parseCount), 1)
    .option('--threads <n>', 'how many runs at once (default: one per core)', option(parseCount))
    .option('--results <dir>', 'where figures are stored as they are measured (default: in the cache of the user)')
    .option('--no-results', 'keep and reuse nothing')
    .option('--finished', 'run nothing: report what an earlier run has measured so far')
    .option('--json [file]', 'write as JSON; without a file or with -: to standard output')
    .option('--html <file>', 'write one HTML page with claims, curves and tables; - for standard output')
    .addHelpText(
      'after',
      `
Figures are stored as soon as they are measured: a run that was ended goes on where it was, as long as neither the trace
nor the code behind a figure has changed.

Examples:
  $ headwater lab compare --trace trace.csv.gz --per-day 4,24 --window 20
  $ headwater lab compare --trace a.csv.gz b.csv.gz --policies uniform,two-steps,clairvoyant --html compare.html
  $ headwater lab compare --trace all --per-day 1,3,4,8,24,96 --window 10,20,50 --most-requests 2600000 \\
      --ablations --rounding --newcomers 100 --followed --burst 1,60,1440 \\
      --html compare.html --json compare.json`,
    )
    .action(async (options: CompareCommandOptions) => {
      const { runCompareCommand } = await import('./compare-command.ts')
      await runCompareCommand(options, context)
    })
}

function parseNames(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

function parsePositives(text: string): number[] {
  const values = text.split(',').map(Number)
  if (values.some((value) => !(value > 0) || !Number.isFinite(value))) {
    throw new HeadwaterError('USAGE', `"${text}" is not a list of numbers above 0, as 4,24`)
  }
  return values
}

function parseCount(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1)
    throw new HeadwaterError('USAGE', `"${text}" is not a whole number above 0`)
  return value
}

function parseCounts(text: string): number[] {
  return text.split(',').map(parseCount)
}

function parseHours(text: string): number[] {
  const hours = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
  if (hours.some((hour) => !Number.isInteger(hour) || hour < 0 || hour > 23)) {
    throw new HeadwaterError('USAGE', `"${text}" is not a list of hours from 0 to 23`)
  }
  return hours
}

interface AnalyzeCommandOptions {
  readonly data?: string
  readonly store?: string
  readonly maskHours?: readonly number[]
  readonly json?: boolean
  readonly html?: string
}

export function analyzeCommand(context: CliContext): Command {
  return new Command('analyze')
    .description('How a collection of feeds publishes: activity, periodicity, shapes, rates, hours, windows')
    .argument('[trace]', 'a trace: CSV of source_id,timestamp, plain or gzipped')
    .option('--data <dir>', `the archive of a node instead of a trace (usually ${DEFAULT_DATA_DIR})`)
    .option(...STORE_OPTION)
    .option('--mask-hours <hours>', 'hours of the day (UTC) to leave out of patterns, as 22,23', option(parseHours))
    .option('--json', 'print as JSON')
    .option('--html <file>', 'also write one HTML page with plots')
    .addHelpText(
      'after',
      `
Examples:
  $ headwater analyze trace.csv.gz
  $ headwater analyze trace.csv.gz --html collection.html
  $ headwater analyze --data ${DEFAULT_DATA_DIR} --json`,
    )
    .action(async (trace: string | undefined, options: AnalyzeCommandOptions, command: Command) => {
      if ((trace === undefined) === (options.data === undefined && options.store === undefined)) {
        throw new HeadwaterError('USAGE', 'give either a trace file or --data DIR (or --store URL)')
      }
      if (options.html !== undefined) await (await import('./files.ts')).checkWritable(options.html)
      const { runAnalyze } = await import('./analysis/report.ts')
      const { html, json, maskHours } = options
      const shared = {
        ...(html === undefined ? {} : { html }),
        ...(json ? { json } : {}),
        ...(maskHours === undefined ? {} : { maskedHours: maskHours }),
        write: context.out,
      }
      if (trace !== undefined) return runAnalyze({ trace, ...shared })
      await withSession(command, context, async ({ data }) => {
        const { collectedFrom } = await import('./collected.ts')
        await runAnalyze({ sources: await collectedFrom(data.store), name: data.name, ...shared })
      })
    })
}

function worldCommand(): Command {
  const number = option((text) => {
    const value = Number(text)
    if (text.trim() === '' || !(value >= 0)) throw new HeadwaterError('USAGE', `"${text}" is not a number`)
    return value
  })
  return new Command('world')
    .description('Serve synthetic feeds on loopback, until Ctrl-C')
    .option('--feeds <n>', 'how many (default: 100)', number)
    .option('--window <w>', 'items that a feed shows (default: 20)', number)
    .option('--items <n>', 'mean items per feed and virtual day (default: 20)', number)
    .option('--speed <factor>', 'virtual seconds per second; 0: time stands still (default: 1)', number)
    .option('--seed <n>', 'the same seed, the same world (default: 1)', number)
    .option('--odd <share>', 'share of feeds with bad habits, 0 to 1 (default: 0)', number)
    .option('--per-host <n>', 'feeds under one host name (default: 1)', number)
    .option('--pages <n>', 'older pages per feed (default: 0)', number)
    .addOption(
      new Option('--page-style <style>', 'how they are offered (default: paged)').choices([
        'paged',
        'archive',
        'wordpress',
      ]),
    )
    .option('--max-age <seconds>', 'Cache-Control of the feeds', number)
    .option('--port <n>', 'port (default: any free one)', number)
    .option('--trace <file>', 'the sources of a trace instead of generated ones')
    .option('--demo', 'the world of headwater serve --demo')
    .option('--json', 'one line of JSON when ready')
    .addHelpText('after', '\nExample:\n  $ headwater lab world --feeds 1000 --speed 60')
    .action(async (options: object) => {
      const { runWorldCommand } = await import('./worlds/command.ts')
      await runWorldCommand(options)
    })
}
