import type { InstantMs, SourceSettings, UserId } from '../model/index.ts'
import type { Store } from './store.ts'

/** As addSources, for one. */
export async function addOneSource(
  store: Pick<Store, 'addSources'>,
  settings: SourceSettings,
  now: InstantMs,
  by?: UserId | null,
): Promise<Awaited<ReturnType<Store['addSources']>>[number]> {
  const [answer] = await store.addSources([settings], now, by)
  if (answer === undefined) throw new Error(`the store said nothing about ${settings.url}`)
  return answer
}
