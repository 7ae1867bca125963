import type { Condition, Join, PairPredicate } from '../language/ast.ts'
import type { Arrival, DetectLanguage } from '../match/arrival.ts'
import { conditionHolds } from '../match/naive.ts'
import { specialise } from '../plan/specialise.ts'
import { FifoLists } from './fifo-lists.ts'
import { PairParts, type Partner, pairHolds } from './pair.ts'
import { probesOf } from './probe.ts'
import { prefixLength, sizesFit } from './similarity.ts'

export interface JoinWindowOptions {
  readonly detectLanguage?: DetectLanguage
}

/**
 * The other feed of a JOIN: its last items, kept as little as the condition needs, and found by the words and values that
 * it compares. `T` is how the caller names an item. Items come in the order of their arrival.
 */
export class JoinWindow<T> {
  private readonly join: Join
  private readonly parts: PairParts
  private readonly detect: DetectLanguage
  private readonly lists = new FifoLists<Partner<T>>()
  private partners: Partner<T>[] = []
  private oldest = 0
  private added = 0
  /** Items of the window that were compared for the last one. */
  compared = 0

  constructor(join: Join, options: JoinWindowOptions = {}) {
    this.join = join
    this.detect = options.detectLanguage ?? (() => '')
    this.parts = new PairParts(join.condition, join.source.variable!, this.detect)
  }

  get size(): number {
    return this.partners.length - this.oldest
  }

  /** An item of the other feed. */
  add(about: T, arrival: Arrival): void {
    this.expire(arrival.item.firstSeenAt)
    const partner = this.parts.partner(about, this.added++, arrival)
    this.partners.push(partner)
    for (const name of this.namesOf(partner)) this.lists.add(name, partner)
    const { window } = this.join
    if (window.kind === 'items' && this.size > window.count) this.dropOldest()
  }

  /**
   * The items of the window that the condition holds with, the last first; `variable` is what the item comes by. null: the
   * condition says nothing about items that come by it.
   */
  partnersOf(about: T, arrival: Arrival, variable: string | null): T[] | null {
    this.expire(arrival.item.firstSeenAt)
    const condition = specialise(this.join.condition, variable, this.join.source.variable)
    if (condition === null) return null
    const own = this.parts.own(arrival)
    const answers = new Map<Condition, boolean>()
    const found: T[] = []
    this.compared = 0
    for (const partner of this.candidates(condition, own)) {
      if (partner.about === about || !this.inTime(partner, arrival.item.firstSeenAt)) continue
      this.compared += 1
      if (this.holds(condition, arrival, own, partner, answers)) found.push(partner.about)
    }
    return found.reverse()
  }

  /** Whether the join keeps the item: it has a partner, or for NOT JOINED none. */
  keeps(about: T, arrival: Arrival, variable: string | null): boolean {
    const found = this.partnersOf(about, arrival, variable)
    return found === null || found.length > 0 !== this.join.negated
  }

  private holds(
    condition: Condition,
    arrival: Arrival,
    own: readonly (readonly string[])[],
    partner: Partner<T>,
    answers: Map<Condition, boolean>,
  ): boolean {
    switch (condition.kind) {
      case 'and':
        return condition.of.every((part) => this.holds(part, arrival, own, partner, answers))
      case 'or':
        return condition.of.some((part) => this.holds(part, arrival, own, partner, answers))
      case 'not':
        return !this.holds(condition.of, arrival, own, partner, answers)
      case 'scoped':
        return partner.answers[this.parts.number(condition)]!
      case 'similar':
      case 'same': {
        const number = this.parts.number(condition)
        return pairHolds(condition, own[number]!, partner.compared[number]!)
      }
      default: {
        // About the item alone: asked once, not for each partner.
        let answer = answers.get(condition)
        if (answer === undefined) {
          answer = conditionHolds(condition, arrival, this.detect) !== false
          answers.set(condition, answer)
        }
        return answer
      }
    }
  }

  /** In the order of arrival, each once. */
  private candidates(condition: Condition, own: readonly (readonly string[])[]): Iterable<Partner<T>> {
    const probes = probesOf(condition)
    if (probes === null) return this.partners.slice(this.oldest)
    const found = new Set<Partner<T>>()
    for (const probe of probes) {
      const number = this.parts.number(probe)
      const wanted = own[number]!
      for (const name of namesFor(probe, wanted)) {
        this.lists.each(`${number} ${name}`, (partner) => {
          if (fits(probe, wanted, partner.compared[number]!)) found.add(partner)
        })
      }
    }
    return [...found].sort((a, b) => a.order - b.order)
  }

  private namesOf(partner: Partner<T>): string[] {
    return this.parts.pairs.flatMap((probe, number) => {
      return namesFor(probe, partner.compared[number]!).map((name) => `${number} ${name}`)
    })
  }

  private inTime({ at }: Partner<T>, now: number): boolean {
    const { window } = this.join
    return window.kind === 'items' || at > now - window.lengthMs
  }

  private expire(now: number): void {
    while (this.size > 0 && !this.inTime(this.partners[this.oldest]!, now)) this.dropOldest()
  }

  private dropOldest(): void {
    for (const name of this.namesOf(this.partners[this.oldest]!)) this.lists.takeOldest(name)
    this.oldest += 1
    if (this.oldest > 1_000 && 2 * this.oldest > this.partners.length) {
      this.partners = this.partners.slice(this.oldest)
      this.oldest = 0
    }
  }
}

function namesFor(probe: PairPredicate, values: readonly string[]): readonly string[] {
  return probe.kind === 'same' ? values : values.slice(0, prefixLength(values.length, probe.threshold))
}

function fits(probe: PairPredicate, a: readonly string[], b: readonly string[]): boolean {
  return probe.kind === 'same' || sizesFit(a.length, b.length, probe.threshold)
}
