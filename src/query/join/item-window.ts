import { entryAt } from '../../model/entry-at.ts'
import type { InstantMs, ItemSeq } from '../../model/index.ts'
import type { ItemOrigin, PairPredicate, QueryCondition, WindowClause } from '../language/ast.ts'
import { WindowComparison } from './comparison.ts'
import type { WindowMember } from './member.ts'
import type { PairFacts } from './pair-facts.ts'

const COMPACT_FROM = 1_000

/**
 * The last items from an origin, or from several together, in the order of seq. What is in it depends on these items alone, never on the wall clock:
 * the last n; or those not older than an interval before the newest of them, so that it can be made again from the archive.
 */
export class ItemWindow {
  /** It holds what comes from any of them. */
  readonly origins: readonly ItemOrigin[]
  readonly window: WindowClause
  readonly comparisons: readonly WindowComparison[]
  private readonly questions: readonly QueryCondition[]
  private readonly slots: (WindowMember | undefined)[] = []
  private readonly freeSlots: number[] = []
  private readonly bySeq = new Map<ItemSeq, WindowMember>()
  /** From `oldest` on; what is before has left. */
  private ordered: WindowMember[] = []
  private oldest = 0
  private newestAt = Number.NEGATIVE_INFINITY
  private lookups = 0
  /** How many queries use it. */
  users = 0
  filled = false

  constructor(
    origins: readonly ItemOrigin[],
    window: WindowClause,
    pairs: readonly PairPredicate[],
    questions: readonly QueryCondition[],
  ) {
    this.origins = origins
    this.window = window
    this.questions = questions
    this.comparisons = pairs.map((pair, index) => new WindowComparison(pair, index, this.slots))
  }

  get size(): number {
    return this.bySeq.size
  }

  has(seq: ItemSeq): boolean {
    return this.bySeq.has(seq)
  }

  /** Enters the item, at its place by seq; one that is there is replaced by what it says now. */
  put(seq: ItemSeq, facts: PairFacts): void {
    const at = facts.arrival.item.firstSeenAt
    const known = this.bySeq.get(seq)
    if (known !== undefined) this.unlist(known)
    const member = known ?? this.newMember(seq, at)
    member.values = this.comparisons.map((comparison) => comparison.add(member, facts))
    member.answers = this.questions.map((condition) => facts.holds(condition))
    if (known !== undefined) return
    this.bySeq.set(seq, member)
    this.insert(member)
    this.newestAt = Math.max(this.newestAt, at)
    this.forget()
  }

  clear(): void {
    for (const member of this.bySeq.values()) {
      this.unlist(member)
      this.free(member)
    }
    this.bySeq.clear()
    this.ordered = []
    this.oldest = 0
    this.newestAt = Number.NEGATIVE_INFINITY
  }

  /** So that a member is compared once, though several of its values find it. */
  nextQuestion(): number {
    this.lookups += 1
    return this.lookups
  }

  /** Members first seen at or before this are too old for an item that was first seen at `at`. */
  tooOldFor(at: InstantMs): InstantMs {
    const { window } = this
    if (window.kind === 'items') return Number.NEGATIVE_INFINITY
    return Math.max(at, this.newestAt) - window.lengthMs
  }

  /** The newest first, until one answer is true. */
  someMember(says: (member: WindowMember) => boolean): boolean {
    for (let at = this.ordered.length - 1; at >= this.oldest; at--) if (says(entryAt(this.ordered, at))) return true
    return false
  }

  private newMember(seq: ItemSeq, at: InstantMs): WindowMember {
    const slot = this.freeSlots.pop() ?? this.slots.length
    const member = { seq, slot, at, values: [], answers: [], usedInRound: 0 }
    this.slots[slot] = member
    return member
  }

  private free({ slot }: WindowMember): void {
    this.slots[slot] = undefined
    this.freeSlots.push(slot)
  }

  private insert(member: WindowMember): void {
    const { ordered } = this
    const last = ordered.at(-1)
    if (last === undefined || last.seq < member.seq) ordered.push(member)
    else ordered.splice(this.indexFor(member.seq), 0, member)
  }

  /** Of the first member that comes after. */
  private indexFor(seq: ItemSeq): number {
    let low = this.oldest
    let high = this.ordered.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (entryAt(this.ordered, middle).seq < seq) low = middle + 1
      else high = middle
    }
    return low
  }

  private forget(): void {
    const { window } = this
    if (window.kind === 'items') {
      if (this.size > window.count) this.remove(entryAt(this.ordered, this.oldest))
      return
    }
    // Times of arrival nearly follow seq: an item that is a little younger than the next stays a little longer.
    const tooOld = this.tooOldFor(this.newestAt)
    while (this.size > 0 && entryAt(this.ordered, this.oldest).at <= tooOld)
      this.remove(entryAt(this.ordered, this.oldest))
  }

  private remove(first: WindowMember): void {
    this.unlist(first)
    this.free(first)
    this.bySeq.delete(first.seq)
    this.oldest += 1
    if (this.oldest > COMPACT_FROM && 2 * this.oldest > this.ordered.length) {
      this.ordered = this.ordered.slice(this.oldest)
      this.oldest = 0
    }
  }

  private unlist(member: WindowMember): void {
    for (const comparison of this.comparisons) comparison.remove(member)
  }
}
