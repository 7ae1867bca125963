/** Keys of the items of a document, in its order. */
export type ItemKeys = readonly string[]

/**
 * Whether a publisher who showed the one can have come to show the other: what is gone fell out of the window at one end of it, and
 * no more is gone than has come. What a member withholds or makes up shows here, as soon as somebody has looked at the origin.
 * A publisher who takes back an item looks the same; that costs a few requests, and no item.
 */
export function canFollow(older: ItemKeys, newer: ItemKeys): boolean {
  const [before, after] = [new Set(older), new Set(newer)]
  const gone = older.map((key) => !after.has(key))
  const vanished = gone.filter(Boolean).length
  if (vanished === 0) return true
  const newcomers = newer.filter((key) => !before.has(key)).length
  if (vanished > newcomers) return false
  return gone.slice(0, vanished).every(Boolean) || gone.slice(-vanished).every(Boolean)
}
