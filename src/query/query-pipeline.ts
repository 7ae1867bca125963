import {
  type BufferEntry,
  type Cursor,
  type ItemBuffer,
  type Missed,
  NODE_READER,
  type ReaderTerms,
} from '../buffer/buffer.ts'
import type { Notifier } from '../buffer/notifier.ts'
import type { DurationMs, QueryFeed, QueryFeedId } from '../model/index.ts'
import type { Clock } from '../runtime/clock.ts'
import { onceEach } from '../store/provenance.ts'
import { type NewPublication, QUERY_READER } from '../store/query-feeds.ts'
import type { Store } from '../store/store.ts'
import { arrivalsOf } from './arrivals.ts'
import { type Admit, CatchUp, type CatchUpStore } from './catch-up.ts'
import { FeedQueries } from './feed-queries.ts'
import { fillWindows } from './fill-windows.ts'
import type { DetectLanguage } from './item/arrival.ts'
import { loadLanguageDetector } from './item/language.ts'
import { LiveFeeds, MatchCounts } from './live-feeds.ts'
import { PageWishes, type PageWishStore } from './page-wishes.ts'

export interface QueryDeps {
  readonly buffer: Pick<ItemBuffer, 'register' | 'unregister' | 'read' | 'acknowledge' | 'waitForEntries'>
  readonly notifier: Pick<Notifier, 'count' | 'wait'>
  readonly store: CatchUpStore &
    PageWishStore &
    Pick<Store, 'queryRevision' | 'queryFeeds' | 'changeQueries' | 'publish' | 'processedUpTo'>
  readonly clock: Clock
  /** What feeds must be made without, where that is not what they are made without. */
  readonly review: () => Promise<readonly FeedReview[]>
  /** Something has changed in these feeds. */
  readonly onPublished?: (feeds: readonly QueryFeed[]) => void
  /** A query that this version of the program cannot read: its feed stays as it is. */
  readonly onUnreadable?: (feed: QueryFeed) => void
  readonly loadDetector?: () => Promise<DetectLanguage>
  readonly batchSize?: number
  /** Whose reader of the buffer it is; absent: the node's, which is always waited for. */
  readonly reader?: Omit<ReaderTerms, 'from'>
  /** How soon queries that another process has changed are seen. */
  readonly lookEveryMs?: DurationMs
}

export interface FeedReview {
  readonly name: string
  readonly without: readonly string[]
}

/**
 * Follows the item buffer with all queries and publishes what they keep. Runs until the signal aborts.
 *
 * A batch of entries is acknowledged in the transaction that publishes it, and an item is published once in a feed, so that
 * a kill at any moment loses and doubles nothing. Queries come, change and go meanwhile, also by another process: one that
 * is new first catches up with the archive, from where it is to begin, and then follows the buffer with the others. What
 * an edit makes fit is published; what it makes unfit stays, because readers have seen it.
 *
 * Whenever access has changed, feeds that hold what they must not, or lack what they may have again, are rebuilt.
 *
 * Without query feeds nothing is read, and the buffer does not wait for this reader. One that was not waited for, because it
 * was away for too long, first reads from the archive what it has missed.
 */
