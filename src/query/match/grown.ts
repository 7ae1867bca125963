/** A larger array with the old one at its beginning. */
export function grown<T extends { set(old: T): void }>(larger: T, old: T): T {
  larger.set(old)
  return larger
}
