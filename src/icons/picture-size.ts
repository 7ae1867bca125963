/** How large a picture is, as its first bytes say. */
export interface PictureSize {
  readonly width: number
  readonly height: number
}

const SIZES: Readonly<Record<string, (bytes: Buffer) => PictureSize | null>> = {
  // PNG §11.2.2: IHDR comes first.
  'image/png': (bytes) =>
    bytes.length < 24 || bytes.toString('latin1', 12, 16) !== 'IHDR'
      ? null
      : { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) },
  'image/gif': (bytes) => (bytes.length < 10 ? null : { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }),
  'image/jpeg': jpegSize,
  'image/webp': webpSize,
}

/** null: it does not say, or it is of a type that is not read here. */
export function pictureSize(type: string, bytes: Buffer): PictureSize | null {
  return SIZES[type]?.(bytes) ?? null
}

/** Markers without a length: RST0 to RST7, SOI, EOI, TEM. */
const isBare = (marker: number) => (marker >= 0xd0 && marker <= 0xd9) || marker === 0x01
/** Start of a frame, but DHT, JPG and DAC, which have numbers between theirs (ITU-T T.81, table B.1). */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

function jpegSize(bytes: Buffer): PictureSize | null {
  for (let at = 2; at + 9 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return null
    const marker = bytes.readUInt8(at + 1)
    if (isFrame(marker)) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    at += isBare(marker) ? 2 : marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2)
  }
  return null
}

/** Its three forms: RFC 9649 §2.5 to §2.7. */
function webpSize(bytes: Buffer): PictureSize | null {
  if (bytes.length < 30) return null
  const form = bytes.toString('latin1', 12, 16)
  if (form === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  if (form === 'VP8 ') return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  if (form !== 'VP8L') return null
  const bits = bytes.readUInt32LE(21)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}
