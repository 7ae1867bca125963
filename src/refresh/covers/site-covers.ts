import { DAY_MS, type DurationMs, type InstantMs, type SourceId } from '../../model/index.ts'
import { type CoverageRecord, coveredShare, withDoubt } from '../bundles/coverage.ts'
import { expectedOfSignal, observeSignal } from '../strategies/foresight/signals.ts'
import { type CoverPair, isNamed, judgePair, namedShare, newPair, withLag } from './pair.ts'
import { type ShownDocument, ShownItems } from './shown-items.ts'

/** What one request shows of another source. */
export interface Coverage {
  readonly member: SourceId
  readonly record: CoverageRecord
  /** Its items are told from others before it shows them itself; else something new is no more than a signal. */
  readonly isNamed: boolean
  readonly lagMs: DurationMs
  /** How long the cover shows an item; null: none has left yet. */
  readonly stayMs: DurationMs | null
}

interface WatchedPair {
  pair: CoverPair
  judgedUntil: InstantMs
  /** The cover has had something new since the member was last asked. */
  isSignalled: boolean
  /** Links that one took for the member's by their marks, and that another source has shown since the member was last asked. */
  readonly disputed: Set<string>
  /** Of those before, in a row, so many were the member's all the same: they are in both. */
  ofBoth: number
}

/** So many disputes are let pass where articles are usually in several sections. */
const MOST_OF_BOTH = 5

/** Below this a pair that was judged often enough is forgotten: sites link to themselves. */
const LEAST_SHARE = 0.1
const ENOUGH_ITEMS = 20
/** More on one host are communities and channels, not sections of one site. */
const MOST_SOURCES = 100
const MOSTLY = 0.9
/** Who shares nothing with anybody for so long is left alone until another source of its site is added. */
const ALONE_MS = 3 * DAY_MS

/** Who shows whose items on one site, learnt from every document of its sources. */
export class SiteCovers {
  readonly #shown = new Map<SourceId, ShownItems>()
  /** By member, then by cover. */
  readonly #pairs = new Map<SourceId, Map<SourceId, WatchedPair>>()

  /** Goes on with what was learnt before; what is shown is watched anew. */
  resume(pair: CoverPair, now: InstantMs): void {
    this.#put(pair, now)
  }

