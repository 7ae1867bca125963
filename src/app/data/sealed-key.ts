import { randomSecret } from '../../runtime/random.ts'
import type { NamedState } from '../../store/node-state.ts'
import type { OpenedData } from './opened-data.ts'

/**
 * A key that all processes on the same data share, sealed: the database alone does not reveal it. Where it cannot be stored or
 * read (a disk that cannot be written, another key file), a new one.
 */
export async function sealedKey(
  state: NamedState<string>,
  { store, vault }: Pick<OpenedData, 'store' | 'vault'>,
  key = randomSecret(),
): Promise<string> {
  const stored = await store.state(state)
  try {
    const sealed = stored === '' ? await store.agreeOnState(state, vault.seal(key)) : stored
    const known = vault.open(sealed)
    if (known !== null) return known
    await store.saveState(state, vault.seal(key))
  } catch {
    // As said above.
  }
  return key
}
