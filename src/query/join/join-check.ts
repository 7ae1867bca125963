import { entryAt } from '../../model/entry-at.ts'
import type { ItemSeq } from '../../model/index.ts'
import type { Condition, Join, PairPredicate } from '../language/ast.ts'
import { specialiseJoin } from '../plan/specialise.ts'
import { type Comparison, comparisonKey } from './comparison.ts'
import type { ItemWindow } from './item-window.ts'
import type { Member } from './member.ts'
import type { PairFacts } from './pair-facts.ts'
import type { JoinParts } from './parts.ts'
import { probesOf } from './probe.ts'

/** What a join says about items that come by one variable. */
interface Said {
  readonly condition: Condition
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
  private readonly comparisons = new Map<PairPredicate, Comparison>()
  private readonly saidOf = new Map<string | null, Said | null>()

  constructor(join: Join, window: ItemWindow, parts: JoinParts) {
    this.join = join
    this.window = window
    this.parts = parts
  }

  /** Whether the join keeps the item that comes by a variable: it has a partner, or for NOT JOINED none. */
  keeps(seq: ItemSeq, facts: PairFacts, variable: string | null): boolean {
    const said = this.said(variable)
    return said === null || this.find(said, seq, facts, 1).length > 0 !== this.join.negated
  }

  /** The members that fit, last first; none where the join says nothing about items that come by the variable. */
  partners(seq: ItemSeq, facts: PairFacts, variable: string | null): readonly ItemSeq[] {
    const said = this.said(variable)
    return said === null ? [] : this.find(said, seq, facts, MOST_JOINED)
  }

  private said(variable: string | null): Said | null {
    let said = this.saidOf.get(variable)
    if (said === undefined) {
      const condition = specialiseJoin(this.join, variable)
      said = condition === null ? null : { condition, probes: probesOf(condition) }
      this.saidOf.set(variable, said)
    }
    return said
  }

  private find({ condition, probes }: Said, seq: ItemSeq, facts: PairFacts, most: number): ItemSeq[] {
    const found: ItemSeq[] = []
    const question = this.window.nextQuestion()
    const tooOld = this.window.tooOldFor(facts.arrival.item.firstSeenAt)
    this.compared = 0
    const isEnough = (member: Member): boolean => {
      if (member.askedFor === question) return false
      member.askedFor = question
      if (member.seq === seq || member.at <= tooOld) return false
      this.compared += 1
      if (this.holds(condition, facts, member)) found.push(member.seq)
      return probes === null ? found.length === most : most === 1 && found.length === 1
    }
    if (probes === null) this.window.someMember(isEnough)
    else probes.some((probe) => this.comparison(probe).someCandidate(probe, facts, isEnough))
    return found.sort((a, b) => b - a).slice(0, most)
  }

  private holds(condition: Condition, facts: PairFacts, member: Member): boolean {
    switch (condition.kind) {
      case 'and':
        return condition.of.every((part) => this.holds(part, facts, member))
      case 'or':
        return condition.of.some((part) => this.holds(part, facts, member))
      case 'not':
        return !this.holds(condition.of, facts, member)
      case 'scoped':
        return entryAt(member.answers, this.parts.questionPlace(condition.of))
      case 'similar':
      case 'same':
        return this.comparison(condition).holds(condition, facts, member)
      default:
        return facts.holds(condition)
    }
  }

  private comparison(pair: PairPredicate): Comparison {
    let comparison = this.comparisons.get(pair)
    if (comparison === undefined) {
      comparison = entryAt(this.window.comparisons, this.parts.pairPlace(comparisonKey(pair)))
      this.comparisons.set(pair, comparison)
    }
    return comparison
  }
}
