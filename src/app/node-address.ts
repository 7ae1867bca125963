import type { Store } from '../store/store.ts'
import type { Config } from './config.ts'

const ADDRESS_STATE = 'address'

/** For commands beside the node, which may run on another port than they would guess. */
export function saveNodeAddress(baseUrl: string, store: Pick<Store, 'saveNodeState'>): Promise<void> {
  return store.saveNodeState(ADDRESS_STATE, baseUrl)
}

/** How readers reach the node: as it is configured, else as it last served, without `/` at the end. */
export async function nodeAddress(
  config: Pick<Config, 'publicUrl' | 'host' | 'port'>,
  store: Pick<Store, 'nodeState'>,
): Promise<string> {
  const address = config.publicUrl ?? (await store.nodeState(ADDRESS_STATE)) ?? `http://${config.host}:${config.port}`
  return address.replace(/\/+$/, '')
}
