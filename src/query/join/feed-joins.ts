import { entryAt } from '../../model/entry-at.ts'
import type { ItemSeq } from '../../model/index.ts'
import type { DetectLanguage } from '../item/arrival.ts'
import { feedAtom } from '../item/atoms.ts'
import type { FeedQuery, QueryCondition } from '../language/ast.ts'
import { printCondition } from '../language/print.ts'
import { variablesOf } from '../match/naive.ts'
import { specialiseJoin } from '../plan/specialise.ts'
import { distinctJoin } from './distinct.ts'
import { type JoinCheck, MOST_JOINED } from './join-check.ts'
import type { PairFacts } from './pair-facts.ts'
import type { WindowPool } from './window-pool.ts'

/** The joins and DISTINCT of one query feed, for items that pass its filter. */
export class FeedJoins {
  readonly needsLanguage: boolean
  private readonly query: FeedQuery
  private readonly pool: WindowPool
  private readonly checks: readonly JoinCheck[]
  private readonly distinct: JoinCheck | null
  private readonly detect: DetectLanguage
  /** Whether a join says other things about one source than about another. */
  private readonly variablesMatter: boolean

  constructor(name: string, query: FeedQuery, pool: WindowPool, detect: DetectLanguage) {
    this.query = query
    this.pool = pool
    this.detect = detect
    this.checks = query.joins.map((join) => pool.use(join))
    this.distinct = query.distinct === null ? null : pool.use(distinctJoin(name, query.distinct))
    this.variablesMatter = query.joins.some((join) => {
      const conditions = query.sources.map(({ variable }) => specialiseJoin(join, variable))
      return new Set(conditions.map((condition) => condition && printCondition(condition))).size > 1
    })
    this.needsLanguage = query.joins.some(({ condition }) => asksForLanguage(condition))
  }

  release(): void {
    for (const check of this.checks) this.pool.release(check)
    if (this.distinct !== null) this.pool.release(this.distinct)
  }

  /** `origins` are the names of where the item comes from, as far as known. */
  keeps(seq: ItemSeq, facts: PairFacts, origins: ReadonlySet<string>): boolean {
    const passes = (variable: string | null) => this.joinsKeep(seq, facts, variable)
    if (!this.variables(facts, origins).some(passes)) return false
    return this.distinct === null || this.distinct.keeps(seq, facts, null)
  }

  /** Items of the windows that fit, last first. */
  joined(seq: ItemSeq, facts: PairFacts, origins: ReadonlySet<string>): readonly ItemSeq[] {
    const checks = this.checks.filter(({ join }) => !join.negated)
    if (checks.length === 0) return []
    const variables = this.variables(facts, origins).filter((variable) => this.joinsKeep(seq, facts, variable))
    const found = variables.flatMap((variable) => checks.flatMap((check) => check.partners(seq, facts, variable)))
    return [...new Set(found)].sort((a, b) => b - a).slice(0, MOST_JOINED)
  }

  private joinsKeep(seq: ItemSeq, facts: PairFacts, variable: string | null): boolean {
    return this.checks.every((check) => check.keeps(seq, facts, variable))
  }

  private variables(facts: PairFacts, origins: ReadonlySet<string>): readonly (string | null)[] {
    const { query, detect } = this
    if (!this.variablesMatter) return [entryAt(query.sources, 0).variable]
    return variablesOf(query, facts.arrival, { inFeed: (name) => origins.has(feedAtom(name)), detect })
  }
}

function asksForLanguage(condition: QueryCondition): boolean {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.of.some(asksForLanguage)
    case 'not':
    case 'scoped':
      return asksForLanguage(condition.of)
    case 'contains':
      return condition.stemmed
    case 'equals':
    case 'same':
      return condition.field === 'LANGUAGE'
    default:
      return false
  }
}
