import type { Clock } from '../../runtime/clock.ts'
import type { Store } from '../../store/store.ts'
import type { Config } from '../settings/config.ts'

const RANGES_STATE = 'allowRange'

/**
 * Sources whose address was refused back off for hours. Once other ranges are allowed than at the last start they are tried at
 * once: what is refused still costs nobody a request.
 */
export async function retryRefused(
  { allowRange }: Pick<Config, 'allowRange'>,
  store: Pick<Store, 'nodeState' | 'saveNodeState' | 'sources' | 'requestRefresh'>,
  clock: Pick<Clock, 'now'>,
): Promise<void> {
  const ranges = JSON.stringify([...allowRange].sort())
  const before = (await store.nodeState(RANGES_STATE)) ?? '[]'
  if (ranges === before) return
  const refused = (await store.sources()).filter(({ state }) => state.lastError?.code === 'FETCH_ADDRESS_REFUSED')
  if (refused.length > 0)
    await store.requestRefresh(
      refused.map(({ id }) => id),
      clock.now(),
    )
  await store.saveNodeState(RANGES_STATE, ranges)
}
