import { type Command, InvalidArgumentError } from 'commander'
import type { OpenedData } from '../app/data/data.ts'
import type { Environment } from '../app/environment.ts'
import type { Config } from '../app/settings/config.ts'
import { HeadwaterError } from '../runtime/errors.ts'
import type { CliContext } from './context.ts'

export const DEFAULT_DATA_DIR = 'headwater-data'

/** Of every command that works on the data of a node. */
export const DATA_OPTION = ['--data <dir>', `folder of the node's data (default: ${DEFAULT_DATA_DIR})`] as const
export const STORE_OPTION = ['--store <url>', 'where the data is: a folder or sqlite:DIR (default: --data)'] as const

export interface CliSession {
  readonly config: Config
  readonly data: OpenedData
  readonly environment: Environment
}

// Modules are loaded when a command needs them: `headwater parse` in a loop should not pay for a web server.

export async function configFor(command: Command, context: CliContext): Promise<Config> {
  const { mergeSettings } = await import('../app/settings/config.ts')
  const { placeGiven } = await import('../app/data/store-url.ts')
  const { placeOf } = await import('../app/data/data.ts')
  const flags = command.optsWithGlobals()
  const where = placeGiven(flags, context.env, DEFAULT_DATA_DIR)
  const document = await placeOf(where).settings.read()
  return { ...mergeSettings(document, flags, context.env), ...where }
}

export async function environmentFor(config: Config, context: CliContext): Promise<Environment> {
  const { createLogger } = await import('../runtime/logger.ts')
  return { clock: context.clock, random: context.random, logger: createLogger(config.logLevel) }
}

/** Runs an action on the opened data folder and closes it whatever happens; where there is no node, it is refused. */
export function withSession<T>(
  command: Command,
  context: CliContext,
  action: (session: CliSession) => Promise<T>,
): Promise<T> {
  return inSession(command, context, action, false)
}

/** The same for commands that may begin a node: a new one is announced, as the folder may be a slip of the keyboard. */
export function withNewSession<T>(
  command: Command,
  context: CliContext,
  action: (session: CliSession) => Promise<T>,
): Promise<T> {
  return inSession(command, context, action, true)
}

async function inSession<T>(
  command: Command,
  context: CliContext,
  action: (session: CliSession) => Promise<T>,
  mayBeNew: boolean,
): Promise<T> {
  const config = await configFor(command, context)
  const { openData, placeOf } = await import('../app/data/data.ts')
  const place = placeOf(config)
  if (!(await place.exists())) {
    if (!mayBeNew) throw new HeadwaterError('DATA_NOT_FOUND', place.name)
    context.err(`A new node in ${place.name}\n`)
  }
  const data = await openData(config, context.clock)
  try {
    return await action({ config, data, environment: await environmentFor({ ...config, logLevel: 'warn' }, context) })
  } finally {
    await data.store.close()
  }
}

/** Turns a parser's complaint about an option into commander's, which names the option and exits with 2. */
export function option<T>(parse: (text: string) => T): (text: string) => T {
  return (text) => {
    try {
      return parse(text)
    } catch (error) {
      if (error instanceof HeadwaterError) throw new InvalidArgumentError(error.message)
      throw error
    }
  }
}
