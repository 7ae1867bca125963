import { isUtf8 } from 'node:buffer'
import { TextPieces } from '../strings.ts'
import { WINDOWS_1252_HIGH } from './charset-names.ts'

const HIGH_RUN = /[^\x00-\x7f]+/g
const FIRST_HIGH_RUN = /[^\x00-\x7f]+/

const BYTE_BY_CODE: ReadonlyMap<number, number> = new Map(
  Array.from(WINDOWS_1252_HIGH, (char, index) => [char.charCodeAt(0), 0x80 + index] as const),
)

/**
 * A text whose UTF-8 was encoded twice (or more often), as it was before; null where it was not: every run beyond ASCII must be
 * UTF-8 once more, so that a single honest letter beyond ASCII is enough to leave all as it is. That is nearly always the first:
 * this takes no time.
 */
export function undoDoubleUtf8(text: string): string | null {
  let single = undoOnce(text)
  for (let more = 1; single !== null && more < MOST_TIMES; more++) {
    const again = undoOnce(single)
    if (again === null) break
    single = again
  }
  return single
}

const MOST_TIMES = 4

function undoOnce(text: string): string | null {
  const first = FIRST_HIGH_RUN.exec(text)
  if (first === null || decodeRun(first[0]) === null) return null
  const pieces = new TextPieces()
  let from = 0
  let evidence = false
  for (const match of text.matchAll(HIGH_RUN)) {
    const decoded = decodeRun(match[0])
    if (decoded === null) return null
    evidence ||= match[0].length > 2 || from > 0 || USUAL_LEAD.test(match[0])
    pieces.add(text.slice(from, match.index))
    pieces.add(decoded)
    from = match.index + match[0].length
  }
  if (!evidence) return null
  return pieces.end(text.slice(from))
}

/** Signs and letters of Latin-1 and the punctuation of U+2000. A lone `É®` is the end of a trade mark instead. */
const USUAL_LEAD = /^[\u00c2\u00c3\u00e2]/

function decodeRun(run: string): string | null {
  const bytes = Buffer.alloc(run.length)
  for (let i = 0; i < run.length; i++) {
    const code = run.charCodeAt(i)
    const byte = code <= 0xff ? code : BYTE_BY_CODE.get(code)
    if (byte === undefined) return null
    bytes[i] = byte
  }
  const decoded = isUtf8(bytes) ? bytes.toString('utf8') : ''
  return decoded === '' || UNLIKELY.test(decoded) ? null : decoded
}

/**
 * Phonetic letters and bare accents: feeds hold hardly any, while `CAFÉ®` would make one. Two accents are windows-1252's own (0x88 and
 * 0x98), and stand in what was encoded three times.
 */
const UNLIKELY = /[\u0250-\u02c5\u02c7-\u02db\u02dd-\u036f]/
