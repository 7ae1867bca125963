import { words } from './fold.ts'
import { entries, foldedBytes, foldTable, learn } from './fold-table.ts'

/** Words remembered per item; a longer text repeats some, which the index does not mind. */
const SLOTS = 4_096
const MOST_WORDS = SLOTS / 2
const USUAL_UNITS = 32_768
const MOST_UNITS_KEPT = 16 * USUAL_UNITS
/** A unit of UTF-16 becomes three bytes and a space at most, unless it becomes a string. */
const BYTES_PER_UNIT = 4
const SPACE = 0x20
const { UNKNOWN, SEPARATOR, NOTHING, ALONE, OTHER, LOOSE } = entries

// One item at a time, in one thread: all calls share this memory.
let units = new Uint16Array(USUAL_UNITS)
let unitBytes = Buffer.from(units.buffer)
let out = Buffer.alloc(BYTES_PER_UNIT * USUAL_UNITS)
/** A table of the words of this item: which item a slot is of, hash and place of its word. */
const slots = new Int32Array(4 * SLOTS)
let used = 0
let item = 0

/**
 * The words of some plain texts in UTF-8, each once, a space after each: what the full-text index is given. It knows
 * which words an item has and not where, so repetitions would only cost time. The same as `words` gives, without making
 * strings of them; a property test compares the two.
 *
 * The bytes are valid until the next call.
 */
export function wordBag(texts: readonly string[]): Buffer {
  item = (item + 1) | 0
  used = 0
  let end = 0
  for (const text of texts) {
    end = addText(text, end)
    if (end === -1) return slowWordBag(texts)
  }
  return out.subarray(0, end)
}

/** For texts with characters in loose parts, which must be composed first. */
function slowWordBag(texts: readonly string[]): Buffer {
  const unique = new Set(texts.flatMap(words))
  return Buffer.from([...unique].map((word) => `${word} `).join(''))
}

/**
 * The inner loop of indexing; returns where the bytes end, or −1 for loose parts. On an array, with local variables:
 * charCodeAt and variables of the module make it two to three times slower.
 */
function addText(text: string, from: number): number {
  const length = text.length
  const source = unitsOf(text)
  const table = foldTable
  let target = reserve(from, from + BYTES_PER_UNIT * length)
  let end = from
  let word = from
  let hash = 0
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
      hash = Math.imul(hash ^ to, 0x01000193)
    } else if (to === SEPARATOR) {
      if (end > word) end = endWord(word, end, hash)
      word = end
      hash = 0
    } else if (to === ALONE) {
      if (end > word) end = endWord(word, end, hash)
      target[end] = 0xe0 | (code >> 12)
      target[end + 1] = 0x80 | ((code >> 6) & 0x3f)
      target[end + 2] = 0x80 | (code & 0x3f)
      end = word = endWord(end, end + 3, Math.imul(code, 0x01000193))
      hash = 0
    } else if (to === OTHER) {
      const point = text.codePointAt(at)!
      if (point > 0xffff) at += 1
      const bytes = foldedBytes(point)
      target = reserve(end, end + bytes.length + BYTES_PER_UNIT * (length - at))
      for (let i = 0; i < bytes.length; i++) {
        const byte = bytes[i]!
        if (byte >= 0x80 || table[byte] !== SEPARATOR) {
          target[end++] = byte
          hash = Math.imul(hash ^ byte, 0x01000193)
          continue
        }
        if (end > word) end = endWord(word, end, hash)
        word = end
        hash = 0
      }
    } else if (to !== NOTHING) return -1
  }
  return end > word ? endWord(word, end, hash) : end
}

/** Keeps the word from `start`, unless the item has it already; returns where the next one begins. */
function endWord(start: number, end: number, hash: number): number {
  if (used < MOST_WORDS) {
    let slot = 4 * ((hash ^ (hash >>> 15)) & (SLOTS - 1))
    while (slots[slot] === item) {
      if (slots[slot + 1] === hash && isWordAt(slots[slot + 2]!, start, end)) return start
      slot = (slot + 4) & (4 * SLOTS - 1)
    }
    slots[slot] = item
    slots[slot + 1] = hash
    slots[slot + 2] = start
    used += 1
  }
  out[end] = SPACE
  return end + 1
}

/** Whether the same word, and a space, stand there. */
function isWordAt(there: number, start: number, end: number): boolean {
  let at = there
  for (let here = start; here < end; here++, at++) if (out[at] !== out[here]) return false
  return out[at] === SPACE
}

function unitsOf(text: string): Uint16Array {
  const wanted = Math.max(text.length, USUAL_UNITS)
  if (units.length < wanted || units.length > Math.max(wanted, MOST_UNITS_KEPT)) {
    units = new Uint16Array(wanted)
    unitBytes = Buffer.from(units.buffer)
  }
  unitBytes.write(text, 'utf16le')
  return units
}

/** Room for so many bytes and a few more. */
function reserve(used: number, needed: number): Buffer {
  if (needed + 8 > out.length) {
    const larger = Buffer.alloc(Math.max(needed + 8, 2 * out.length))
    out.copy(larger, 0, 0, used)
    out = larger
  } else if (used === 0 && out.length > BYTES_PER_UNIT * MOST_UNITS_KEPT) {
    out = Buffer.alloc(Math.max(needed + 8, BYTES_PER_UNIT * USUAL_UNITS))
  }
  return out
}
