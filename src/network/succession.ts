/** Keys of the items of a document, in its order. */
export type ItemKeys = readonly string[]

/**
 * Whether a publisher who showed the one can have come to show the other: what is gone fell out of the window at the end where
 * nothing comes in, and no more is gone than has come. What a member withholds or makes up shows here, as soon as somebody has
 * looked at the origin. A publisher who takes back an item looks the same; that costs a few requests, and no item.
 */
export function canFollow(older: ItemKeys, newer: ItemKeys): boolean {
  const [before, after] = [new Set(older), new Set(newer)]
  const gone = older.map((key) => !after.has(key))
  const fresh = newer.map((key) => !before.has(key))
  const vanished = gone.filter(Boolean).length
  const newcomers = fresh.filter(Boolean).length
  if (vanished === 0) return true
  if (vanished > newcomers) return false
  if (vanished === older.length) return true
  const [isNewestFirst, isOldestFirst] = [fresh[0] === true, fresh.at(-1) === true]
  return (
    (isNewestFirst && gone.slice(-vanished).every(Boolean)) || (isOldestFirst && gone.slice(0, vanished).every(Boolean))
  )
}
