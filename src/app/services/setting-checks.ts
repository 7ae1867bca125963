import { accessSync, constants, mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { HeadwaterError } from '../../runtime/errors.ts'
import { phrase } from '../../runtime/phrase.ts'
import { checkStrategy } from '../crawling/strategy.ts'
import { type Config, outputDirOf } from '../settings/config.ts'

/** Settings that must fit each other. */
const DECIDING = [
  'strategy',
  'estimator',
  'threshold',
  'quality',
  'learning',
  'learningShare',
  'learnFor',
  'learnEvery',
] as const

/**
 * Tries what was set as the node will use it at its next start: a value that is well written but cannot be used would stop
 * that start. Throws USAGE.
 */
export async function checkUse(next: Config, changed: ReadonlySet<string>, current: Config): Promise<void> {
  checkFit(next, changed)
  if (changed.has('host')) await checkListens('host', next.host, 0)
  const isOtherPort = next.port !== 0 && next.port !== current.port
  if (changed.has('port') && isOtherPort) await checkListens('port', next.host, next.port)
  if (changed.has('outputDir')) checkWritable(outputDirOf(next))
}

/** Whether settings go together; tries nothing. Throws USAGE. */
export function checkFit(next: Config, changed: ReadonlySet<string>): void {
  if (DECIDING.some((name) => changed.has(name))) checkStrategy(next)
}

async function checkListens(name: 'host' | 'port', host: string, port: number): Promise<void> {
  const server = createServer()
  try {
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  } catch (cause) {
    const value = name === 'host' ? host : port
    throw new HeadwaterError(
      'USAGE',
      phrase`setting ${name}: the node could not serve on ${value} (${messageOf(cause)})`,
      {
        cause,
      },
    )
  } finally {
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
}

function checkWritable(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK)
  } catch (cause) {
    throw new HeadwaterError('USAGE', phrase`setting outputDir: ${folder} cannot be written (${messageOf(cause)})`, {
      cause,
    })
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
