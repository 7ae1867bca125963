import { randomSecret } from '../../runtime/random.ts'
import { textState } from '../../store/node-state.ts'
import type { OpenedData } from '../data/opened-data.ts'

/** Sealed: the database alone does not reveal who fetches. */
const FETCHER_KEY = textState('fetcher-key')

/**
 * The key with which fetchers are named. Where it cannot be stored or read (a disk that cannot be written, another key
 * file), a new one: those who fetch then count as new, and the old ones are forgotten within a fortnight.
 */
export async function fetcherKey({ store, vault }: Pick<OpenedData, 'store' | 'vault'>): Promise<string> {
  const sealed = await store.state(FETCHER_KEY)
  const known = sealed === '' ? null : vault.open(sealed)
  if (known !== null) return known
  const key = randomSecret()
  try {
    await store.saveState(FETCHER_KEY, vault.seal(key))
  } catch {
    // As said above.
  }
  return key
}
