const at = (bytes: Uint8Array, offset: number, text: string) =>
  bytes.length >= offset + text.length && [...text].every((sign, index) => bytes[offset + index] === sign.charCodeAt(0))

/**
 * What kind of picture these bytes are, whatever a server calls them; null: none that is passed on. SVG is none of them: it is a
 * document that can hold scripts and load others.
 */
export function pictureType(bytes: Uint8Array): string | null {
  if (at(bytes, 0, '\x89PNG\r\n\x1a\n')) return 'image/png'
  if (at(bytes, 0, '\xff\xd8\xff')) return 'image/jpeg'
  if (at(bytes, 0, 'GIF87a') || at(bytes, 0, 'GIF89a')) return 'image/gif'
  if (at(bytes, 0, 'RIFF') && at(bytes, 8, 'WEBP')) return 'image/webp'
  if (at(bytes, 4, 'ftypavif') || at(bytes, 4, 'ftypavis')) return 'image/avif'
  if (at(bytes, 0, '\x00\x00\x01\x00')) return 'image/x-icon'
  if (at(bytes, 0, 'BM') && at(bytes, 6, '\x00\x00\x00\x00')) return 'image/bmp'
  return null
}
