import type { Notifier } from '../../buffer/notifier.ts'
import { HostShares } from '../../http/host-shares.ts'
import {
  type DeadLetter,
  type DurationMs,
  type HubOutput,
  type InstantMs,
  type Random,
  SECOND_MS,
  type Subscription,
  type SubscriptionOutput,
} from '../../model/index.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Logger } from '../../runtime/logger.ts'
import type { Delivery } from '../../store/query-feeds.ts'
import { type ShardLeases, shardOfId } from '../../store/shard-leases.ts'
import type { Store } from '../../store/store.ts'
import type { DeliveryOutcome } from './channel.ts'
import {
  afterAttempt,
  batchOf,
  believedDue,
  DELIVERY_POLICY,
  type DeliveryPolicy,
  describeProblem,
  dueAt,
  type Pending,
} from './delivery.ts'
import { everySubscription, type FindTurn, OwnSubscriptions, type ServeTurn } from './own-subscriptions.ts'

/** Made by the owner of a feed, or at the hub. */
type AnySubscription = Subscription<SubscriptionOutput | HubOutput>

/** What a subscription is of: a query feed, or another that somebody has subscribed to at the hub. */
export interface DeliveryFeed {
  readonly id: number
  readonly name: string
}

export interface DeliveryStore<Sub, Feed, Entry> extends Pick<Store, 'requeuedDeadLetters' | 'settleDeadLetter'> {
  /** Those that may be due, or some of them if there are very many: others come at the next call. */
  subscriptions(): Promise<readonly Sub[]>
  /** By id; of these subscriptions at least. */
  feedsOf(subscriptions: readonly Sub[]): Promise<ReadonlyMap<number, Feed>>
  /** What is behind a place of the feed and to be sent, in its order. */
  pendingAfter(feed: Feed, page: { readonly after: number; readonly limit: number }): Promise<readonly Entry[]>
  /** One of the feed, whether it is to be sent or was there before what the feed asks for; none if it is gone. */
  publicationAt(feed: Feed, seq: number): Promise<readonly Entry[]>
  /** The last place in the feed. */
  lastSeq(feed: Feed): Promise<number>
  recordDelivery(id: number, delivery: Delivery, subscription: Sub): Promise<void>
  /** Its receiver wants nothing any more. */
  endSubscription(subscription: Sub): Promise<void>
}

export interface DeliveryDeps<Sub extends AnySubscription, Feed extends DeliveryFeed, Entry extends Pending> {
  readonly store: DeliveryStore<Sub, Feed, Entry>
  readonly sender: {
    /** That one attempt may carry. */
    mostItems(subscription: Sub): number
    send(subscription: Sub, feed: Feed, entries: readonly Entry[], signal: AbortSignal): Promise<DeliveryOutcome>
  }
  /** Whether what a feed holds may be shown; what waits meanwhile is delivered when it may. */
  readonly shows: (id: number) => Promise<boolean>
  /** Wakes it when there may be something to deliver (`deliveries`). */
  readonly notifier: Notifier
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  readonly policy?: DeliveryPolicy
  /** Subscriptions served at once. */
  readonly concurrency?: number
  /** The store names only those that wait for something: they are not looked through again. */
  readonly areBehind?: boolean
  /** How soon something shows that nobody notifies of: another process may publish and subscribe. */
  readonly pollMs?: DurationMs
}

export interface Deliveries {
  /**
   * Serves all subscriptions until the signal aborts, or those whose shards are its own by leases; what is under way then is
   * finished or left for the next start, or for the next owner.
   */
  run(signal: AbortSignal, leases?: ShardLeases | null): Promise<void>
}

/** Read at a time: more than any batch but the largest, so that what waits behind one is known. */
const READ_AHEAD = 500

/** Subscribers of the hub at one site that are served at once. */
const MOST_PER_SITE = 4
/** Of the slots, for subscribers of the hub whose last message failed: another one may take long to fail, too. */
const FAILING_SHARE = 1 / 4

