import { isUtf8 } from 'node:buffer'

const LESS_THAN = 0x3c
const HEAD_BYTES = 64

/** The name of a charset that is not read, by how a document begins; null for all others. */
export function refusedByBytes(bytes: Buffer): string | null {
  const first = bytes[0]
  // Nearly every document begins with `<` or the UTF-8 mark.
  if (first === LESS_THAN || first === 0xef || first === undefined) return null
  const head = bytes.subarray(0, HEAD_BYTES)
  if (UTF_7.test(head.toString('latin1'))) return 'utf-7'
  return EBCDIC.test(head.toString('latin1')) && !isUtf8(head) ? 'ebcdic' : null
}

/** RFC 2152: the byte order mark or `<` in its base64. */
const UTF_7 = /^\s*(?:\+\/v[89+/]|\+AD[w-z])/

/** White space, then `<` with a letter, `?` or `!`, or `{` with a quote or white space (XML 1.0, appendix F). */
const EBCDIC =
  /^[\x40\x15\x25\x05\x0d]*(?:\x4c[\x6f\x5a\x81-\x89\x91-\x99\xa2-\xa9\xc1-\xc9\xd1-\xd9\xe2-\xe9]|\xc0[\x7f\x40\x15\x25\x05\x0d])/
