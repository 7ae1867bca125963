import type { HubDoor } from '../../api/hub-routes.ts'
import { HostShares } from '../../http/host-shares.ts'
import { type HubOutput, MINUTE_MS } from '../../model/index.ts'
import { type FeedAddress, feedPath } from '../../publisher/addresses.ts'
import type { CheckAccess } from '../../publisher/feed-access.ts'
import type { CallbackClient } from '../../publisher/hub/callback-client.ts'
import { packHubKeys } from '../../publisher/hub/hub-keys.ts'
import { type HubRequest, readHubRequest } from '../../publisher/hub/hub-request.ts'
import { readTopic, type Topic } from '../../publisher/hub/topic.ts'
import { verifyIntent } from '../../publisher/hub/verify-intent.ts'
import type { Clock } from '../../runtime/clock.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { builtInFeedId } from '../../store/hub.ts'
import type { Store } from '../../store/store.ts'

export interface HubDoorDeps {
  readonly store: Pick<
    Store,
    'queryFeed' | 'sourcesById' | 'categories' | 'saveHubSubscription' | 'endHubSubscription' | 'hubCrowd'
  >
  readonly clock: Clock
  readonly client: CallbackClient
  readonly checkAccess: CheckAccess
  /** Throws if the address is not to be called. */
  readonly checkCallback: (url: string) => Promise<void>
  /** How others reach this node, without a slash at the end. */
  readonly baseUrl: string
  readonly onError: (error: unknown) => void
}

export interface OpenHubDoor extends HubDoor {
  close(): Promise<void>
}

/** Requests of one address. */
const MOST_A_MINUTE = 60
/** Verifications at once: of all, and of one site. */
const MOST_VERIFICATIONS = 256
const MOST_VERIFICATIONS_PER_SITE = 8
/** Subscriptions that stay: to one feed, and of one host to any. */
const MOST_PER_FEED = 20_000
const MOST_PER_HOST = 1_000

/**
 * Takes requests of subscribers, and verifies them. What is not verified is nowhere but in memory: strangers who flood it write
 * nothing, and a subscriber whose request a kill has taken asks again.
 */
export function createHubDoor(deps: HubDoorDeps): OpenHubDoor {
  const { store, clock, client } = deps
  const end = new AbortController()
  const underWay = new Set<Promise<void>>()
  const shares = new HostShares(MOST_VERIFICATIONS_PER_SITE)
  let calls = new Map<string, number>()
  let minuteEndsMs = Number.NEGATIVE_INFINITY

  return {
    admit,
    request: take,
    async close() {
      end.abort()
      await Promise.all(underWay)
      await client.close()
    },
  }

  function admit(address: string): void {
    if (clock.monotonicMs() >= minuteEndsMs) {
      calls = new Map()
      minuteEndsMs = clock.monotonicMs() + MINUTE_MS
    }
    const count = (calls.get(address) ?? 0) + 1
    calls.set(address, count)
    if (count > MOST_A_MINUTE) throw new HeadwaterError('HUB_TOO_MANY', `${MOST_A_MINUTE} requests a minute`)
  }

  async function take(form: URLSearchParams): Promise<void> {
    const request = readHubRequest(form)
    const topic = readTopic(request.topic, deps.baseUrl)
    const feed = topic === null ? null : await hubFeedOf(topic.address, store)
    // Whoever unsubscribes may have lost the right to the feed.
    const mayAsk = topic !== null && (request.mode === 'unsubscribe' || (await mayOpen(topic)))
    if (topic === null || feed === null || !mayAsk) throw new HeadwaterError('HUB_TOPIC_UNKNOWN')
    await deps.checkCallback(request.callback)
    const output: HubOutput = { kind: 'websub', url: request.callback, format: topic.format }
    const { ofFeed, ofHost, isKnown } = await store.hubCrowd(feed.feedId, output)
    if (request.mode === 'subscribe' && !isKnown && (ofFeed >= MOST_PER_FEED || ofHost >= MOST_PER_HOST)) {
      throw new HeadwaterError('HUB_TOO_MANY', 'subscriptions')
    }
    start(request, async () => {
      if (request.mode === 'unsubscribe') return store.endHubSubscription(feed.feedId, output)
      const secret = packHubKeys({ secret: request.secret, token: topic.token })
      const leaseEndsAt = clock.now() + request.leaseMs
      return store.saveHubSubscription({ ...feed, output, secret, leaseEndsAt }, clock.now())
    })
  }

  async function mayOpen({ address, token }: Topic): Promise<boolean> {
    const verdict = await deps.checkAccess(address, token)
    return verdict === 'open' || verdict === 'granted'
  }

  /** Behind the answer, which must not depend on it (WebSub §5.1.2). */
  function start(request: HubRequest, carryOut: () => Promise<void>): void {
    const giveBack = underWay.size < MOST_VERIFICATIONS ? shares.take(request.callback) : null
    if (giveBack === null) throw new HeadwaterError('HUB_TOO_MANY', 'verifications at once')
    const task = verifyIntent(request, client, clock, end.signal)
      .then((isMeant) => (isMeant ? carryOut() : undefined))
      .catch(deps.onError)
      .finally(() => {
        underWay.delete(task)
        giveBack()
      })
    underWay.add(task)
  }
}

/** null: there is no such feed. */
async function hubFeedOf(
  address: FeedAddress,
  store: Pick<Store, 'queryFeed' | 'sourcesById' | 'categories'>,
): Promise<{ readonly feedId: number; readonly path?: string } | null> {
  if (address.kind === 'query') {
    const feed = await store.queryFeed(address.name)
    return feed && { feedId: feed.id }
  }
  if (address.kind === 'source' && !(await store.sourcesById([address.sourceId])).has(address.sourceId)) return null
  if (address.kind === 'category') {
    const { category } = address
    if (!(await store.categories()).some((known) => known.category === category)) return null
  }
  const path = feedPath(address)
  return { feedId: builtInFeedId(path), path }
}
