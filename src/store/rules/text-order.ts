/**
 * The order of names in answers: by code points, as the bytes of UTF-8 are ordered and databases order without a language.
 * JavaScript's own order is by UTF-16 units and puts emoji before some rarer letters.
 */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
