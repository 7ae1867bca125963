import { ListCollector, type ListEntry } from './list-collector.ts'
import { normalizeSourceUrl } from './source-url.ts'

const LINE = /\r\n|\r|\n/
/** An address with or without scheme, then maybe a name: `https://example.org/feed The Example`, `example.org/feed`. */
const ADDRESS_LINE =
  /^<?((?:(?:https?|feed):[^\s<>]+)|(?:[\p{L}\p{N}-]+\.)+[\p{L}]{2,}(?::\d+)?(?:\/[^\s<>]*)?)>?(?:[\s,;]+(.*))?$/iu

export interface PlainList {
  readonly entries: ListEntry[]
  /** Lines that are no address, as they are there. */
  readonly others: readonly string[]
}

/**
 * Addresses, one a line, each with a name behind it or none; `#` begins a remark. null: it is no such list, as most of its
 * lines are something else.
 */
export function readPlainList(text: string): PlainList | null {
  const collector = new ListCollector()
  const others: string[] = []
  const lines = text
    .replace(/^\ufeff/, '')
    .split(LINE)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  for (const line of lines) {
    const [, address, name] = ADDRESS_LINE.exec(line) ?? []
    const url = address === undefined ? null : usable(address)
    if (url === null) others.push(line)
    else collector.addFeed(url, name?.trim() || null, null, [])
  }
  const entries = collector.entries()
  return entries.length === 0 || others.length > lines.length / 2 ? null : { entries, others }
}

function usable(address: string): string | null {
  try {
    return normalizeSourceUrl(address)
  } catch {
    return null
  }
}