  /**
   * An own look of a source. null: it was as before. `newItems`: that nobody had seen. Returns of whom it is doubtful from now on which items of a
   * cover are theirs.
   */
  look(id: SourceId, document: ShownDocument | null, newItems: number, now: InstantMs): readonly SourceId[] {
    const shown = this.#shown.get(id) ?? this.#watch(id, now)
    if (shown === null || shown.isResting) return []
    const fresh = document === null ? [] : shown.look(document, now, this.#isInPair(id))
    if (document === null) shown.lookUnchanged(now)
    else this.#compare(id, fresh, now)
    if (now - shown.sinceAt > ALONE_MS && !this.#isInPair(id)) shown.rest()
    for (const watched of this.#pairs.get(id)?.values() ?? []) this.#judge(watched, newItems)
    if (newItems > 0) this.#signal(id)
    this.#forgetPoor(id)
    return this.#dispute(id, fresh)
  }

  forget(id: SourceId): void {
    this.#shown.delete(id)
    this.#pairs.delete(id)
    for (const covers of this.#pairs.values()) covers.delete(id)
  }

  pairs(): readonly CoverPair[] {
    return [...this.#pairs.values()].flatMap((covers) => [...covers.values()].map(({ pair }) => pair))
  }

  /** When its own document was read last in this process; null: not yet. */
  lookedAt(id: SourceId): InstantMs | null {
    return this.#shown.get(id)?.lookedAt ?? null
  }

  /** What of a member a cover shows, now; null: nothing is known. */
  coverage(cover: SourceId, member: SourceId): Coverage | null {
    const watched = this.#pairs.get(member)?.get(cover)
    const shown = this.#shown.get(cover)
    const own = this.#shown.get(member)
    if (watched === undefined || shown === undefined || own === undefined || own.hasTwins || shown.hasTwins) return null
    const { lagMs } = watched.pair
    const record = withDoubt(watched.pair.record)
    const named = namedShare(watched.pair, shown, own)
    const isNamed = named >= MOSTLY && shown.isTitled && !isInDispute(watched)
    const usable = isNamed ? withoutUnnamed(record, named) : record
    return { member, record: usable, isNamed, lagMs, stayMs: shown.stayMs }
  }

  /** All that a source shows of others. */
  coveredBy(cover: SourceId): readonly Coverage[] {
    const members = [...this.#pairs].filter(([, covers]) => covers.has(cover)).map(([member]) => member)
    return members.flatMap((member) => this.coverage(cover, member) ?? [])
  }

  covers(): readonly SourceId[] {
    return [...new Set([...this.#pairs.values()].flatMap((covers) => [...covers.keys()]))]
  }

  isNamed(cover: SourceId, member: SourceId, marks: readonly string[]): boolean {
    const watched = this.#pairs.get(member)?.get(cover)
    return watched !== undefined && !isInDispute(watched) && isNamed(watched.pair, marks)
  }

  /** Items of the member to be expected because the cover has something new. `named`: of which one can say that they are its. */
  expected(cover: SourceId, member: SourceId, named: number): number {
    const watched = this.#pairs.get(member)?.get(cover)
    const shown = this.#shown.get(cover)
    const own = this.#shown.get(member)
    if (watched === undefined || shown === undefined || own === undefined) return 0
    return namedShare(watched.pair, shown, own) >= MOSTLY ? named : expectedOfSignal(watched.pair.signal)
  }

  #watch(id: SourceId, now: InstantMs): ShownItems | null {
    if (this.#shown.size >= MOST_SOURCES) return null
    for (const other of this.#shown.values()) other.wake(now)
    const shown = new ShownItems(now)
    this.#shown.set(id, shown)
    return shown
  }

  #put(pair: CoverPair, now: InstantMs): WatchedPair {
    const covers = this.#pairs.get(pair.member) ?? new Map<SourceId, WatchedPair>()
    this.#pairs.set(pair.member, covers)
    const watched = { pair, judgedUntil: now, isSignalled: false, disputed: new Set<string>(), ofBoth: 0 }
    covers.set(pair.cover, watched)
    return watched
  }

  /** Whoever else shows what is new here covers it, or is covered. */
  #compare(
    id: SourceId,
    fresh: readonly { readonly link: string; readonly lagMs: DurationMs }[],
    now: InstantMs,
  ): void {
    for (const { link, lagMs } of fresh) {
      for (const [other, { items }] of this.#shown) {
        if (other === id || !items.has(link)) continue
        const asMember = this.#pairs.get(id)?.get(other) ?? this.#put(newPair(other, id), this.#since(id, other, now))
        const asCover = this.#pairs.get(other)?.get(id) ?? this.#put(newPair(id, other), this.#since(id, other, now))
        asCover.pair = withLag(asCover.pair, lagMs)
        asMember.judgedUntil = Math.min(asMember.judgedUntil, now)
      }
    }
  }

  /** What this one shows itself may have been taken for another's: a section can move into the folder of another. */
  #dispute(id: SourceId, fresh: readonly { readonly link: string }[]): readonly SourceId[] {
    const doubtful: SourceId[] = []
    for (const [member, covers] of this.#pairs) {
      const own = this.#shown.get(member)
      if (member === id || own === undefined || fresh.length === 0) continue
      for (const [cover, watched] of covers) {
        const shown = cover === id ? undefined : this.#shown.get(cover)
        const wasInDispute = isInDispute(watched)
        for (const { link } of fresh) {
          const item = shown?.items.get(link)
          // What was there when the member was asked itself is judged by that.
          if (item === undefined || item.at <= own.lookedAt || !isNamed(watched.pair, item.marks)) continue
          watched.disputed.add(link)
        }
        if (!wasInDispute && isInDispute(watched)) doubtful.push(member)
      }
    }
    return doubtful
  }

  #isInPair(id: SourceId): boolean {
    if ((this.#pairs.get(id)?.size ?? 0) > 0) return true
    for (const covers of this.#pairs.values()) if (covers.has(id)) return true
    return false
  }

  /** Since when both are watched. */
  #since(a: SourceId, b: SourceId, now: InstantMs): InstantMs {
    return Math.max(this.#shown.get(a)?.sinceAt ?? now, this.#shown.get(b)?.sinceAt ?? now)
  }

  #judge(watched: WatchedPair, newItems: number): void {
    const { pair, judgedUntil, isSignalled } = watched
    const cover = this.#shown.get(pair.cover)
    const member = this.#shown.get(pair.member)
    if (cover === undefined || member === undefined) return
    const from = Math.max(judgedUntil, cover.sinceAt, member.sinceAt)
    const judged = judgePair(pair, from, cover, member)
    for (const link of watched.disputed) watched.ofBoth = member.items.has(link) ? watched.ofBoth + 1 : 0
    watched.disputed.clear()
    const signal = observeSignal(judged.pair.signal, isSignalled, newItems)
    Object.assign(watched, { pair: { ...judged.pair, signal }, judgedUntil: judged.until, isSignalled: false })
  }

  #signal(cover: SourceId): void {
    for (const covers of this.#pairs.values()) {
      const watched = covers.get(cover)
      if (watched !== undefined) watched.isSignalled = true
    }
  }

  #forgetPoor(member: SourceId): void {
    const covers = this.#pairs.get(member)
    for (const [cover, { pair }] of covers ?? []) {
      const { seen, missed } = pair.record
      if (seen + missed >= ENOUGH_ITEMS && coveredShare(pair.record) < LEAST_SHARE) covers?.delete(cover)
    }
  }
}

function isInDispute({ disputed, ofBoth }: WatchedPair): boolean {
  return disputed.size > Math.min(ofBoth, MOST_OF_BOTH)
}

/** What is shown and cannot be told to be the member's is as good as missed. */
function withoutUnnamed({ seen, missed }: CoverageRecord, named: number): CoverageRecord {
  return { seen: seen * named, missed: missed + seen * (1 - named) }
}
