import { entryAt } from '../../model/entry-at.ts'
import type { ItemSeq } from '../../model/index.ts'
import type { Join, PairPredicate, QueryCondition } from '../language/ast.ts'
import { specialiseJoin } from '../plan/specialise.ts'
import { comparisonKey, type WindowComparison } from './comparison.ts'
import type { ItemWindow } from './item-window.ts'
import type { WindowMember } from './member.ts'
import type { PairFacts } from './pair-facts.ts'
import type { JoinParts } from './parts.ts'
import { probesOf } from './probe.ts'

/** What a join says about items that come by one variable. */
interface SpecialisedCondition {
  readonly condition: QueryCondition
  readonly probes: readonly PairPredicate[] | null
}

/** So many partners are named; an item that fits the whole window would else be annotated with all of it. */
export const MOST_JOINED = 100

/** One JOIN or NOT JOINED of a query, over a window that it may share with others. */
export class JoinCheck {
  readonly join: Join
  readonly window: ItemWindow
  /** Members that the last item was compared with. */
  compared = 0
  private readonly parts: JoinParts
  private readonly comparisons = new Map<PairPredicate, WindowComparison>()
  private readonly saidOf = new Map<string | null, SpecialisedCondition | null>()

  constructor(join: Join, window: ItemWindow, parts: JoinParts) {
    this.join = join
    this.window = window
    this.parts = parts
  }

  /** Whether the join keeps the item that comes by a variable: it has a partner, or for NOT JOINED none. */
  keeps(seq: ItemSeq, facts: PairFacts, variable: string | null): boolean {
    const condition = this.conditionFor(variable)
    return condition === null || this.find(condition, seq, facts, 1).length > 0 !== this.join.negated
  }

  /** The members that fit, last first; none where the join says nothing about items that come by the variable. */
  partners(seq: ItemSeq, facts: PairFacts, variable: string | null): readonly ItemSeq[] {
    const condition = this.conditionFor(variable)
    return condition === null ? [] : this.find(condition, seq, facts, MOST_JOINED)
  }

  private conditionFor(variable: string | null): SpecialisedCondition | null {
    let specialised = this.saidOf.get(variable)
    if (specialised === undefined) {
      const condition = specialiseJoin(this.join, variable)
      specialised = condition === null ? null : { condition, probes: probesOf(condition) }
      this.saidOf.set(variable, specialised)
    }
    return specialised
  }

  private find({ condition, probes }: SpecialisedCondition, seq: ItemSeq, facts: PairFacts, most: number): ItemSeq[] {
    const found: ItemSeq[] = []
    const question = this.window.nextQuestion()
    const tooOld = this.window.tooOldFor(facts.arrival.item.firstSeenAt)
    this.compared = 0
    const isEnough = (member: WindowMember): boolean => {
      if (member.usedInRound === question) return false
      member.usedInRound = question
      if (member.seq === seq || member.at <= tooOld) return false
      this.compared += 1
      if (this.holds(condition, facts, member)) found.push(member.seq)
      return probes === null ? found.length === most : most === 1 && found.length === 1
    }
    if (probes === null) this.window.someMember(isEnough)
    else probes.some((probe) => this.comparison(probe).someCandidate(probe, facts, isEnough))
    return found.sort((a, b) => b - a).slice(0, most)
  }

  private holds(condition: QueryCondition, facts: PairFacts, member: WindowMember): boolean {
    switch (condition.kind) {
      case 'and':
        return condition.of.every((part) => this.holds(part, facts, member))
      case 'or':
        return condition.of.some((part) => this.holds(part, facts, member))
      case 'not':
        return !this.holds(condition.of, facts, member)
      case 'scoped':
        return entryAt(member.answers, this.parts.questionIndex(condition.of))
      case 'similar':
      case 'same':
        return this.comparison(condition).holds(condition, facts, member)
      default:
        return facts.holds(condition)
    }
  }

  private comparison(pair: PairPredicate): WindowComparison {
    let comparison = this.comparisons.get(pair)
    if (comparison === undefined) {
      comparison = entryAt(this.window.comparisons, this.parts.pairIndex(comparisonKey(pair)))
      this.comparisons.set(pair, comparison)
    }
    return comparison
  }
}
