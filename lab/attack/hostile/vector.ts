/** Content that tries to run, to call home, to leave, to cover the page or to fill it. Calls `pwned()` if it can. */
export interface Vector {
  readonly name: string
  readonly html: string
}

/** Nothing is there; a client that requests it was tricked into it. */
export const EVIL = 'http://evil.localhost'

export function joinVector(name: string, parts: readonly string[]): Vector {
  return { name, html: parts.join('\n') }
}
