import { type Command, InvalidArgumentError } from 'commander'
import type { OpenedData } from '../app/data/data.ts'
import type { Environment } from '../app/environment.ts'
import type { Config } from '../app/settings/config.ts'
import { HeadwaterError } from '../runtime/errors.ts'
import type { CliContext } from './context.ts'

export const DEFAULT_DATA_DIR = 'headwater-data'

export interface Session {
  readonly config: Config
  readonly data: OpenedData
  readonly environment: Environment
}

// Modules are loaded when a command needs them: `headwater parse` in a loop should not pay for a web server.

export async function configFor(command: Command, context: CliContext): Promise<Config> {
  const { loadConfig } = await import('../app/settings/config.ts')
  const flags = command.optsWithGlobals()
  const dataDir = flags.data ?? context.env.HEADWATER_DATA ?? DEFAULT_DATA_DIR
  return loadConfig(dataDir, flags, context.env)
}

export async function environmentFor(config: Config, context: CliContext): Promise<Environment> {
  const { createLogger } = await import('../runtime/logger.ts')
  return { clock: context.clock, random: context.random, logger: createLogger(config.logLevel) }
}

/** Runs an action on the opened data folder and closes it whatever happens; where there is no node, it is refused. */
export function withSession<T>(
  command: Command,
  context: CliContext,
  action: (session: Session) => Promise<T>,
): Promise<T> {
  return inSession(command, context, action, false)
}

/** The same for commands that may begin a node: a new one is announced, as the folder may be a slip of the keyboard. */
export function withNewSession<T>(
  command: Command,
  context: CliContext,
  action: (session: Session) => Promise<T>,
): Promise<T> {
  return inSession(command, context, action, true)
}

async function inSession<T>(
  command: Command,
  context: CliContext,
  action: (session: Session) => Promise<T>,
  mayBeNew: boolean,
): Promise<T> {
  const config = await configFor(command, context)
  const { hasData, openData } = await import('../app/data/data.ts')
  if (!hasData(config)) {
    if (!mayBeNew) throw new HeadwaterError('DATA_NOT_FOUND', config.dataDir)
    context.err(`A new node in ${config.dataDir}\n`)
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
