import type { FeedFormat, ParseResult } from '../../model/index.ts'
import { type DecodedDocument, decodeDocument } from '../../text/charset/charset.ts'
import { replaceEach } from '../../text/strings.ts'
import { holdsControls } from './control-bytes.ts'
import { FeedDraft } from './draft.ts'
import { finishFeed, finishItems } from './finish.ts'
import { readJsonFeed } from './json-feed.ts'
import { DEFAULT_PARSE_LIMITS, type ParseLimits } from './limits.ts'
import { ProblemList } from './problems.ts'
import { WINDOWS_1252 } from './xml/entities.ts'
import { type FeedContents, readXmlFeed } from './xml-feed.ts'

/** What is known of a document beside its bytes. */
export interface ParseOptions {
  /** The HTTP header, if there was one. */
  readonly contentType?: string | null
  /** Where the document came from: relative links are relative to it. */
  readonly url?: string | null
  readonly limits?: Partial<ParseLimits>
}

// What XML 1.0 §2.2 forbids, and the C1 controls. JSON escapes them all.
// Said as what is allowed: twice as fast as the list of what is not (measured, V8 11).
const UNWANTED = /[^\t\n\r -\x7f\x85\xa0-\ufffd]/
const UNWANTED_ALL = new RegExp(UNWANTED, 'g')

/**
 * Reads a feed of any known format from the bytes as they came. Never throws: what is wrong with the document is
 * repaired or skipped, and reported in `problems`. A document that is no feed has the format `unknown`.
 */
export function parseFeed(bytes: Uint8Array, options: ParseOptions = {}): ParseResult {
  const limits = { ...DEFAULT_PARSE_LIMITS, ...options.limits }
  const problems = new ProblemList()
  const tooLarge = bytes.length > limits.maxBytes
  if (tooLarge) problems.add('too-large')
  const decoded = decodeDocument(tooLarge ? bytes.subarray(0, limits.maxBytes) : bytes, options.contentType ?? null)
  problems.addAll(decoded.problems)
  const url = webAddress(options.url ?? null)
  const { format, feed, items } = readText(decoded, url, problems, limits)
  return {
    format,
    encoding: decoded.encoding,
    feed: finishFeed(feed),
    items: finishItems(items, feed.authors),
    problems: problems.list(),
  }
}

function readText(
  document: DecodedDocument,
  url: string | null,
  problems: ProblemList,
  limits: ParseLimits,
): FeedContents {
  const { text } = document
  const first = firstCharacter(text)
  if (first === '') {
    problems.add('empty')
    problems.add('not-a-feed')
    return nothing('unknown')
  }
  if (first === '{' || first === '[') return readJsonFeed(text, url, problems, limits)
  return readXmlFeed(cleaned(document, problems), url, problems, limits)
}

function cleaned({ text, utf8 }: DecodedDocument, problems: ProblemList): string {
  if (utf8 !== undefined && !holdsControls(utf8) && !holdsNoncharacter(text)) return text
  const at = text.search(UNWANTED)
  if (at < 0) return text
  return replaceEach(text, UNWANTED_ALL, ([char]) => {
    const code = char.charCodeAt(0)
    // The C1 controls are allowed, but nobody means them: they are Windows-1252 that was taken for Latin-1.
    if (code >= 0x80 && code <= 0x9f) return WINDOWS_1252.charAt(code - 0x80)
    problems.add('control-character', at)
    return ''
  })
}

function holdsNoncharacter(text: string): boolean {
  return text.includes('\ufffe') || text.includes('\uffff')
}

function firstCharacter(text: string): string {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code > 32 && code !== 0xfeff && code !== 0xa0) return text.charAt(i)
  }
  return ''
}

function webAddress(url: string | null): string | null {
  return url !== null && /^https?:\/\/[^/]/i.test(url) ? url : null
}

function nothing(format: FeedFormat): FeedContents {
  return { format, feed: new FeedDraft(), items: [] }
}
