const FIRST_LENGTH = 1_024

/** The words of one folded text (index-text.ts), as places in its bytes. Used again for the next. */
export interface WordScanner {
  /** Begin and end of each word, and a hash of it. Valid until the next scan. */
  starts: Int32Array
  ends: Int32Array
  hashes: Int32Array
  count: number
  scan(bytes: Buffer): void
}

const FNV_START = 0x811c9dc5 | 0
const FNV_FACTOR = 0x01000193

export function createWordScanner(): WordScanner {
  const scanner: WordScanner = {
    starts: new Int32Array(FIRST_LENGTH),
    ends: new Int32Array(FIRST_LENGTH),
    hashes: new Int32Array(FIRST_LENGTH),
    count: 0,
    scan(bytes) {
      // A word takes two bytes at least, with what separates it from the next.
      const most = (bytes.length >> 1) + 1
      if (scanner.starts.length < most) {
        scanner.starts = new Int32Array(2 * most)
        scanner.ends = new Int32Array(2 * most)
        scanner.hashes = new Int32Array(2 * most)
      }
      scanner.count = scanWords(bytes, scanner)
    },
  }
  return scanner
}

/** Local variables in a loop of its own: see index-text.ts. */
function scanWords(bytes: Buffer, { starts, ends, hashes }: WordScanner): number {
  const { length } = bytes
  let count = 0
  let at = 0
  while (at < length) {
    while (at < length && !isInWord(bytes[at]!)) at++
    if (at >= length) break
    let hash = FNV_START
    starts[count] = at
    while (at < length) {
      const byte = bytes[at]!
      if (!isInWord(byte)) break
      hash = Math.imul(hash ^ byte, FNV_FACTOR)
      at++
    }
    ends[count] = at
    hashes[count] = hash
    count++
  }
  return count
}

/** What SQLite's `ascii` tokenizer takes for part of a word, in text that is folded. */
export function isInWord(byte: number): boolean {
  return byte >= 0x80 || (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x30 && byte <= 0x39)
}

export function wordHash(word: string): number {
  let hash = FNV_START
  for (const byte of Buffer.from(word)) hash = Math.imul(hash ^ byte, FNV_FACTOR)
  return hash
}

/** Of two words that follow each other; their order counts. */
export function pairHash(first: number, second: number): number {
  let hash = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b)
  hash ^= hash >>> 15
  hash = Math.imul(hash, 0x2c1b3c6d)
  return hash ^ (hash >>> 13)
}
