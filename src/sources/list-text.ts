import { isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'

/** A list as text. Readers export UTF-8, a few UTF-16; old ones name another charset in the XML declaration. */
export function listText(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return iconv.decode(buffer, charsetOf(buffer))
}

function charsetOf(bytes: Buffer): string {
  const [first, second] = bytes
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0 && second === 0x3c) return 'utf-16be'
  if (first === 0x3c && second === 0) return 'utf-16le'
  if (isUtf8(bytes)) return 'utf-8'
  const declared = /^\s*<\?xml[^>]{0,100}encoding\s*=\s*["']([\w.:-]{1,40})["']/i.exec(bytes.toString('latin1', 0, 200))
  const charset = declared?.[1] ?? 'windows-1252'
  return iconv.encodingExists(charset) && !/^utf/i.test(charset) ? charset : 'windows-1252'
}
