import {
  DAY_MS,
  type DurationMs,
  HOUR_MS,
  type InstantMs,
  MINUTE_MS,
  type Observation,
  type SourceId,
} from '../../../model/index.ts'
import { NO_SIGNALS, observeSignal, type SignalRecord } from './signals.ts'

/** What a hub has proved worth, over all sources behind it. */
export interface HubRecord {
  readonly v: 1
  readonly signal: SignalRecord
  /** From publication to the push, where dates say it; null: never. */
  readonly delayMs: DurationMs | null
  /** Refreshes in a row, over all its sources, that found what it had not told of, since its last true push. */
  readonly misses: number
}

const NEW_HUB: HubRecord = { v: 1, signal: NO_SIGNALS, delayMs: null, misses: 0 }

/** A source whose hub has verified our subscription. */
interface PushedSource {
  hub: string
  /** What was published before says nothing about the hub. */
  since: InstantMs
  /** A push that no refresh has followed yet. */
  pushedAt: InstantMs | null
  /** Something true came by push, and nothing was missed since: the hub is believed about this source. */
  isProved: boolean
}

/** A hub counts as failed about this often. Assumed, not measured: hubs have stopped for months without a word. */
const FAILS_EVERY_HOURS = (60 * DAY_MS) / HOUR_MS
/** As if so many items had come unannounced: a hub must tell of some before it is believed. */
const DOUBT_ITEMS = 2
/** So many in a row, and the whole hub is believed silent. */
const MOST_MISSES = 3
/** An item as young as this, or as four delays of its hub, may still be on its way. */
const SHORTEST_PATIENCE_MS = 2 * MINUTE_MS
const DELAY_MEMORY = 0.1
const NOBODY: readonly SourceId[] = []

/**
 * Hubs as one more kind of signal: which share of the items each of them tells of, how often it is right, and how late. A
 * source whose hub is believed is polled as if only what the hub does not tell of were published, and just often enough to
 * notice that the hub has failed; what a push announces is fetched when that is worth most.
 */
export class HubSignals {
  readonly #sources = new Map<SourceId, PushedSource>()
  readonly #hubs = new Map<string, HubRecord>()

  /** The hub tells of this source from `since` on. `isProved`: it has told of something before. */
  follow(id: SourceId, hub: string, since: InstantMs, isProved: boolean): void {
    const known = this.#sources.get(id)
    if (known?.hub === hub) return
    this.#sources.set(id, { hub, since, pushedAt: null, isProved })
  }

  /** Nobody tells of it any more. */
  unfollow(id: SourceId): void {
    this.#sources.delete(id)
  }

  records(): readonly (HubRecord & { readonly hub: string })[] {
    return [...this.#hubs].map(([hub, record]) => ({ ...record, hub }))
  }

  resume(records: readonly (HubRecord & { readonly hub: string })[]): void {
    for (const { hub, ...record } of records) this.#hubs.set(hub, record)
  }

  /** The clock was set. */
  shift(byMs: DurationMs): void {
    for (const source of this.#sources.values()) {
      source.since += byMs
      if (source.pushedAt !== null) source.pushedAt += byMs
    }
  }

  pushed(id: SourceId, at: InstantMs): void {
    const source = this.#sources.get(id)
    if (source !== undefined) source.pushedAt ??= at
  }

  /** Learns from a refresh, whether or not a push was its cause; returns the sources that nobody is believed about any more. */
  observed(observation: Observation): readonly SourceId[] {
    const source = this.#sources.get(observation.sourceId)
    if (source === undefined || observation.overlap === 'first') return NOBODY
    const before = this.#hubs.get(source.hub) ?? NEW_HUB
    const after =
      source.pushedAt === null ? afterPoll(before, source, observation) : afterPush(before, source, observation)
    if (after !== before) this.#hubs.set(source.hub, after)
    if (source.pushedAt !== null && observation.newItems > 0) source.isProved = true
    else if (after.misses > before.misses) source.isProved = false
    source.pushedAt = null
    return after.misses >= MOST_MISSES && after.misses > before.misses ? this.#doubt(source.hub) : NOBODY
  }

  /** A hub fell silent: each of its sources has to be told of again. */
  #doubt(hub: string): readonly SourceId[] {
    const doubted: SourceId[] = []
    for (const [id, source] of this.#sources) {
      if (source.hub !== hub || !source.isProved) continue
      source.isProved = false
      doubted.push(id)
    }
    return doubted
  }

  /** Share of the hub's pushes that were true; a new hub's first one is followed. */
  precision(id: SourceId): number {
    const source = this.#sources.get(id)
    const { signals, confirmed } = (source && this.#hubs.get(source.hub)?.signal) ?? NO_SIGNALS
    return (confirmed + 1) / (signals + 1)
  }

  /**
   * How many times longer a source may wait for its next poll than without its hub. With interval T₀ there, a share s of the
   * items unannounced and a hub that fails φ times an hour, polls every T cost μ/T + sλT/2 + φλT²/2; without the hub
   * μ = λT₀²/2. The least lies near T₀/√(s + (2φT₀)^⅔), exactly so where one of the two is 0.
   */
  stretch(id: SourceId, waitMs: DurationMs): number {
    if (this.#sources.size === 0) return 1
    const source = this.#sources.get(id)
    if (source === undefined || !source.isProved) return 1
    const { signal, misses } = this.#hubs.get(source.hub) ?? NEW_HUB
    if (misses >= MOST_MISSES) return 1
    const unannounced = (signal.items - signal.announced + DOUBT_ITEMS) / (signal.items + DOUBT_ITEMS)
    const failing = ((2 * waitMs) / HOUR_MS / FAILS_EVERY_HOURS) ** (2 / 3)
    return 1 / Math.sqrt(Math.min(1, unannounced + failing))
  }
}

function afterPush(before: HubRecord, { pushedAt }: PushedSource, { newItems, itemTimes }: Observation): HubRecord {
  const signal = observeSignal(before.signal, true, newItems)
  const newest = itemTimes.at(-1)
  const delayMs = newest === undefined || pushedAt === null || newest > pushedAt ? null : pushedAt - newest
  return {
    v: 1,
    signal,
    delayMs: delayMs === null ? before.delayMs : blend(before.delayMs, delayMs),
    misses: newItems > 0 ? 0 : before.misses,
  }
}

function blend(before: DurationMs | null, delayMs: DurationMs): DurationMs {
  return before === null ? delayMs : before + DELAY_MEMORY * (delayMs - before)
}

function afterPoll(before: HubRecord, { since }: PushedSource, observation: Observation): HubRecord {
  const patienceMs = Math.max(SHORTEST_PATIENCE_MS, 4 * (before.delayMs ?? 0))
  const missed = missedBetween(observation, since, observation.at - patienceMs)
  if (missed === 0) return before
  return { ...before, signal: observeSignal(before.signal, false, missed), misses: before.misses + 1 }
}

/** Items that the hub should have told of. Without dates: all, if all of them came in that time. */
function missedBetween({ newItems, itemTimes, previousAt }: Observation, from: InstantMs, to: InstantMs): number {
  if (itemTimes.length > 0) return itemTimes.filter((time) => time > from && time <= to).length
  return previousAt !== null && previousAt >= from && previousAt <= to ? newItems : 0
}
