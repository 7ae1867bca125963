import { HostShares } from '../http/host-shares.ts'
import {
  type DurationMs,
  type InstantMs,
  type PushSubscription,
  type Random,
  SECOND_MS,
  type Source,
  type SourceId,
} from '../model/index.ts'
import type { Clock } from '../runtime/clock.ts'
import { randomSecret } from '../runtime/random.ts'
import type { PushPlace, PushStore } from '../store/pushes.ts'
import type { SourcePart } from '../store/shards.ts'
import type { HubClient } from './ask-hub.ts'
import { afterRefusal, atRequest, isCountedOn } from './life.ts'
import { canCall, type PushOffer, pushOffer } from './offer.ts'
import { subscribeForm } from './subscribe-form.ts'

/** Who is told that a source's hub is counted on, or no longer. */
export interface HubListener {
  follow(id: SourceId, hub: string, since: number, isProved: boolean): void
  unfollow(id: SourceId): void
}

export interface SubscriberDeps {
  readonly store: Pick<PushStore, 'savePush' | 'changePush' | 'removePush' | 'pushes' | 'duePushes'>
  readonly client: Pick<HubClient, 'post'>
  readonly listener: HubListener
  /** How hubs reach this node. */
  readonly baseUrl: string
  /** The sources of this process beside others; undefined: all. */
  readonly part: () => SourcePart | undefined
  readonly clock: Pick<Clock, 'now' | 'sleep'>
  readonly random: Random
}

const LOOK_EVERY_MS: DurationMs = SECOND_MS
const PAGE = 1_000
/** Clocks of other processes may be behind by so much. */
const LOOK_BACK_MS: DurationMs = 60 * SECOND_MS
/** Hubs asked at once: of all sites, and of one, which may let each request wait for long. */
const AT_ONCE = 8
const AT_ONCE_OF_SITE = AT_ONCE / 4
/** Looked through at a time for some whose site may be asked. */
const DUE_PAGE = 100
const MOST_DUE_PAGES = 10

/**
 * Subscribes to the hubs that feeds name, renews, and gives up. What is due is in the store, so that a kill costs nothing: a
 * request that nobody remembers is made once more, and the hub sees a renewal.
 */
export class PushSubscriber {
  readonly #deps: SubscriberDeps
  /** What each source is subscribed to, as one text. */
  readonly #known = new Map<SourceId, string>()
  #offers: { readonly id: SourceId; readonly offer: PushOffer | null }[] = []
  #readFrom: number | undefined
  readonly #underWay = new Map<SourceId, Promise<void>>()
  readonly #shares = new HostShares(AT_ONCE_OF_SITE)
  /** Up to where those that are due have been looked through. */
  #dueAfter: PushPlace | null = null
  #lookedAt: InstantMs = Number.NEGATIVE_INFINITY
  /** A slot has become free since the last look. */
  #isFreed = false
  #failure: { readonly error: unknown } | null = null
  #endRest: () => void = () => {}

  constructor(deps: SubscriberDeps) {
    this.#deps = deps
  }

