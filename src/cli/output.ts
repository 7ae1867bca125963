import { DAY_MS, type InstantMs } from '../model/index.ts'
import { describeDuration } from '../refresh/words.ts'

/** Of every command that prints something a program may read. */
export const JSON_OPTION = ['--json', 'print what was done as JSON'] as const

export interface JsonOption {
  readonly json?: boolean
}

export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

export function isoOrNull(at: InstantMs | null): string | null {
  return at === null || !Number.isFinite(at) ? null : new Date(at).toISOString()
}

const DATE_AFTER_MS = 30 * DAY_MS

/** "in 5 min", "3 h ago", "now"; beyond a month the day itself, "2019-03-02". */
export function relative(at: InstantMs | null, now: InstantMs): string {
  if (at === null) return '–'
  const distance = Math.abs(at - now)
  if (distance < 1_000) return 'now'
  if (distance > DATE_AFTER_MS) return isoOrNull(at)?.slice(0, 10) ?? '–'
  return at > now ? `in ${describeDuration(distance)}` : `${describeDuration(distance)} ago`
}

export function clip(text: string, length: number): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  return flat.length <= length ? flat : `${flat.slice(0, length - 1)}…`
}
