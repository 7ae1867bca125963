/**
 * Advisory locks of one cluster, held until the transaction ends. Whoever takes several takes them in this order, and
 * before it locks any row, so that no two wait for each other in a circle.
 */
export const LOCKS = {
  /** Steps of the schema: any number of processes may start at once. */
  migration: 1,
  /** Sources, query feeds and whatever else people set; their revisions become visible in their order. */
  settings: 2,
  /** The numbers of items and buffer entries (record-refreshes.ts): become visible in their order. */
  log: 3,
  /** Likewise of publications. */
  publications: 4,
  /** The text index: whoever adds to it, or removes items of it. */
  words: 5,
  /** Held by a move for as long as it works; a process that opens the store looks whether it is free. */
  move: 6,
  /** Making and dropping partitions. */
  partitions: 7,
} as const

export type Lock = keyof typeof LOCKS

/** The first key of all our locks: "HWTR", so that no other program on the same database means the same ones. */
export const LOCK_SPACE = 0x48575452

export function lockStatement(locks: readonly Lock[]): string {
  const inOrder = [...locks].sort((a, b) => LOCKS[a] - LOCKS[b])
  return inOrder.map((lock) => `SELECT pg_advisory_xact_lock(${LOCK_SPACE}, ${LOCKS[lock]})`).join('; ')
}
