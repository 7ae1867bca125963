import { DAY_MS, type InstantMs } from '../model/index.ts'
import { describeDuration } from '../refresh/words.ts'

/** Columns as wide as their content, the last one free; nothing for an empty list but the header. */
export function table(headers: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headers.map((header, column) =>
    Math.max(header.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (column === cells.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd()
  return [headers, ...rows].map((row) => `${line(row)}\n`).join('')
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
