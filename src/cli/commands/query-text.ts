import { readFile } from 'node:fs/promises'
import { HeadwaterError } from '../../runtime/errors.ts'
import type { CliContext } from '../context.ts'

/** A query file, or - for standard input. */
export async function readQueryText(file: string, context: CliContext): Promise<string> {
  const bytes = file === '-' ? await context.readStdin() : await readFile(file).catch(unreadable(file))
  return new TextDecoder().decode(bytes)
}

function unreadable(file: string): (cause: unknown) => never {
  return (cause) => {
    throw new HeadwaterError('FILE_UNREADABLE', file, { cause })
  }
}

/** Shown to a person, once it has taken two seconds. */
export function progressOf(context: CliContext): (share: number) => void {
  const { clock, isTerminal } = context
  const beganAt = clock.monotonicMs()
  return (share) => {
    if (isTerminal && clock.monotonicMs() - beganAt > 2_000) context.err(`\r${Math.floor(99 * share)} % `)
  }
}
