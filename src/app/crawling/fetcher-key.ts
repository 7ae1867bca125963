import { join } from 'node:path'
import { randomSecret } from '../../runtime/random.ts'
import { KEY_FILE, openVault } from '../../runtime/vault.ts'
import { textState } from '../../store/node-state.ts'
import type { Data } from '../data/data.ts'
import type { Config } from '../settings/config.ts'

/** Sealed: the database alone does not tell who fetches. */
const FETCHER_KEY = textState('fetcher-key')

/**
 * The key with which fetchers are named. Where it cannot be kept or read (a disk that cannot be written, another key file),
 * a new one: those who fetch then count as new, and the old ones are forgotten within a fortnight.
 */
export async function fetcherKey(
  { dataDir, keyFile }: Pick<Config, 'dataDir' | 'keyFile'>,
  { store }: Data,
): Promise<string> {
  const vault = openVault(keyFile ?? join(dataDir, KEY_FILE))
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
