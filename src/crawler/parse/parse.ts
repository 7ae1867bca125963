import type { FeedFormat, ParseResult } from '../../model/index.ts'
import { decodeDocument } from './charset.ts'
import { FeedDraft } from './draft.ts'
import { finishFeed, finishItem } from './finish.ts'
import { readJsonFeed } from './json-feed.ts'
import { DEFAULT_PARSE_LIMITS, type ParseLimits } from './limits.ts'
import { ProblemList } from './problems.ts'
import { type ReadFeed, readXmlFeed } from './xml-feed.ts'

export interface ParseOptions {
  /** The HTTP header, if there was one. */
  readonly contentType?: string | null
  /** Where the document came from: relative links are relative to it. */
  readonly url?: string | null
  readonly limits?: Partial<ParseLimits>
}

// XML 1.0 §2.2; JSON escapes all of them.
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/
const FORBIDDEN_ALL = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g

/**
 * Reads a feed of any known format from the bytes as they came. Never throws: what is wrong with the document is
 * mended or passed over, and told in `problems`. A document that is no feed has the format `unknown`.
 */
export function parseFeed(bytes: Uint8Array, options: ParseOptions = {}): ParseResult {
  const limits = { ...DEFAULT_PARSE_LIMITS, ...options.limits }
  const problems = new ProblemList()
  const tooLarge = bytes.length > limits.maxBytes
  if (tooLarge) problems.add('too-large')
  const decoded = decodeDocument(tooLarge ? bytes.subarray(0, limits.maxBytes) : bytes, options.contentType ?? null)
  problems.addAll(decoded.problems)
  const url = webAddress(options.url ?? null)
  const { format, feed, items } = readText(decoded.text, url, problems, limits)
  return {
    format,
    encoding: decoded.encoding,
    feed: finishFeed(feed),
    items: items.map(finishItem),
    problems: problems.list(),
  }
}

function readText(text: string, url: string | null, problems: ProblemList, limits: ParseLimits): ReadFeed {
  const first = firstCharacter(text)
  if (first === '') {
    problems.add('empty')
    problems.add('not-a-feed')
    return nothing('unknown')
  }
  if (first === '{' || first === '[') return readJsonFeed(text, url, problems, limits)
  return readXmlFeed(withoutForbidden(text, problems), url, problems, limits)
}

function withoutForbidden(text: string, problems: ProblemList): string {
  const at = text.search(FORBIDDEN)
  if (at < 0) return text
  problems.add('control-character', at)
  return text.replace(FORBIDDEN_ALL, '')
}

function firstCharacter(text: string): string {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code > 32 && code !== 0xfeff && code !== 0xa0) return text[i]!
  }
  return ''
}

function webAddress(url: string | null): string | null {
  return url !== null && /^https?:\/\/[^/]/i.test(url) ? url : null
}

function nothing(format: FeedFormat): ReadFeed {
  return { format, feed: new FeedDraft(), items: [] }
}
