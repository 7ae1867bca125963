/** A side of a picture that shows nothing. */
const NO_SIDE = /^\s*[01](?:\.0+)?(?:px)?\s*$/i
const NO_WIDTH = /(?:^|;)\s*width\s*:\s*[01](?:px)?\s*(?:;|!|$)/i
const NO_HEIGHT = /(?:^|;)\s*height\s*:\s*[01](?:px)?\s*(?:;|!|$)/i

/** A picture of one pixel is there to count who reads, not to be seen. */
export function isPixel({ width, height, style = '' }: Readonly<Record<string, string>>): boolean {
  return (NO_SIDE.test(width ?? '') || NO_WIDTH.test(style)) && (NO_HEIGHT.test(style) || NO_SIDE.test(height ?? ''))
}

/** Whether this attribute of a picture may make it one: then all of them have to be looked at. */
export function maybeOfPixel(name: string, value: string): boolean {
  if (name === 'style') return NO_WIDTH.test(value) || NO_HEIGHT.test(value)
  return (name === 'width' || name === 'height') && NO_SIDE.test(value)
}
