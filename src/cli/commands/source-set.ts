import type { SingleBar } from 'cli-progress'
import { Command } from 'commander'
import { changeSourceAndRefresh } from '../../app/crawling/intake.ts'
import { findSourceByName, shownName } from '../../app/sources/import-sources.ts'
import { refusalInWords } from '../../crawler/intake/words.ts'
import { isForLetters, type Source } from '../../model/index.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { normalizeSourceUrl } from '../../sources/source-url.ts'
import type { Store } from '../../store/store.ts'
import { recordLocalActions } from '../audit-entry.ts'
import { type CliSession, withSession } from '../cli-session.ts'
import type { CliContext } from '../context.ts'
import { JSON_OPTION, type JsonOption, json } from '../output.ts'
import { progressBars } from '../progress-bars.ts'
import { type SettingOptions, settingsFrom, withSettingOptions } from './source-settings.ts'
import { sourceJson, stateInWords } from './source-show.ts'

interface SetOptions extends SettingOptions {
  readonly url?: string
  readonly pause?: boolean
  readonly resume?: boolean
  readonly json?: boolean
}

export function sourceSetCommand(context: CliContext): Command {
  return withSettingOptions(new Command('set'))
    .description('Change the settings of a source')
    .argument('<source>', 'number or address')
    .option('--url <address>', 'its new address')
    .option('--pause', 'do not refresh it until resumed')
    .option('--resume', 'refresh it again')
    .option('--json', 'print the source as JSON')
    .addHelpText(
      'after',
      `
Examples:
  $ headwater source set 3 --name "The Daily" --category News --interval 15min
  $ headwater source set 3 --interval auto --pause
  $ headwater source set 3 --allowance off`,
    )
    .action(async (name: string, options: SetOptions, command: Command) =>
      withSession(command, context, (session) => runSet(session, context, name, options)),
    )
}

async function runSet({ data }: CliSession, context: CliContext, name: string, options: SetOptions): Promise<void> {
  const { id } = await findSourceByName(name, data.store)
  const patch = {
    ...settingsFrom(options),
    ...(options.url === undefined ? {} : { url: normalizeSourceUrl(options.url) }),
    ...(options.pause ? { paused: true } : options.resume ? { paused: false } : {}),
  }
  if (Object.keys(patch).length === 0) throw new HeadwaterError('USAGE', 'nothing to set; see --help')
  const source = await changeSourceAndRefresh(id, patch, data.store, context.clock.now())
  if (source === null) throw new HeadwaterError('SOURCE_NOT_FOUND', name)
  context.out(options.json ? json(sourceJson(source)) : `Changed source ${id}: ${shownName(source)}\n`)
}

export function removeCommand(context: CliContext): Command {
  return new Command('remove')
    .description('Stop following a source and remove its items')
    .argument('<source...>', 'numbers or addresses')
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  $ headwater source remove 3')
    .action(async (names: string[], options: JsonOption, command: Command) =>
      withSession(command, context, async ({ data }) => {
        const sources = await Promise.all(names.map((name) => findSourceByName(name, data.store)))
        for (const source of sources) {
          await data.store.removeSource(source.id)
          const subject = `source ${source.id}: ${shownName(source)}`
          await recordLocalActions([{ action: 'source-removed', subject }], data.store, context)
          if (!options.json) context.out(`Removed source ${source.id}: ${shownName(source)}\n`)
        }
        if (options.json) context.out(json({ removed: sources.map(({ id }) => id) }))
      }),
    )
}

interface RefreshOptions {
  readonly all?: boolean
  readonly category?: string
  readonly allowRange?: string
  readonly hostSpacing?: string
  readonly json?: boolean
}

export function refreshCommand(context: CliContext): Command {
  return new Command('refresh')
    .description('Refresh sources now, within politeness; by the running node if there is one')
    .argument('[source...]', 'numbers or addresses')
    .option('--all', 'all sources')
    .option('--category <path>', 'all sources of a category')
    .option('--allow-range <ranges>', 'also fetch from these addresses: CIDR, loopback, private')
    .option('--host-spacing <duration>', 'shortest time between two requests to one host (default: 1s)')
    .option('--json', 'print the refreshed sources as JSON')
    .addHelpText('after', '\nExamples:\n  $ headwater source refresh 3 7\n  $ headwater source refresh --all')
    .action(async (names: string[], options: RefreshOptions, command: Command) =>
      withSession(command, context, (session) => runRefresh(session, context, names, options)),
    )
}

async function runRefresh(
  { config, data, environment }: CliSession,
  context: CliContext,
  names: string[],
  options: RefreshOptions,
): Promise<void> {
  if (await data.locks.isTaken('crawler')) refuseForNode(options)
  const chosen = await choose(names, options, data.store)
  const bar = context.isTerminal ? progressBar(chosen.length) : null
  const { refreshNow } = await import('../../app/crawling/refresh-now.ts')
  await refreshNow(
    chosen.map((source) => source.id),
    config,
    data,
    environment,
    ({ done }) => bar?.update(done),
    context.signal,
  ).finally(() => bar?.stop())
  const after = await data.store.sourcesById(chosen.map(({ id }) => id))
  const sources = chosen.flatMap(({ id }) => after.get(id) ?? [])
  if (options.json) context.out(json(sources.map(sourceJson)))
  else for (const source of sources) context.out(`${source.id}  ${stateInWords(source)}  ${shownName(source)}\n`)
  for (const { id, state } of sources) {
    if (state.refusal !== null && !options.json)
      context.out(
        `Source ${id}: ${refusalInWords(state.refusal)}. headwater source set ${id} --allowance off takes them.\n`,
      )
  }
  const failed = sources.filter(({ state }) => state.lastError !== null)
  if (failed.length > 0) throw new HeadwaterError('REFRESH_FAILED', `${failed.length} of ${sources.length} failed`)
}

/** The running node fetches, by its own settings: what cannot be done must not look done. */
function refuseForNode({ allowRange, hostSpacing }: RefreshOptions): void {
  const option = allowRange !== undefined ? '--allow-range' : hostSpacing !== undefined ? '--host-spacing' : null
  if (option === null) return
  throw new HeadwaterError(
    'USAGE',
    `a node is running and fetches by its own settings; start it with ${option}, or stop it`,
  )
}

async function choose(names: readonly string[], options: RefreshOptions, store: Store): Promise<readonly Source[]> {
  if (options.all) return (await store.sources()).filter(isFetched)
  if (options.category !== undefined) return (await store.sources({ category: options.category })).filter(isFetched)
  if (names.length === 0) throw new HeadwaterError('USAGE', 'name the sources, or give --all or --category')
  const sources = await Promise.all(names.map((name) => findSourceByName(name, store)))
  const other = sources.find((source) => !isFetched(source))
  if (other !== undefined) throw new HeadwaterError('SOURCE_NOT_FETCHED', `source ${other.id}`)
  return sources
}

function isFetched(source: Source): boolean {
  return !isForLetters(source)
}

function progressBar(total: number): SingleBar {
  const bar = new (progressBars().SingleBar)({
    format: 'Refreshing {bar} {value}/{total}',
    hideCursor: true,
    stream: process.stderr,
  })
  bar.start(total, 0)
  return bar
}
