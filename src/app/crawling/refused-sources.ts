import type { Clock } from '../../runtime/clock.ts'
import { jsonState, readWords } from '../../store/node-state.ts'
import type { Store } from '../../store/store.ts'
import type { Config } from '../settings/config.ts'

const ALLOWED_RANGES = jsonState('allowRange', [], readWords)

/**
 * Sources whose address was refused back off for hours. Once other ranges are allowed than at the last start they are tried at
 * once: what is refused still costs nobody a request.
 */
export async function retryRefusedSources(
  { allowRange }: Pick<Config, 'allowRange'>,
  store: Pick<Store, 'state' | 'saveState' | 'sources' | 'requestRefresh'>,
  clock: Pick<Clock, 'now'>,
): Promise<void> {
  const ranges = [...allowRange].sort()
  const before = await store.state(ALLOWED_RANGES)
  if (ranges.join() === before.join()) return
  const refused = (await store.sources()).filter(({ state }) => state.lastError?.code === 'FETCH_ADDRESS_REFUSED')
  if (refused.length > 0)
    await store.requestRefresh(
      refused.map(({ id }) => id),
      clock.now(),
    )
  await store.saveState(ALLOWED_RANGES, ranges)
}
