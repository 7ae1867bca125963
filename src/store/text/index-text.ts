import { words } from './fold.ts'
import { entries, foldedBytes, foldTable, learn } from './fold-table.ts'
import { stripMarkup } from './markup.ts'
import { AMPERSAND, decodedEntity, endOfEntity, endOfMarkup, LESS } from './markup-units.ts'

const USUAL_UNITS = 65_536
const USUAL_BYTES = 1 << 20
const MOST_BYTES_KEPT = 1 << 24
/** A unit of UTF-16 becomes three bytes and two spaces at most, unless it becomes a string. */
const BYTES_PER_UNIT = 5
const SPACE = 0x20
const { UNKNOWN, SEPARATOR, NOTHING, ALONE, OTHER, LOOSE } = entries

// One text at a time, in one thread: all share this memory.
let units = new Uint16Array(USUAL_UNITS)
let unitBytes = Buffer.from(units.buffer)

/** Where in the memory a text stands. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Texts for the full-text index in one piece of memory, so that the strings they were made of need not be kept. */
export interface IndexTexts {
  /** Adds texts, HTML or plain, as one; a word never reaches over two of them. */
  add(texts: readonly string[]): Span
  /** Valid until the next `add` or `clear`. */
  bytes(span: Span): Buffer
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
      // What a very long text needed is not kept for ever.
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
  reserve(memory, start + BYTES_PER_UNIT * text.length + 1)
  let end = isAscii(text) ? addAscii(memory, stripMarkup(text)) : -1
  if (end === -1) {
    takeIn(text)
    end = foldUnits(memory, text)
  }
  memory.end = end === -1 ? addSlowly(memory, text, start) : end
  memory.bytes[memory.end++] = SPACE
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length
}

/** The tokenizer folds ASCII itself. −1: there were entities that stand for more. */
function addAscii(memory: Memory, plain: string): number {
  return isAscii(plain) ? memory.end + memory.bytes.write(plain, memory.end, 'latin1') : -1
}

/** For a text with characters in loose parts, which must be composed first. */
function addSlowly(memory: Memory, text: string, start: number): number {
  const folded = Buffer.from(words(stripMarkup(text)).join(' '))
  reserve(memory, start + folded.length + 1)
  memory.bytes.set(folded, start)
  return start + folded.length
}

/**
 * The inner loop of indexing; returns where the bytes end, or −1 if the text must be composed first. On an array, with
 * local variables: charCodeAt and variables of the module make it two to three times slower.
 */
function foldUnits(memory: Memory, text: string): number {
  const length = text.length
  const source = units
  const table = foldTable
  let target = memory.bytes
  let end = memory.end
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
    } else if (to === SEPARATOR) {
      let bytes: Buffer | null = null
      if (code === LESS) at = endOfMarkup(source, at, length)
      else if (code === AMPERSAND) {
        const stop = endOfEntity(source, at, length)
        const decoded = stop === -1 ? null : decodedEntity(text.slice(at, stop + 1))
        if (decoded !== null) {
          bytes = foldedString(decoded)
          if (bytes === null) return -1
          at = stop
        }
      }
      if (bytes === null) target[end++] = SPACE
      else {
        target = reserve(memory, end + bytes.length + BYTES_PER_UNIT * (length - at) + 1)
        target.set(bytes, end)
        end += bytes.length
      }
    } else if (to === ALONE) {
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
      target = reserve(memory, end + bytes.length + BYTES_PER_UNIT * (length - at) + 1)
      target.set(bytes, end)
      end += bytes.length
    } else if (to !== NOTHING) return -1
  }
  return end
}

/** null: it has loose parts. */
function foldedString(text: string): Buffer | null {
  const parts: Buffer[] = []
  for (const character of text) {
    const point = character.codePointAt(0)!
    if (point <= 0xffff && (foldTable[point] || learn(point)) === LOOSE) return null
    parts.push(foldedBytes(point))
  }
  return Buffer.concat(parts)
}

function takeIn(text: string): void {
  const wanted = Math.max(text.length, USUAL_UNITS)
  if (units.length < wanted || units.length > Math.max(wanted, MOST_BYTES_KEPT)) {
    units = new Uint16Array(wanted)
    unitBytes = Buffer.from(units.buffer)
  }
  unitBytes.write(text, 'utf16le')
}

function reserve(memory: Memory, needed: number): Buffer {
  if (needed > memory.bytes.length) {
    const larger = Buffer.alloc(Math.max(needed, 2 * memory.bytes.length))
    memory.bytes.copy(larger)
    memory.bytes = larger
  }
  return memory.bytes
}
