import type { ItemSeq, Mark } from '../../model/index.ts'
import type { Store } from '../../store/store.ts'
import type { Reader } from './app-door.ts'

/** Marked in one transaction: others get their turn between two. */
const AT_A_TIME = 1_000

/** Items that are not there are left out. */
export async function markInParts(
  seqs: readonly ItemSeq[],
  mark: Partial<Mark>,
  { user }: Reader,
  store: Pick<Store, 'markItems'>,
): Promise<void> {
  for (let at = 0; at < seqs.length; at += AT_A_TIME) {
    await store.markItems(user.id, seqs.slice(at, at + AT_A_TIME), mark)
  }
}
