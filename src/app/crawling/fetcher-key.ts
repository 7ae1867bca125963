import { textState } from '../../store/node-state.ts'
import type { OpenedData } from '../data/opened-data.ts'
import { sealedKey } from '../data/sealed-key.ts'

const FETCHER_KEY = textState('fetcher-key')

/**
 * The key with which fetchers are named. Where it is lost, those who fetch count as new, and the old ones are forgotten
 * within a fortnight.
 */
export function fetcherKey(data: Pick<OpenedData, 'store' | 'vault'>): Promise<string> {
  return sealedKey(FETCHER_KEY, data)
}
