import type { ItemSeq } from '../../model/index.ts'

/** Up to which items a user has marked all as read. */
export interface ReadUpTo {
  readonly everything: ItemSeq
  readonly itsSource: ItemSeq
}

/** What was said of the item itself, else whether all up to it was read at once. */
export function isRead(said: boolean | null, seq: ItemSeq, upTo: ReadUpTo): boolean {
  return said ?? seq <= Math.max(upTo.everything, upTo.itsSource)
}