export async function runQueries(deps: QueryDeps, signal: AbortSignal): Promise<void> {
  const { buffer, store, clock, notifier, reader = NODE_READER, batchSize = 500, lookEveryMs = 500 } = deps
  let detect: DetectLanguage | null = null
  const options = { detectLanguage: (text: string) => detect?.(text) ?? '' }
  const queries = new FeedQueries(deps.onUnreadable ?? (() => {}))
  const live = new LiveFeeds(options)
  const wishes = new PageWishes(store, (id) => queries.get(id)?.query.fulltext)
  const admit: Admit = (publications, items, at) => wishes.admit(publications, items, at)
  const history = new CatchUp(store, options, batchSize, admit)
  let revision = -1
  let isReading: boolean | null = null
  let missed: Missed | null = null

  while (!signal.aborted) {
    const noticed = notifier.count('queries')
    await lookForQueries()
    await setReading(queries.feeds.length > 0)
    if (!isReading) {
      await notifier.wait('queries', lookEveryMs, { signal, after: noticed })
      continue
    }
    await prepare()
    if (missed !== null) await readMissed(missed)
    missed = null
    if (queries.waitForPages) await store.endHolds(clock.now())
    const followed = await follow()
    const walked = await catchUp()
    if (!followed && !walked) await waitForWork(noticed)
  }

  /** One that changes meanwhile is checked again the next time. */
  async function clearFeeds(): Promise<void> {
    const before = await store.queryRevision()
    const reviews = await deps.review()
    if (reviews.length === 0) return
    const changes = reviews.map((review) => ({ kind: 'clear-feed' as const, ...review }))
    await store.changeQueries(changes, before, clock.now())
  }

  async function lookForQueries(): Promise<void> {
    await clearFeeds()
    const present = await store.queryRevision()
    if (present === revision) return
    revision = present
    const { removed, come } = queries.update(await store.queryFeeds())
    for (const query of removed) {
      live.remove(query)
      history.remove(query)
    }
    for (const query of come) {
      if (query.feed.catchUpAfter === null) live.add(query)
      else history.add(query)
    }
  }

  async function setReading(shouldRead: boolean): Promise<void> {
    if (shouldRead === isReading) return
    isReading = shouldRead
    if (!shouldRead) return buffer.unregister(QUERY_READER)
    const registration = await buffer.register(QUERY_READER, { from: 'end', ...reader })
    if (registration.kind === 'missed') missed = registration
  }

  /** What new queries need: the detector of languages, and windows filled with what it says. */
  async function prepare(): Promise<void> {
    history.formGroup()
    if (detect === null && (live.engine.needsLanguage || history.needsLanguage)) {
      detect = await (deps.loadDetector ?? loadLanguageDetector)()
    }
    await history.fill(queries.feeds)
    if (live.engine.unfilled().length > 0) {
      await fillWindows(live.engine, store, queries.feeds, await store.processedUpTo())
    }
  }

  /** false: nothing has arrived. */
  async function follow(): Promise<boolean> {
    const entries = await buffer.read(QUERY_READER, batchSize)
    const last = entries.at(-1)
    if (last === undefined) return false
    await ask(entries, last.cursor)
    return true
  }

  /** They are in the archive, in the order in which they arrived; after an end in between all are evaluated again. */
  async function readMissed({ after, upTo, cursor }: Missed): Promise<void> {
    for (let at = after; at < upTo; ) {
      const items = (await store.itemsAfter(at, batchSize)).filter(({ seq }) => seq <= upTo)
      if (signal.aborted) return
      await ask(
        items.map((item) => ({ kind: 'new', item })),
        0,
      )
      at = items.at(-1)?.seq ?? upTo
    }
    await buffer.acknowledge(QUERY_READER, cursor)
  }

  /** Evaluates all queries, and publishes and acknowledges in one transaction. */
  async function ask(entries: readonly Pick<BufferEntry, 'kind' | 'item'>[], cursor: Cursor): Promise<void> {
    const arrivals = new Map(
      (
        await arrivalsOf(
          store,
          entries.map(({ item }) => item),
        )
      ).map((one) => [one.item, one]),
    )
    const publications: NewPublication[] = []
    const counts = new MatchCounts()
    for (const entry of entries) {
      const arrival = arrivals.get(entry.item)
      if (arrival === undefined) continue
      const matches = live.ask(arrival)
      counts.count(entry, matches)
      publications.push(...matches)
      if (entry.kind === 'changed') publications.push(...(await history.edited(arrival, queries.feeds)))
    }
    const { itemCounts, matches } = counts
    const items = new Map(entries.map(({ item }) => [item.seq, item]))
    const admitted = await wishes.admit(onceEach(publications), items, clock.now())
    const record = { cursor, publications: admitted, itemCounts, matches, at: clock.now() }
    tell((await store.publish(record)).feedIds)
  }

  /** false: all feeds have caught up. */
  async function catchUp(): Promise<boolean> {
    if (history.isIdle) return false
    const { changed, done } = await history.step(await store.processedUpTo(), queries.feeds, clock.now())
    for (const query of done) live.add(query)
    tell(changed)
    return true
  }

  function tell(ids: readonly QueryFeedId[]): void {
    const feeds = ids.map((id) => queries.get(id)?.feed).filter((feed) => feed !== undefined)
    if (feeds.length > 0) deps.onPublished?.(feeds)
  }

  async function waitForWork(noticed: number): Promise<void> {
    const woken = new AbortController()
    const both = AbortSignal.any([signal, woken.signal])
    await Promise.race([
      buffer.waitForEntries(QUERY_READER, both),
      notifier.wait('queries', lookEveryMs, { signal: both, after: noticed }),
    ])
    woken.abort()
  }
}
