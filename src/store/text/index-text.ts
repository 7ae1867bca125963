import { words } from './fold.ts'
import { entries, foldedBytes, foldTable, learnFolding } from './fold-table.ts'
import { stripMarkup } from './markup.ts'
import { AMPERSAND, decodedEntity, endOfEntity, endOfMarkup, LESS_THAN_UNIT } from './markup-units.ts'

const USUAL_BYTES = 1 << 20
const USUAL_UNITS = 1 << 19
const MOST_BYTES_KEPT = 1 << 24
const MOST_UNITS_KEPT = 1 << 23
/** A unit of UTF-16 is three bytes at most in UTF-8; with two spaces around it five. */
const BYTES_PER_UNIT = 5
/** What the last character may write beyond itself, and the space behind it. */
const MARGIN = 4
const SPACE = 0x20
/** What stands in UTF-8 for half a surrogate pair. */
const REPLACEMENT = 0xfffd
const { UNKNOWN, NOTHING, ALONE, LOOSE } = entries

// One text at a time, in one thread: all share this memory.
let input = new Uint16Array(USUAL_UNITS)
let inputBytes = bytesOf(input)

/** Where in the memory a text is. */
export interface MemorySpan {
  readonly start: number
  readonly end: number
}

/** Texts for the full-text index in one piece of memory, so that the strings they were made of need not be kept. */
export interface IndexTexts {
  /** Adds texts, HTML or plain, as one; a word never reaches over two of them. */
  add(texts: readonly string[]): MemorySpan
  /** Valid until the next `add` or `clear`. */
  bytes(span: MemorySpan): Buffer
  clear(): void
}

/**
 * UTF-8 in the form that SQLite's `ascii` tokenizer, which takes all beyond ASCII for part of a word, cuts into exactly
 * the words of `words(stripMarkup(text))`; a property test compares the two.
 */
export function createIndexTexts(): IndexTexts {
  const memory: Memory = { bytes: Buffer.alloc(USUAL_BYTES), end: 0 }
  return {
    add(texts) {
      const start = memory.end
      for (const text of texts) addText(memory, text)
      return { start, end: memory.end }
    },
    bytes: ({ start, end }) => memory.bytes.subarray(start, end),
    clear() {
      memory.end = 0
      // What a very long text needed is not held for ever.
      if (memory.bytes.length > MOST_BYTES_KEPT) memory.bytes = Buffer.alloc(USUAL_BYTES)
    },
  }
}

interface Memory {
  bytes: Buffer
  end: number
}

function addText(memory: Memory, text: string): void {
  const start = memory.end
  const end = fold(memory, text)
  memory.end = end === -1 ? addSlowly(memory, text, start) : end
  memory.bytes[memory.end++] = SPACE
}

/** For a text with characters in loose parts, which must be composed first. */
function addSlowly(memory: Memory, text: string, start: number): number {
  const folded = Buffer.from(words(stripMarkup(text)).join(' '))
  reserve(memory, start + folded.length + MARGIN)
  memory.bytes.set(folded, start)
  return start + folded.length
}

/**
 * The inner loop of indexing; returns where the bytes end, or −1 if the text must be composed first. Reads units of
 * UTF-16, which a string yields with one copy (as UTF-8 it takes five times as long). Local variables, because those of
 * the module are slower.
 */
function fold(memory: Memory, text: string): number {
  const { length } = text
  const source = takeIn(text)
  const table = foldTable
  let target = reserve(memory, memory.end + BYTES_PER_UNIT * length + MARGIN)
  let view = viewOf(target)
  let end = memory.end
  let at = 0
  while (at < length) {
    // A loop of its own: within the large one the same steps take twice the time.
    while (at < length) {
      const bytes = table[source[at]!]!
      if (bytes <= LOOSE) break
      // With its length behind it, which the next overwrites: one store of four bytes takes 15 % less than three of one.
      view.setUint32(end, bytes, true)
      end += bytes >>> 24
      at++
    }
    if (at >= length) break
    const unit = source[at]!
    const to = table[unit]! === UNKNOWN ? learnFolding(unit) : table[unit]!
    if (to > LOOSE) continue
    let folded: Buffer | null = null
    if (unit === LESS_THAN_UNIT) {
      at = endOfMarkup(source, at, length) + 1
      target[end++] = SPACE
    } else if (unit === AMPERSAND) {
      const stop = endOfEntity(source, at, length)
      const decoded = stop === -1 ? null : decodedEntity(text.slice(at, stop + 1))
      if (decoded === null) target[end++] = SPACE
      else {
        folded = foldedString(decoded)
        if (folded === null) return -1
      }
      at = decoded === null ? at + 1 : stop + 1
    } else if (isSurrogate(unit)) {
      const point = text.codePointAt(at)!
      at += point > 0xffff ? 2 : 1
      folded = foldedBytes(point > 0xffff ? point : REPLACEMENT)
    } else {
      at++
      if (to === ALONE) {
        target[end++] = SPACE
        end = putThree(target, end, unit)
        target[end++] = SPACE
      } else if (to === LOOSE) return -1
      else if (to !== NOTHING) folded = foldedBytes(unit)
    }
    if (folded !== null) {
      target = reserve(memory, end + folded.length + BYTES_PER_UNIT * (length - at) + MARGIN)
      view = viewOf(target)
      target.set(folded, end)
      end += folded.length
    }
  }
  return end
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
}

function isSurrogate(unit: number): boolean {
  return (unit & 0xf800) === 0xd800
}

/** UTF-8 of a unit from 0x800 on; returns where it ends. */
function putThree(target: Buffer, start: number, unit: number): number {
  target[start] = 0xe0 | (unit >> 12)
  target[start + 1] = 0x80 | ((unit >> 6) & 0x3f)
  target[start + 2] = 0x80 | (unit & 0x3f)
  return start + 3
}

/** null: it has loose parts. */
function foldedString(text: string): Buffer | null {
  const parts: Buffer[] = []
  for (const character of text) {
    const point = character.codePointAt(0)!
    if (point <= 0xffff && (foldTable[point] || learnFolding(point)) === LOOSE) return null
    parts.push(foldedBytes(point))
  }
  return Buffer.concat(parts)
}

function takeIn(text: string): Uint16Array {
  const units = Math.max(text.length, USUAL_UNITS)
  if (input.length < units || input.length > Math.max(units, MOST_UNITS_KEPT)) {
    input = new Uint16Array(units)
    inputBytes = bytesOf(input)
  }
  inputBytes.write(text, 'utf16le')
  return input
}

function bytesOf(units: Uint16Array): Buffer {
  return Buffer.from(units.buffer)
}

function reserve(memory: Memory, needed: number): Buffer {
  if (needed > memory.bytes.length) {
    const larger = Buffer.alloc(Math.max(needed, 2 * memory.bytes.length))
    memory.bytes.copy(larger)
    memory.bytes = larger
  }
  return memory.bytes
}
