import { words } from './fold.ts'
import { entries, foldedBytes, foldTable, learn } from './fold-table.ts'
import { stripMarkup } from './markup.ts'
import { AMPERSAND, decodedEntity, endOfEntity, endOfMarkup, LESS } from './markup-bytes.ts'

const USUAL_BYTES = 1 << 20
const MOST_BYTES_KEPT = 1 << 24
/** A unit of UTF-16 is three bytes at most in UTF-8; with two spaces around it five. */
const UTF8_BYTES_PER_UNIT = 3
const BYTES_PER_UNIT = 5
/** Below this a loop copies faster than a call. */
const SHORT_RUN = 24
const SPACE = 0x20
const { UNKNOWN, SEPARATOR, NOTHING, ALONE, LOOSE } = entries

/** 1: must be looked at; what is not stands for itself, since the tokenizer folds ASCII and drops marks by itself. */
const isSpecial = new Uint8Array(256)
isSpecial.fill(1, 0x80)
isSpecial[LESS] = 1
isSpecial[AMPERSAND] = 1

// One text at a time, in one thread: all share this memory.
let input = Buffer.alloc(USUAL_BYTES)

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
  const end = foldBytes(memory, takeIn(text))
  memory.end = end === -1 ? addSlowly(memory, text, start) : end
  memory.bytes[memory.end++] = SPACE
}

/** For a text with characters in loose parts, which must be composed first. */
function addSlowly(memory: Memory, text: string, start: number): number {
  const folded = Buffer.from(words(stripMarkup(text)).join(' '))
  reserve(memory, start + folded.length + 1)
  memory.bytes.set(folded, start)
  return start + folded.length
}

/**
 * The inner loop of indexing; returns where the bytes end, or −1 if the text must be composed first. Runs of plain ASCII
 * are copied whole: looking at each character costs most where letters and spaces alternate, which no processor can
 * foresee. Local variables, because those of the module are slower.
 */
function foldBytes(memory: Memory, length: number): number {
  const source = input
  const special = isSpecial
  const table = foldTable
  let target = reserve(memory, memory.end + BYTES_PER_UNIT * length + 1)
  let end = memory.end
  let at = 0
  while (at < length) {
    const from = at
    while (at < length && special[source[at]!] === 0) at++
    if (at - from < SHORT_RUN) for (let i = from; i < at; i++) target[end++] = source[i]!
    else {
      target.set(source.subarray(from, at), end)
      end += at - from
    }
    if (at >= length) break
    const first = source[at]!
    let folded: Buffer | null = null
    if (first === LESS) {
      at = endOfMarkup(source, at, length) + 1
      target[end++] = SPACE
    } else if (first === AMPERSAND) {
      const stop = endOfEntity(source, at, length)
      const decoded = stop === -1 ? null : decodedEntity(source.toString('latin1', at, stop + 1))
      if (decoded === null) target[end++] = SPACE
      else {
        folded = foldedString(decoded)
        if (folded === null) return -1
      }
      at = decoded === null ? at + 1 : stop + 1
    } else {
      const size = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
      const second = source[at + 1]! & 0x3f
      let point = ((first & 0x1f) << 6) | second
      if (size === 3) point = ((first & 0x0f) << 12) | (second << 6) | (source[at + 2]! & 0x3f)
      if (size === 4) {
        point = ((first & 0x07) << 18) | (second << 12) | ((source[at + 2]! & 0x3f) << 6) | (source[at + 3]! & 0x3f)
      }
      at += size
      let to: number = size === 4 ? entries.OTHER : table[point]!
      if (to === UNKNOWN) to = learn(point)
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
        target[end++] = SPACE
        for (let i = at - size; i < at; i++) target[end++] = source[i]!
        target[end++] = SPACE
      } else if (to === LOOSE) return -1
      else if (to !== NOTHING) folded = foldedBytes(point)
    }
    if (folded !== null) {
      target = reserve(memory, end + folded.length + BYTES_PER_UNIT * (length - at) + 1)
      target.set(folded, end)
      end += folded.length
    }
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

/** Returns how many bytes it has in UTF-8. */
function takeIn(text: string): number {
  const wanted = Math.max(UTF8_BYTES_PER_UNIT * text.length, USUAL_BYTES)
  if (input.length < wanted || input.length > Math.max(wanted, MOST_BYTES_KEPT)) input = Buffer.alloc(wanted)
  return input.write(text)
}

function reserve(memory: Memory, needed: number): Buffer {
  if (needed > memory.bytes.length) {
    const larger = Buffer.alloc(Math.max(needed, 2 * memory.bytes.length))
    memory.bytes.copy(larger)
    memory.bytes = larger
  }
  return memory.bytes
}
