import { TextPieces } from '../../../text/strings.ts'
import type { ParseLimits } from '../limits.ts'
import type { ProblemList } from '../problems.ts'
import { HTML_ENTITIES } from './html-entities.ts'

// Windows-1252 in the places of the C1 controls: what a reference such as &#146; means in practice (HTML §13.2.5.80).
export const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

const LONGEST_NAME = 40
const DEEPEST_ENTITY = 8

/** Replaces references in text and attribute values; knows what the document type declares. */
export class EntityDecoder {
  private readonly declared = new Map<string, string>()
  private expandedChars = 0
  private readonly problems: ProblemList
  private readonly limits: ParseLimits

  constructor(problems: ProblemList, limits: ParseLimits) {
    this.problems = problems
    this.limits = limits
  }

  /** The first declaration counts (XML 1.0 §4.2). */
  declare(name: string, value: string): void {
    if (!this.declared.has(name)) this.declared.set(name, value)
  }

  /** `offset` is where `raw` begins in the document. */
  decode(raw: string, offset: number, depth = 0): string {
    let amp = raw.indexOf('&')
    if (amp < 0) return raw
    const out = new TextPieces()
    let from = 0
    while (amp >= 0) {
      const semicolon = endOfReference(raw, amp + 1)
      const replacement = semicolon < 0 ? null : this.replacement(raw, amp + 1, semicolon, offset, depth)
      if (replacement === null) {
        if (semicolon < 0) this.problems.add('bare-ampersand', offset + amp)
        amp = raw.indexOf('&', amp + 1)
        continue
      }
      out.add(from === amp ? replacement : raw.slice(from, amp) + replacement)
      from = semicolon + 1
      amp = raw.indexOf('&', from)
    }
    return from === 0 ? raw : out.end(raw.slice(from))
  }

  /** The commonest by their letters, before any string is made: half of what escaped HTML costs. */
  private replacement(raw: string, start: number, end: number, offset: number, depth: number): string | null {
    const first = raw.charCodeAt(start)
    if (first === 35)
      return shortDecimal(raw, start + 1, end) ?? this.character(raw.slice(start + 1, end), offset + start)
    const length = end - start
    if (length === 2 && raw.charCodeAt(start + 1) === 116) {
      if (first === 108) return '<'
      if (first === 103) return '>'
    }
    if (length === 3 && first === 97 && raw.charCodeAt(start + 1) === 109 && raw.charCodeAt(start + 2) === 112)
      return '&'
    if (length === 4 && first === 113 && this.declared.size === 0 && raw.startsWith('quot', start)) return '"'
    return this.decodeNamed(raw.slice(start, end), offset + start, depth)
  }

  private decodeNamed(name: string, offset: number, depth: number): string | null {
    const own = this.declared.get(name)
    if (own !== undefined) return this.expand(own, offset, depth)
    const known = HTML_ENTITIES.get(name)
    if (known === undefined || !isXmlOwn(name)) this.problems.add('undefined-entity', offset, name)
    return known ?? null
  }

  /** Declared entities may refer to each other: a few letters can stand for gigabytes ("billion laughs"). */
  private expand(value: string, offset: number, depth: number): string {
    this.expandedChars += value.length + 1
    if (depth >= DEEPEST_ENTITY || this.expandedChars > this.limits.maxEntityChars) {
      this.problems.add('entity-limit', offset)
      return ''
    }
    return this.decode(value, offset, depth + 1)
  }

  private character(digits: string, offset: number): string | null {
    const hex = digits.charCodeAt(0) === 120 || digits.charCodeAt(0) === 88
    const valid = hex ? /^[xX][0-9a-fA-F]+$/.test(digits) : /^[0-9]+$/.test(digits)
    const code = valid ? Number.parseInt(hex ? digits.slice(1) : digits, hex ? 16 : 10) : Number.NaN
    if (digits.charCodeAt(0) === 88) this.problems.add('bad-character-reference', offset, digits)
    if (code >= 0x80 && code <= 0x9f) return WINDOWS_1252.charAt(code - 0x80)
    if (isXmlCharacter(code)) return String.fromCodePoint(code)
    this.problems.add('bad-character-reference', offset, digits)
    return Number.isNaN(code) ? null : ''
  }
}

const ASCII = Array.from({ length: 128 }, (_, code) => (code >= 32 && code < 127 ? String.fromCharCode(code) : null))

/** `&#39;` and its like, which some generators write for every quote. */
function shortDecimal(raw: string, start: number, end: number): string | null {
  if (end - start > 3) return null
  let code = 0
  for (let i = start; i < end; i++) {
    const digit = raw.charCodeAt(i) - 48
    if (digit < 0 || digit > 9) return null
    code = code * 10 + digit
  }
  return ASCII[code] ?? null
}

function isXmlOwn(name: string): boolean {
  return name === 'quot' || name === 'apos' || name === 'lt' || name === 'gt' || name === 'amp'
}

/** XML 1.0 §2.2. */
function isXmlCharacter(code: number): boolean {
  if (code < 0x20) return code === 9 || code === 10 || code === 13
  return code <= 0xd7ff || (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff)
}

/** The `;` that ends a reference, or -1 where what follows the `&` is none. */
function endOfReference(raw: string, start: number): number {
  const last = Math.min(raw.length, start + LONGEST_NAME)
  let at = raw.charCodeAt(start) === 35 ? start + 1 : start
  while (at < last) {
    const code = raw.charCodeAt(at)
    if (code === 59) return at > start ? at : -1
    const wordLike =
      (code >= 97 && code <= 122) ||
      (code >= 65 && code <= 90) ||
      (code >= 48 && code <= 57) ||
      code === 95 ||
      code === 45 ||
      code === 46 ||
      code === 58 ||
      code > 127
    if (!wordLike) return -1
    at++
  }
  return -1
}
