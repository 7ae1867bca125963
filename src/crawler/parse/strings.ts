/**
 * A copy that shares no memory with the string it was cut from. V8 makes a slice of 13 characters or more point into
 * its parent, so that one kept title would keep its whole document alive. Joining and cutting again forces a copy
 * (measured: 20 ns + 0.1 ns per character).
 */
export function detach(value: string): string {
  return value.length < 13 ? value : ` ${value}`.slice(1)
}
