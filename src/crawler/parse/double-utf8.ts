import { isUtf8 } from 'node:buffer'
import { WINDOWS_1252_HIGH } from './charset-names.ts'

/** UTF-8 that was taken for windows-1252 and encoded once more begins each character with one of these and one above 0x7F. */
const SUSPECT =
  /[\u00c2-\u00f4][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]/
const HIGH_RUN = /[^\x00-\x7f]+/g

const BYTE_BY_CODE: ReadonlyMap<number, number> = new Map(
  Array.from(WINDOWS_1252_HIGH, (char, index) => [char.charCodeAt(0), 0x80 + index] as const),
)

/**
 * A text whose UTF-8 was encoded twice, as it was before; null where it was not: every run beyond ASCII must be UTF-8 once
 * more, so that a single honest letter beyond ASCII in the document is enough to leave all as it is.
 */
export function undoDoubleUtf8(text: string): string | null {
  if (!SUSPECT.test(text)) return null
  const parts: string[] = []
  let from = 0
  for (const match of text.matchAll(HIGH_RUN)) {
    const decoded = decodeRun(match[0])
    if (decoded === null) return null
    parts.push(text.slice(from, match.index), decoded)
    from = match.index + match[0].length
  }
  parts.push(text.slice(from))
  return parts.join('')
}

function decodeRun(run: string): string | null {
  const bytes = Buffer.alloc(run.length)
  for (let i = 0; i < run.length; i++) {
    const code = run.charCodeAt(i)
    const byte = code <= 0xff ? code : BYTE_BY_CODE.get(code)
    if (byte === undefined) return null
    bytes[i] = byte
  }
  return isUtf8(bytes) ? bytes.toString('utf8') : null
}
