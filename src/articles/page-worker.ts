import type { ItemBuffer } from '../buffer/buffer.ts'
import { type DuePage, type DurationMs, type InstantMs, MINUTE_MS, SECOND_MS, type Shard } from '../model/index.ts'
import type { Clock } from '../runtime/clock.ts'
import type { ItemPageStore, PageRecord } from '../store/item-pages.ts'
import type { SourcePart } from '../store/shards.ts'

export interface PageWorkerDeps {
  readonly store: Pick<ItemPageStore, 'duePages' | 'recordPage'>
  readonly buffer: Pick<ItemBuffer, 'waitForRoom'>
  /** See visit-page.ts. */
  readonly visit: (page: DuePage, signal: AbortSignal) => Promise<PageRecord | 'unpaid' | null>
  /** When there is something to spend on pages. */
  readonly payableAt: (now: InstantMs) => InstantMs
  /** The shards whose sites are this worker's at this moment; undefined: all. */
  readonly part: () => SourcePart | undefined
  /** Nothing is fetched that could not be kept. */
  readonly disk: { hasSpace(): boolean }
  readonly clock: Pick<Clock, 'now' | 'sleep'>
  /** Sites visited at once. */
  readonly concurrency: number
}

/** How soon new pages are found. */
const LOOK_EVERY_MS: DurationMs = 2 * SECOND_MS
/** Pages of a site that nobody could pay for let others go first. */
const UNPAID_MS: DurationMs = MINUTE_MS

/**
 * Fetches the pages that items link to, behind the item buffer: no refresh waits for it. A page is queued in the transaction
 * that stores its item, and settled in the one that stores what was found; killed in between, the requests under way are
 * made once more, and no other. Of each site one page at a time, so that its feeds are hardly ever in the way.
 */
export class PageWorker {
  readonly #deps: PageWorkerDeps
  readonly #underWay = new Map<Shard, Promise<void>>()
  readonly #unpaidUntil = new Map<Shard, InstantMs>()
  #wake: () => void = () => {}
  #failures: unknown[] = []

  constructor(deps: PageWorkerDeps) {
    this.#deps = deps
  }

  /** Until the signal aborts; then ends what is under way. */
  async run(end: AbortSignal): Promise<void> {
    this.#failures = []
    const over = new AbortController()
    const signal = AbortSignal.any([end, over.signal])
    try {
      while (!end.aborted && this.#failures.length === 0) await this.#step(signal)
    } finally {
      over.abort()
      await Promise.all(this.#underWay.values())
    }
    if (this.#failures.length > 0) throw this.#failures[0]
  }

  async #step(signal: AbortSignal): Promise<void> {
    const { store, buffer, clock, disk, part, concurrency } = this.#deps
    const now = clock.now()
    const payableAt = this.#deps.payableAt(now)
    const isReady = this.#underWay.size < concurrency && payableAt <= now && disk.hasSpace()
    if (!isReady) return this.#idle(payableAt, signal)
    await buffer.waitForRoom(signal)
    const [page] = await store.duePages(now, { limit: 1, part: part(), without: this.#sitesToLeave(now) })
    if (page === undefined) return this.#idle(now, signal)
    if (signal.aborted) return
    this.#start(page, signal)
  }

  #sitesToLeave(now: InstantMs): ReadonlySet<Shard> {
    for (const [shard, until] of this.#unpaidUntil) if (until <= now) this.#unpaidUntil.delete(shard)
    return new Set([...this.#underWay.keys(), ...this.#unpaidUntil.keys()])
  }

  #start(page: DuePage, signal: AbortSignal): void {
    const work = this.#visit(page, signal)
      .catch((error: unknown) => {
        this.#failures.push(error)
      })
      .finally(() => {
        this.#underWay.delete(page.shard)
        this.#wake()
      })
    this.#underWay.set(page.shard, work)
  }

  async #visit(page: DuePage, signal: AbortSignal): Promise<void> {
    const { clock, store, visit } = this.#deps
    const record = await visit(page, signal)
    if (record === 'unpaid') this.#unpaidUntil.set(page.shard, clock.now() + UNPAID_MS)
    else if (record !== null) await store.recordPage(record)
  }

  /** Until something can be paid for, something ends, or it is time to look again. */
  async #idle(until: InstantMs, signal: AbortSignal): Promise<void> {
    const { clock } = this.#deps
    const waking = new AbortController()
    this.#wake = () => waking.abort()
    const now = clock.now()
    const ms = until > now ? Math.min(until - now, LOOK_EVERY_MS) : LOOK_EVERY_MS
    await clock.sleep(ms, AbortSignal.any([signal, waking.signal]))
  }
}
