import type { CoverPair } from '../../refresh/covers/pair.ts'
import { jsonState, type NamedState } from '../../store/node-state.ts'
import type { Store } from '../../store/store.ts'
import type { CoverKeeper } from './cover-keeper.ts'

/** Which sources show the items of others. */
export const COVERS: NamedState<readonly CoverPair[]> = jsonState('covers', [], readPairs)

type StateStore = Pick<Store, 'changeState'>

/** Each crawler of a cluster knows the pairs of its own sites, and leaves those of others as they are. */
export async function saveCovers(keeper: Pick<CoverKeeper, 'pairs' | 'isKnown'>, store: StateStore): Promise<void> {
  await store.changeState(COVERS, (stored) => {
    const pairs = [...stored.filter(({ member }) => !keeper.isKnown(member)), ...keeper.pairs()]
    return pairs.length > 0 ? pairs : stored
  })
}

/** Pairs of another form are learnt again. */
function readPairs(stored: unknown): readonly CoverPair[] | undefined {
  return Array.isArray(stored) ? (stored as CoverPair[]).filter((pair) => pair?.v === 1) : undefined
}
