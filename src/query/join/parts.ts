import type { Join, PairPredicate, QueryCondition } from '../language/ast.ts'
import { variableOf } from '../language/build.ts'
import { printCondition, printOrigin, printWindow } from '../language/print.ts'
import { comparisonKey } from './comparison.ts'

/** What a window must keep of its items for a join: what they are compared by, and the answers to each `$w[…]`. */
export class JoinParts {
  readonly pairs: readonly PairPredicate[]
  readonly questions: readonly QueryCondition[]
  /** Joins with the same key can share a window. */
  readonly key: string
  private readonly pairIndexes = new Map<string, number>()
  private readonly questionIndexes = new Map<QueryCondition, number>()

  constructor(join: Join) {
    const pairs = new Map<string, PairPredicate>()
    const questions = new Map<string, QueryCondition>()
    const scoped: QueryCondition[] = []
    visit(join.condition, (part) => {
      if (part.kind === 'similar' || part.kind === 'same') pairs.set(comparisonKey(part), part)
      else if (part.kind === 'scoped' && part.variable === variableOf(join)) {
        questions.set(printCondition(part.of), part.of)
        scoped.push(part.of)
      }
    })
    // In an order of their own, so that joins that say the same in another order share a window too.
    const keys = [...pairs.keys()].sort()
    const texts = [...questions.keys()].sort()
    for (const [index, key] of keys.entries()) this.pairIndexes.set(key, index)
    for (const condition of scoped) this.questionIndexes.set(condition, texts.indexOf(printCondition(condition)))
    this.pairs = keys.map((key) => pairs.get(key)!)
    this.questions = texts.map((text) => questions.get(text)!)
    const origins = [...new Set(join.sources.map(({ origin }) => printOrigin(origin)))].sort()
    this.key = JSON.stringify([origins, printWindow(join.window), keys, texts])
  }

  pairIndex(key: string): number {
    return this.pairIndexes.get(key)!
  }

  /** Of what is in the brackets of `$w[…]`. */
  questionIndex(condition: QueryCondition): number {
    return this.questionIndexes.get(condition)!
  }
}

function visit(condition: QueryCondition, callback: (part: QueryCondition) => void): void {
  callback(condition)
  if (condition.kind === 'and' || condition.kind === 'or') for (const part of condition.of) visit(part, callback)
  else if (condition.kind === 'not' || condition.kind === 'scoped') visit(condition.of, callback)
}
