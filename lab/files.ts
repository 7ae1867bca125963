import { constants } from 'node:fs'
import { access, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { CliContext } from '../src/cli/context.ts'
import { HeadwaterError } from '../src/runtime/errors.ts'

/** Checked before a long run: its result should not be lost to a misspelt folder. */
export async function checkWritable(path: string): Promise<void> {
  try {
    await access(dirname(path), constants.W_OK)
  } catch (cause) {
    throw new HeadwaterError('FILE_UNWRITABLE', path, { cause })
  }
}

/** `-` is standard output. */
export async function writeText(path: string, text: string, context: CliContext): Promise<void> {
  if (path === '-') return context.out(text)
  try {
    await writeFile(path, text)
  } catch (cause) {
    throw new HeadwaterError('FILE_UNWRITABLE', path, { cause })
  }
}
