import { words } from './fold.ts'
import { entries, foldedBytes, foldTable, learn } from './fold-table.ts'

const USUAL_UNITS = 65_536
const MOST_UNITS_KEPT = 16 * USUAL_UNITS
/** A unit of UTF-16 becomes three bytes and two spaces at most, unless it becomes a string. */
const BYTES_PER_UNIT = 5
const SPACE = 0x20
const { UNKNOWN, SEPARATOR, NOTHING, ALONE, OTHER, LOOSE } = entries

// One text at a time, in one thread: all calls share this memory.
let units = new Uint16Array(USUAL_UNITS)
let unitBytes = Buffer.from(units.buffer)
let out: Buffer = Buffer.alloc(BYTES_PER_UNIT * USUAL_UNITS)

/**
 * A plain text in the form that SQLite's `ascii` tokenizer, which takes all beyond ASCII for part of a word, cuts into
 * exactly the words that `words` gives; a property test compares the two. Bytes (UTF-8) are valid until the next call.
 */
export function indexText(text: string): string | Buffer {
  // ASCII is folded by the tokenizer itself.
  if (Buffer.byteLength(text) === text.length) return text
  takeIn(text)
  const end = foldUnits(text)
  return end === -1 ? words(text).join(' ') : out.subarray(0, end)
}

/**
 * The inner loop of indexing; returns where the bytes end, or −1 if the text must be composed first. On an array, with
 * local variables: charCodeAt and variables of the module make it two to three times slower.
 */
function foldUnits(text: string): number {
  const length = text.length
  const source = units
  const table = foldTable
  let target = out
  let end = 0
  for (let at = 0; at < length; at++) {
    const code = source[at]!
    let to = table[code]!
    if (to === UNKNOWN) to = learn(code)
    if (to > LOOSE) {
      if (to < 0x80) target[end++] = to
      else if (to < 0x800) {
        target[end++] = 0xc0 | (to >> 6)
        target[end++] = 0x80 | (to & 0x3f)
      } else {
        target[end++] = 0xe0 | (to >> 12)
        target[end++] = 0x80 | ((to >> 6) & 0x3f)
        target[end++] = 0x80 | (to & 0x3f)
      }
    } else if (to === SEPARATOR) target[end++] = SPACE
    else if (to === ALONE) {
      target[end] = SPACE
      target[end + 1] = 0xe0 | (code >> 12)
      target[end + 2] = 0x80 | ((code >> 6) & 0x3f)
      target[end + 3] = 0x80 | (code & 0x3f)
      target[end + 4] = SPACE
      end += 5
    } else if (to === OTHER) {
      const point = text.codePointAt(at)!
      if (point > 0xffff) at += 1
      const bytes = foldedBytes(point)
      target = reserve(end, end + bytes.length + BYTES_PER_UNIT * (length - at))
      target.set(bytes, end)
      end += bytes.length
    } else if (to !== NOTHING) return -1
  }
  return end
}

/** Makes the text an array of its units, and room for what becomes of it. A very long one leaves no memory behind. */
function takeIn(text: string): void {
  const wanted = Math.max(text.length, USUAL_UNITS)
  if (units.length < wanted || units.length > Math.max(wanted, MOST_UNITS_KEPT)) {
    units = new Uint16Array(wanted)
    unitBytes = Buffer.from(units.buffer)
    out = Buffer.alloc(BYTES_PER_UNIT * wanted)
  }
  unitBytes.write(text, 'utf16le')
}

function reserve(used: number, needed: number): Buffer {
  if (needed > out.length) {
    const larger = Buffer.alloc(Math.max(needed, 2 * out.length))
    out.copy(larger, 0, 0, used)
    out = larger
  }
  return out
}