/** Only the cursor of each subscription says what is delivered; after any end the work continues from there. */
export function createDeliveries<Sub extends AnySubscription, Feed extends DeliveryFeed, Entry extends Pending>(
  deps: DeliveryDeps<Sub, Feed, Entry>,
): Deliveries {
  const {
    store,
    sender,
    clock,
    notifier,
    logger,
    policy = DELIVERY_POLICY,
    concurrency = 16,
    pollMs = 2 * SECOND_MS,
  } = deps
  const busy = new Map<number, Promise<void>>()
  /** Up to where each subscription is known to have nothing pending, although its feed has publications. */
  const checkedAt = new Map<number, number>()
  /** Until when the oldest pending publication of a subscription waits for its digest. */
  const resting = new Map<number, { readonly everyMs: DurationMs | null; readonly until: InstantMs }>()
  const shares = new HostShares(MOST_PER_SITE)
  const mostFailing = Math.max(1, Math.floor(concurrency * FAILING_SHARE))
  let failing = 0
  /** Subscriptions that a round has read and found no slot for. */
  let rest: { readonly subscriptions: readonly Sub[]; readonly readMs: DurationMs } | null = null

  return { run }

  function wake(): void {
    notifier.notify('deliveries')
  }

  async function run(signal: AbortSignal, leases: ShardLeases | null = null): Promise<void> {
    let failure: { readonly error: unknown } | null = null
    const fail = (error: unknown) => {
      failure ??= { error }
      wake()
    }
    const { present, leaveAlone } = share(signal, leases)
    while (!signal.aborted && failure === null) {
      const after = notifier.count('deliveries')
      await startRound(present(), fail).catch(fail)
      // Who notified during the round may have come too late for it.
      await notifier.wait('deliveries', pollMs, { signal, after })
    }
    await Promise.all(busy.values())
    leaveAlone()
    if (failure !== null) throw (failure as { readonly error: unknown }).error
  }

  /** Follows the leases, where there are any. */
  function share(signal: AbortSignal, leases: ShardLeases | null) {
    if (leases === null) {
      const all = everySubscription(signal)
      return { present: () => all, leaveAlone: () => {} }
    }
    const own = new OwnSubscriptions(leases, signal)
    const listeners = [
      leases.onChange(() => {
        own.endLost()
        wake()
      }),
      leases.onLeave(async (leaving) => {
        const tasks = [...busy].filter(([id]) => leaving.has(shardOfId(id, leases.shards))).map(([, task]) => task)
        await Promise.all(tasks)
      }),
    ]
    const leaveAlone = () => {
      for (const leave of listeners) leave()
    }
    return { present: () => own.present(), leaveAlone }
  }

  /** Starts what is due and has a slot. */
  async function startRound(turnOf: FindTurn, fail: (error: unknown) => void): Promise<void> {
    // What these deliver while subscriptions are read is perhaps not in there: their end begins another round.
    const served = new Set(busy.keys())
    const { subscriptions: all, readMs } = await unserved()
    const subscriptions = all.filter(({ id }) => !served.has(id))
    if (subscriptions.length === 0) return
    const byId = await store.feedsOf(subscriptions)
    const letters = await store.requeuedDeadLetters(READ_AHEAD)
    const lastSeqs = new Map<number, number>()
    for (const [at, subscription] of subscriptions.entries()) {
      if (busy.size >= concurrency) {
        rest = { subscriptions: subscriptions.slice(at), readMs }
        return
      }
      const feed = byId.get(subscription.feedId)
      const turn = turnOf(subscription.id)
      if (turn === null || feed === undefined || !(await deps.shows(feed.id))) continue
      const again = letters.filter(({ subscriptionId }) => subscriptionId === subscription.id)
      if (again.length === 0 && !(await mayBeDue(subscription, feed, lastSeqs))) continue
      if (!turn.mayGoOn()) continue
      const leave = enter(subscription)
      if (leave === null) continue
      const task = serve(subscription, feed, again, turn)
        .catch(fail)
        .finally(() => {
          busy.delete(subscription.id)
          leave()
        })
      busy.set(subscription.id, task)
      // A free slot may be what the next one waits for.
      task.then(wake)
    }
  }

  /** A slot, and how to leave it; null: strangers hold what they may already. Who the owner of a feed has chosen always gets one. */
  function enter({ output, failureCount }: Sub): (() => void) | null {
    if (output.kind !== 'websub') return () => {}
    const isFailing = failureCount > 0
    if (isFailing && failing >= mostFailing) return null
    const giveBack = shares.take(output.url)
    if (giveBack === null) return null
    if (isFailing) failing++
    return () => {
      if (isFailing) failing--
      giveBack()
    }
  }

  /** There may be ten thousand of one feed, all due at once: they are not read again for each slot that becomes free. */
  async function unserved() {
    const left = rest
    rest = null
    const readMs = clock.monotonicMs()
    return left !== null && readMs - left.readMs < pollMs
      ? left
      : { subscriptions: await store.subscriptions(), readMs }
  }

  async function mayBeDue(subscription: Sub, feed: Feed, lastSeqs: Map<number, number>): Promise<boolean> {
    const rest = resting.get(subscription.id)
    const restsUntil = rest?.everyMs === subscription.everyMs ? rest.until : 0
    const due = Math.max(subscription.nextAttemptAt ?? 0, restsUntil)
    if (believedDue(due, subscription.everyMs, clock.now()) > clock.now()) return false
    if (deps.areBehind === true) return true
    const lastSeq = lastSeqs.get(feed.id) ?? (await store.lastSeq(feed))
    lastSeqs.set(feed.id, lastSeq)
    return lastSeq > Math.max(subscription.deliveredSeq, checkedAt.get(subscription.id) ?? 0)
  }

  async function serve(
    subscription: Sub,
    feed: Feed,
    letters: readonly DeadLetter[],
    { signal, mayGoOn }: ServeTurn,
  ): Promise<void> {
    for (const letter of letters) {
      if (signal.aborted || !(await deps.shows(feed.id)) || !mayGoOn()) return
      await tryLetter(letter, subscription, feed, signal)
    }
    let { deliveredSeq: after, failureCount } = subscription
    while (!signal.aborted && mayGoOn()) {
      const pending = await store.pendingAfter(feed, { after, limit: READ_AHEAD })
      const [oldest] = pending
      if (oldest === undefined) {
        const lastSeq = await store.lastSeq(feed)
        // Read after the list: something may have come in between, and is then not taken for history.
        const isStill = (await store.pendingAfter(feed, { after, limit: 1 })).length === 0
        if (isStill) checkedAt.set(subscription.id, lastSeq)
        return
      }
      const planned = dueAt(failureCount === 0 ? { ...subscription, nextAttemptAt: null } : subscription, oldest)
      const due = believedDue(planned, subscription.everyMs, clock.now())
      resting.set(subscription.id, { everyMs: subscription.everyMs, until: due })
      if (due > clock.now() || !(await deps.shows(feed.id)) || !mayGoOn()) return
      const step = await attempt(subscription, feed, pending, failureCount, signal)
      if (step === null) return
      after = step
      failureCount = 0
    }
  }

  /** The place up to which it got, or null if it did not get on. */
  async function attempt(
    subscription: Sub,
    feed: Feed,
    pending: readonly Entry[],
    failureCount: number,
    signal: AbortSignal,
  ): Promise<number | null> {
    const sent = batchOf(subscription, pending, sender.mostItems(subscription))
    const outcome = await sender.send(subscription, feed, sent, signal)
    if (signal.aborted && outcome.kind !== 'delivered') return null
    if (outcome.kind === 'ended') {
      tell(subscription, feed, describeProblem(outcome.problem), outcome.kind)
      await store.endSubscription(subscription)
      return null
    }
    const waiting = pending.slice(sent.length)
    const random = deps.random()
    const delivery = afterAttempt(outcome, { failureCount, sent, waiting, now: clock.now(), random }, policy)
    await store.recordDelivery(subscription.id, delivery, subscription)
    if (outcome.kind !== 'delivered') tell(subscription, feed, describeProblem(outcome.problem), delivery.kind)
    if (delivery.kind === 'delivered') return delivery.upTo
    return delivery.kind === 'dead' ? Math.max(...delivery.publications) : null
  }

  async function tryLetter(letter: DeadLetter, subscription: Sub, feed: Feed, signal: AbortSignal) {
    const entries = await store.publicationAt(feed, letter.publicationSeq)
    const outcome = await sender.send(subscription, feed, entries, signal)
    if (outcome.kind === 'delivered') await store.settleDeadLetter(letter.id, null)
    else if (!signal.aborted) {
      await store.settleDeadLetter(letter.id, { reason: describeProblem(outcome.problem), at: clock.now() })
    }
  }

  function tell({ id, output }: Sub, feed: Feed, error: string, kind: string): void {
    const fields = { feed: feed.name, subscription: id, output: output.kind, error }
    if (kind === 'ended') logger.info(fields, 'subscription ended by its receiver')
    else if (kind === 'dead') logger.warn(fields, 'delivery given up; see headwater subscription dead')
    else logger.info(fields, 'delivery failed; it is tried again')
  }
}
