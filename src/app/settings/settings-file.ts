import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HeadwaterError } from '../../runtime/errors.ts'

export const CONFIG_FILE = 'headwater.json'

/** What the settings file of a data folder says, unchecked; nothing where there is none. */
export function readSettingsFile(dataDir: string): Record<string, unknown> {
  const path = join(dataDir, CONFIG_FILE)
  if (!existsSync(path)) return {}
  const text = readText(path)
  const parsed = parse(text, path)
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as Record<string, unknown>
  throw new HeadwaterError('SETTINGS_INVALID', `${path} must hold one object in braces`)
}

/** Whole or not at all. */
export function writeSettingsFile(dataDir: string, settings: Readonly<Record<string, unknown>>): void {
  const path = join(dataDir, CONFIG_FILE)
  writeFileSync(`${path}.new`, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/^\ufeff/, '')
  } catch (cause) {
    throw new HeadwaterError('FILE_UNREADABLE', `${path}: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new HeadwaterError('SETTINGS_INVALID', `${path}${locate(text, message)}: ${message}`, { cause })
  }
}

/** Line and column of what the parser complains about, where it says a position. */
function locate(text: string, message: string): string {
  const position = /position (\d+)/.exec(message)?.[1]
  if (position === undefined) return /end of JSON|Unterminated/.test(message) ? ', at its end' : ''
  const before = text.slice(0, Number(position))
  return `, line ${before.split('\n').length}, column ${before.length - before.lastIndexOf('\n')}`
}
