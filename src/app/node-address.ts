import type { Logger } from '../runtime/logger.ts'
import { textState } from '../store/node-state.ts'
import type { Store } from '../store/store.ts'
import type { Config } from './settings/config.ts'

const ADDRESS = textState('address')

/** For commands beside the node, which may run on another port than they would guess. */
function saveNodeAddress(baseUrl: string, store: Pick<Store, 'saveState'>): Promise<void> {
  return store.saveState(ADDRESS, baseUrl)
}

/** A node on a full disk serves as well, and is then found where it is configured. */
export async function keepNodeAddress(
  baseUrl: string,
  store: Pick<Store, 'saveState'>,
  logger: Pick<Logger, 'warn'>,
): Promise<void> {
  try {
    await saveNodeAddress(baseUrl, store)
  } catch (error) {
    logger.warn({ err: error }, 'the address of the node could not be written')
  }
}

/** How readers reach the node: as it is configured, else as it last served, without `/` at the end. */
export async function nodeAddress(
  config: Pick<Config, 'publicUrl' | 'host' | 'port'>,
  store: Pick<Store, 'state'>,
): Promise<string> {
  const address = config.publicUrl ?? ((await store.state(ADDRESS)) || `http://${config.host}:${config.port}`)
  return address.replace(/\/+$/, '')
}