  /** A source was refreshed: its feed may name a hub, another one, or none any more. */
  noteSource({
    id,
    url,
    state,
  }: Pick<Source, 'id' | 'url'> & { readonly state: Pick<Source['state'], 'hints'> }): void {
    const found = pushOffer(state.hints, url)
    const offer = found !== null && canCall(found.hub, this.#deps.baseUrl) ? found : null
    if ((offer === null ? undefined : nameOf(offer)) !== this.#known.get(id)) this.#offers.push({ id, offer })
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.#failure === null) {
      this.#isFreed = false
      await this.step(signal)
      await this.#rest(signal)
    }
    await Promise.all(this.#underWay.values())
    if (this.#failure !== null) throw this.#failure.error
  }

  /** Begins what is to be done now, as far as there is room for it. What has changed is read once in a while, not for each free slot. */
  async step(signal: AbortSignal): Promise<void> {
    const now = this.#deps.clock.now()
    // Half of it: timers may be a little early.
    if (Math.abs(now - this.#lookedAt) >= LOOK_EVERY_MS / 2) {
      this.#lookedAt = now
      await this.#readChanges()
      await this.#takeOffers()
    }
    await this.#startDue(signal)
  }

  /** Until there may be something to do: a free slot may be what somebody waits for. */
  async #rest(signal: AbortSignal): Promise<void> {
    if (this.#isFreed || signal.aborted) return
    const end = new AbortController()
    const abort = () => end.abort()
    signal.addEventListener('abort', abort, { once: true })
    this.#endRest = abort
    await this.#deps.clock.sleep(LOOK_EVERY_MS, end.signal)
    signal.removeEventListener('abort', abort)
  }

  /** In turn, so that many of a site that may not be asked at this moment do not hide those behind them. */
  async #startDue(signal: AbortSignal): Promise<void> {
    const { store, clock, part } = this.#deps
    for (let pages = 0; pages < MOST_DUE_PAGES; pages++) {
      if (this.#underWay.size >= AT_ONCE) return
      const after = this.#dueAfter
      const due = await store.duePushes(clock.now(), { limit: DUE_PAGE, part: part(), ...(after && { after }) })
      for (const push of due) {
        if (this.#underWay.size >= AT_ONCE) return
        this.#dueAfter = push
        this.#start(push, signal)
      }
      if (due.length === DUE_PAGE) continue
      this.#dueAfter = null
      // What is before the place where this began has had no turn.
      if (after === null) return
    }
  }

  #start(push: PushSubscription, signal: AbortSignal): void {
    if (this.#underWay.has(push.sourceId)) return
    const giveBack = this.#shares.take(push.hub)
    if (giveBack === null) return
    const task = this.#subscribe(push, signal)
      .catch((error: unknown) => void (this.#failure ??= { error }))
      .finally(() => {
        this.#underWay.delete(push.sourceId)
        giveBack()
        this.#isFreed = true
        this.#endRest()
      })
    this.#underWay.set(push.sourceId, task)
  }

  async #readChanges(): Promise<void> {
    const { store, clock, listener } = this.#deps
    const startAt = clock.now()
    const since = this.#readFrom === undefined ? {} : { changedSince: this.#readFrom }
    for (let afterId = 0; ; ) {
      const page = await store.pushes({ ...since, afterId, limit: PAGE })
      for (const push of page) {
        this.#known.set(push.sourceId, nameOf(push))
        if (!isCountedOn(push, startAt)) listener.unfollow(push.sourceId)
        else listener.follow(push.sourceId, push.hub, push.changedAt, push.pushes > 0)
      }
      afterId = page.at(-1)?.sourceId ?? 0
      if (page.length < PAGE) break
    }
    this.#readFrom = startAt - LOOK_BACK_MS
  }

  async #takeOffers(): Promise<void> {
    const { store, listener } = this.#deps
    const offers = this.#offers
    this.#offers = []
    for (const { id, offer } of offers) {
      if (offer === null) {
        await store.removePush(id)
        this.#known.delete(id)
        listener.unfollow(id)
      } else if (this.#known.get(id) !== nameOf(offer)) await this.#save(id, offer)
    }
  }

  async #save(sourceId: SourceId, { kind, hub, topic }: PushOffer): Promise<void> {
    const { store, clock, listener } = this.#deps
    const now = clock.now()
    await store.savePush({ sourceId, kind, hub, topic, key: randomSecret(), secret: randomSecret(), nextAt: now }, now)
    this.#known.set(sourceId, nameOf({ kind, hub, topic }))
    listener.unfollow(sourceId)
  }

  async #subscribe(push: PushSubscription, signal: AbortSignal): Promise<void> {
    const { store, client, baseUrl, clock, random } = this.#deps
    // Its secret cannot be read any more, and what the hub signs could not be checked.
    if (push.secret === null) return this.#save(push.sourceId, push)
    if (!(await store.changePush(push.key, atRequest(push, clock.now()), clock.now()))) return
    const refused = await client.post(push.hub, subscribeForm(push, baseUrl), signal)
    if (refused === null || signal.aborted) return
    const now = clock.now()
    await store.changePush(push.key, afterRefusal(push, refused.error, now, random(), refused.notBefore), now)
  }
}

function nameOf({ kind, hub, topic }: PushOffer): string {
  return `${kind} ${hub} ${topic}`
}
