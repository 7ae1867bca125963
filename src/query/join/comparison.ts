import { entryAt } from '../../model/entry-at.ts'
import type { PairPredicate, QueryField } from '../language/ast.ts'
import { HitCounts } from './hit-counts.ts'
import type { WindowMember } from './member.ts'
import type { PairFacts } from './pair-facts.ts'
import { neededHits, similarity, wordsToLookUp } from './similarity.ts'
import { ValueLists } from './value-lists.ts'

/** Of the item that is to be joined: how many values it has, and the numbers of those that somebody in the window has. */
interface Own {
  readonly facts: PairFacts
  readonly size: number
  readonly ids: readonly number[]
}

/** Two pairs that differ in no more than the threshold, or the name of the variable, are one comparison. */
export function comparisonKey({ kind, field, other }: PairPredicate): string {
  return `${kind} ${field} ${other.field}`
}

/** One way to compare items with the members of a window, which finds those that may fit by the values they share. */
export class WindowComparison {
  private readonly kind: PairPredicate['kind']
  private readonly field: QueryField
  private readonly otherField: QueryField
  /** Its place in `Member.values`. */
  private readonly index: number
  /** Of the window, by slot. */
  private readonly members: readonly (WindowMember | undefined)[]
  /** Slots of the members that have a value. */
  private readonly lists = new ValueLists()
  /** How many values the member in a slot has. */
  private readonly sizes: number[] = []
  private readonly hits = new HitCounts()
  private own: Own | null = null

  constructor({ kind, field, other }: PairPredicate, index: number, members: readonly (WindowMember | undefined)[]) {
    this.kind = kind
    this.field = field
    this.otherField = other.field
    this.index = index
    this.members = members
  }

  /** Numbers of the values by which the member is found from now on. */
  add(member: WindowMember, facts: PairFacts): readonly number[] {
    this.own = null
    const values = facts.values(this.kind, this.otherField)
    this.sizes[member.slot] = values.length
    return values.map((value) => this.lists.add(value, member.slot))
  }

  remove(member: WindowMember): void {
    this.own = null
    for (const id of entryAt(member.values, this.index)) this.lists.take(id, member.slot)
  }

  holds(pair: PairPredicate, facts: PairFacts, member: WindowMember): boolean {
    const own = this.ask(facts)
    const other = entryAt(member.values, this.index)
    const shared = this.lists.marked(other)
    return pair.kind === 'same' ? shared > 0 : similarity(shared, own.size, other.length) > pair.threshold
  }

  /** Asks about every member that the pair may hold with, about some more than once, until one answer is true. */
  someCandidate(pair: PairPredicate, facts: PairFacts, says: (member: WindowMember) => boolean): boolean {
    const own = this.ask(facts)
    if (pair.kind === 'same')
      return own.ids.some((id) => this.lists.some(id, (slot) => says(entryAt(this.members, slot))))
    return this.someAlike(own, pair.threshold, says)
  }

  private someAlike(own: Own, threshold: number, says: (member: WindowMember) => boolean): boolean {
    const { hits, sizes, members } = this
    const needed: number[] = []
    const isAlike = (slot: number): boolean => {
      const size = sizes[slot] ?? 0
      needed[size] ??= neededHits(own.size, size, threshold)
      return hits.add(slot) === needed[size] && says(entryAt(members, slot))
    }
    hits.begin(members.length)
    return this.rarest(own, threshold).some((id) => this.lists.some(id, isAlike))
  }

  /** Words that nobody in the window has are the rarest, and cost nothing. */
  private rarest({ size, ids }: Own, threshold: number): readonly number[] {
    const unknown = size - ids.length
    const count = Math.max(0, wordsToLookUp(size, threshold) - unknown)
    if (count >= ids.length) return ids
    return [...ids].sort((a, b) => this.lists.count(a) - this.lists.count(b)).slice(0, count)
  }

  /** Once for all queries that share the window. */
  private ask(facts: PairFacts): Own {
    if (this.own?.facts === facts) return this.own
    const values = facts.values(this.kind, this.field)
    const ids = values.flatMap((value) => this.lists.id(value) ?? [])
    this.lists.markOnly(ids)
    this.own = { facts, size: values.length, ids }
    return this.own
  }
}
