const HEADER_BYTES = 6
const ENTRY_BYTES = 16
const MOST_ENTRIES = 64
/** Lists show some 32 pixels, sharp screens twice as many. */
const BEST_PX = 64

interface Entry {
  /** Of its line in the directory. */
  readonly at: number
  readonly px: number
  readonly bitCount: number
  readonly offset: number
  readonly length: number
}

/**
 * Icon files hold the same picture in many sizes, some of them far too large to be sent for every line of a list. What is left is a file
 * with the one that lists need, written anew. null: it is no such file, or says what is not so.
 */
export function bestOfIco(bytes: Buffer): Buffer | null {
  if (bytes.length < HEADER_BYTES) return null
  const count = bytes.readUInt16LE(4)
  if (count === 0 || count > MOST_ENTRIES || bytes.length < HEADER_BYTES + count * ENTRY_BYTES) return null
  const entries = Array.from({ length: count }, (_, index) => readEntry(bytes, HEADER_BYTES + index * ENTRY_BYTES))
  const first = HEADER_BYTES + count * ENTRY_BYTES
  const whole = entries.filter(({ offset, length }) => offset >= first && length > 0 && offset + length <= bytes.length)
  const [best] = whole.sort((a, b) => rank(a) - rank(b) || b.bitCount - a.bitCount)
  return best === undefined ? null : writeSingle(bytes, best)
}

function readEntry(bytes: Buffer, at: number): Entry {
  return {
    at,
    // 0 stands for 256.
    px: bytes.readUInt8(at) || 256,
    bitCount: bytes.readUInt16LE(at + 6),
    length: bytes.readUInt32LE(at + 8),
    offset: bytes.readUInt32LE(at + 12),
  }
}

/** One that is too large is better than one that is too small. */
function rank({ px }: Entry): number {
  return px >= BEST_PX ? px - BEST_PX : 1_000 * (BEST_PX - px)
}

function writeSingle(bytes: Buffer, { at, offset, length }: Entry): Buffer {
  const head = Buffer.alloc(HEADER_BYTES + ENTRY_BYTES)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  bytes.copy(head, HEADER_BYTES, at, at + ENTRY_BYTES)
  head.writeUInt32LE(head.length, HEADER_BYTES + 12)
  return Buffer.concat([head, bytes.subarray(offset, offset + length)])
}
