import type { Enclosure, InstantMs, ParsedFeed, ParsedItem, ParseResult } from '../../model/index.ts'

export interface ParsedToJsonOptions {
  /** Leave out what is null or empty. */
  readonly compact?: boolean
}

/** What `headwater parse FILE --json` prints: dates as ISO 8601 in UTC. */
export function parsedToJson(result: ParseResult, options: ParsedToJsonOptions = {}): object {
  const shape = options.compact ? dropEmpty : <T extends object>(value: T): T => value
  return {
    format: result.format,
    encoding: result.encoding,
    feed: shape(feedToJson(result.feed)),
    items: result.items.map((item) => shape(itemToJson(item))),
    problems: result.problems,
  }
}

function feedToJson(feed: ParsedFeed): object {
  return { ...feed, updated: isoDate(feed.updated), published: isoDate(feed.published) }
}

function itemToJson(item: ParsedItem): object {
  return {
    ...item,
    published: isoDate(item.published),
    updated: isoDate(item.updated),
    enclosures: item.enclosures.map(enclosureToJson),
  }
}

function enclosureToJson({ url, type, lengthBytes }: Enclosure): object {
  return { url, type, length: lengthBytes }
}

// ECMA-262 §21.4.1.1: beyond this a Date cannot say.
const FARTHEST_MS = 8.64e15

function isoDate(at: InstantMs | null): string | null {
  return at === null || !(Math.abs(at) <= FARTHEST_MS) ? null : new Date(at).toISOString()
}

function dropEmpty(value: object): object {
  return Object.fromEntries(
    Object.entries(value).filter(([, v]) => v !== null && !(Array.isArray(v) && v.length === 0)),
  )
}
