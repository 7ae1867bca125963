import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { HeadwaterError } from '../../runtime/errors.ts'
import { randomSecret } from '../../runtime/random.ts'
import { makePrivateFolder, PRIVATE_FILE } from '../../store/sqlite/database/private-file.ts'

/**
 * What is sealed is moved as it is, so that both ends need the same key. Returns whether it was copied; throws MOVE_KEY_OTHER
 * where the target has another one.
 */
export function takeKeyAlong(fromFile: string, toFile: string): boolean {
  if (fromFile === toFile) return false
  const given = readKey(fromFile)
  if (given === null) return false
  if (readKey(toFile) === null) {
    copyKey(given, toFile)
    return true
  }
  if (readKey(toFile)?.trim() !== given.trim()) throw new HeadwaterError('MOVE_KEY_OTHER', `${fromFile}, ${toFile}`)
  return false
}

/** null: there is none. */
function readKey(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new HeadwaterError('KEY_UNUSABLE', `${file}: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

/** Whole or not at all, and never in the place of another: `link` fails where there is one. */
function copyKey(text: string, file: string): void {
  const draft = `${file}.${randomSecret()}`
  makePrivateFolder(dirname(file))
  try {
    writeFileSync(draft, text, { mode: PRIVATE_FILE, flag: 'wx' })
    linkSync(draft, file)
  } finally {
    rmSync(draft, { force: true })
  }
}
