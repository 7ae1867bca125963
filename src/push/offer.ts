import type { FeedHints, PushSubscription } from '../model/index.ts'
import { parseUrl } from '../runtime/parse-url.ts'

/** Where a feed says that news of it can be had, and under which address. */
export type PushOffer = Pick<PushSubscription, 'kind' | 'hub' | 'topic'>

/** Longer addresses are made to do harm. */
const LONGEST_ADDRESS = 2_000

/**
 * The first hub that can be used, over TLS where there is a choice (WebSub §4: any of them may be subscribed to); a cloud of RSS
 * 2.0 where there is no hub. `url`: of the source, where the feed does not name itself.
 */
export function pushOffer(hints: FeedHints | null, url: string): PushOffer | null {
  if (hints === null) return null
  const topic = usable(hints.selfUrl) ?? usable(url)
  if (topic === null) return null
  const hubs = hints.hubs.flatMap((hub) => usable(hub) ?? [])
  const hub = hubs.find((one) => one.startsWith('https:')) ?? hubs[0]
  if (hub !== undefined) return { kind: 'websub', hub, topic }
  const cloud = usable(hints.cloudUrl ?? null)
  return cloud === null ? null : { kind: 'rsscloud', hub: cloud, topic: usable(url) ?? topic }
}

function usable(text: string | null): string | null {
  const url = text === null || text.length > LONGEST_ADDRESS ? null : parseUrl(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null
  return text
}

/** A hub on the internet cannot call a node that only its own machine reaches; nobody is asked in vain. */
export function canCall(hub: string, callbackBase: string): boolean {
  const isLocal = (address: string) => {
    const name = parseUrl(address)?.hostname ?? ''
    return name === 'localhost' || name.endsWith('.localhost') || name.startsWith('127.') || name === '[::1]'
  }
  return !isLocal(callbackBase) || isLocal(hub)
}
