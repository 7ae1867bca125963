import type { ParsedItem } from '../../model/index.ts'
import { canonicalLink } from './canonical-link.ts'
import { hash32, hash32OfSamples } from './hash.ts'

/** Characters that are read at the beginning and at the end of a text: with its length they distinguish texts. */
const SAMPLE = 64
const DIGITS = 8
const ABSENT = '0'.repeat(DIGITS)
const PARTS = ['link', 'title', 'text'] as const

/**
 * What an item looks like whatever its guid: hashes of link, title and text, 8 hex digits each, zeros where there is none.
 * Compared within two windows only, so 32 bits are plenty. null: it looks like nothing.
 */
export function aliasOf({ link, title, summary, content }: ParsedItem): string | null {
  const alias = `${link ? hash32(canonicalLink(link)) : ABSENT}${title ? hash32(title) : ABSENT}${textPart(summary, content)}`
  return alias === ABSENT + ABSENT + ABSENT ? null : alias
}

function textPart(summary: string | null, content: string | null): string {
  return summary || content ? hash32OfSamples([summary ?? '', content ?? ''], SAMPLE) : ABSENT
}

/** One part of an alias; null: there is none. */
export function faceOf(alias: string | null, part: (typeof PARTS)[number]): string | null {
  if (alias === null) return null
  const at = PARTS.indexOf(part) * DIGITS
  const face = alias.slice(at, at + DIGITS)
  return face === '' || face === ABSENT ? null : face
}
