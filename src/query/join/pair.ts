import type { InstantMs } from '../../model/index.ts'
import type { Condition, PairPredicate } from '../language/ast.ts'
import type { Arrival, DetectLanguage } from '../match/arrival.ts'
import { conditionHolds } from '../match/naive.ts'
import { similarity } from './similarity.ts'
import { valuesOf, wordsOf } from './values.ts'

/** What a join asks of the items of its window: words or values for each comparison, answers to `$w[…]`. */
export interface Partner<T> {
  readonly about: T
  /** Grows with each. */
  readonly order: number
  readonly at: InstantMs
  readonly compared: readonly (readonly string[])[]
  readonly answers: readonly boolean[]
}

type Scoped = Extract<Condition, { kind: 'scoped' }>

/** The parts of a WITH condition that look at the other item. */
export class PairParts {
  readonly pairs: readonly PairPredicate[]
  private readonly scoped: readonly Scoped[]
  private readonly numbers = new Map<Condition, number>()
  private readonly detect: DetectLanguage

  constructor(condition: Condition, variable: string, detect: DetectLanguage) {
    const pairs: PairPredicate[] = []
    const scoped: Scoped[] = []
    visit(condition, (part) => {
      if (part.kind === 'scoped' && part.variable === variable) this.numbers.set(part, scoped.push(part) - 1)
      else if (part.kind === 'similar' || part.kind === 'same') this.numbers.set(part, pairs.push(part) - 1)
    })
    this.pairs = pairs
    this.scoped = scoped
    this.detect = detect
  }

  partner<T>(about: T, order: number, arrival: Arrival): Partner<T> {
    return {
      about,
      order,
      at: arrival.item.firstSeenAt,
      compared: this.pairs.map((pair) => this.side(pair, pair.other.field as never, arrival)),
      answers: this.scoped.map(({ of }) => conditionHolds(of, arrival, this.detect) !== false),
    }
  }

  /** The same of the item that is to be joined. */
  own(arrival: Arrival): readonly (readonly string[])[] {
    return this.pairs.map((pair) => this.side(pair, pair.field as never, arrival))
  }

  number(part: Condition): number {
    return this.numbers.get(part)!
  }

  private side(pair: PairPredicate, field: never, arrival: Arrival): readonly string[] {
    return pair.kind === 'similar' ? wordsOf(arrival, field) : valuesOf(arrival, field, this.detect)
  }
}

function visit(condition: Condition, callback: (part: Condition) => void): void {
  callback(condition)
  if (condition.kind === 'and' || condition.kind === 'or') for (const part of condition.of) visit(part, callback)
  else if (condition.kind === 'not' || condition.kind === 'scoped') visit(condition.of, callback)
}

export function pairHolds(pair: PairPredicate, own: readonly string[], other: readonly string[]): boolean {
  if (pair.kind === 'similar') return similarity(own, other) > pair.threshold
  return own.some((value) => other.includes(value))
}
