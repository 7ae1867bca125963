import type { ItemSeq } from '../../src/model/index.ts'
import type { FeedArrival, FeedMatch } from '../../src/query/engine.ts'
import type { DetectLanguage } from '../../src/query/item/arrival.ts'
import { originAtom, originAtomsOf } from '../../src/query/item/atoms.ts'
import { inField, textsOf } from '../../src/query/item/texts.ts'
import { distinctJoin } from '../../src/query/join/distinct.ts'
import { MOST_JOINED } from '../../src/query/join/join-check.ts'
import { PairFacts } from '../../src/query/join/pair-facts.ts'
import type {
  FeedQuery,
  ItemOrigin,
  Join,
  PairPredicate,
  QueryCondition,
  QueryField,
  TextField,
} from '../../src/query/language/ast.ts'
import { variablesOf } from '../../src/query/match/naive.ts'
import { specialiseJoin } from '../../src/query/plan/specialise.ts'
import { words } from '../../src/store/text/fold.ts'

interface ProcessedItem {
  arrival: FeedArrival
  origins: readonly string[]
  /** Query feeds that it is in. */
  readonly feeds: Set<string>
}

/**
 * What query feeds with joins mean, said as plainly as possible and with no care for speed: every item is compared with
 * all that came before. The specification that the engine is tested against.
 */
export class NaiveEngine {
  private readonly queries = new Map<string, FeedQuery>()
  /** In the order of seq. */
  private readonly processed: ProcessedItem[] = []
  private readonly detect: DetectLanguage
  /** Only so that tests take seconds: what was evaluated on an item once is not evaluated again. */
  private readonly factsOf = new WeakMap<FeedArrival, PairFacts>()
  private readonly wordsOf = new WeakMap<FeedArrival, Map<QueryField, ReadonlySet<string>>>()

  constructor(detect: DetectLanguage = () => '') {
    this.detect = detect
  }

  set(name: string, query: FeedQuery): void {
    this.queries.set(name, query)
  }

  remove(name: string): boolean {
    for (const { feeds } of this.processed) feeds.delete(name)
    return this.queries.delete(name)
  }

  process(arrival: FeedArrival): readonly FeedMatch[] {
    const known = new Map<string, readonly ItemSeq[] | null>()
    const joinedIn = (name: string): readonly ItemSeq[] | null => {
      if (!known.has(name))
        known.set(
          name,
          this.joined(name, arrival, (feed) => joinedIn(feed) !== null),
        )
      return known.get(name)!
    }
    const matches = [...this.queries.keys()].flatMap((feed) => {
      const joined = joinedIn(feed)
      return joined === null ? [] : [{ feed, joined }]
    })
    this.record(arrival, matches)
    return matches
  }

  /** Every item with the feeds that it is in: what the archive and the feeds hold. */
  *archive(): Generator<FeedArrival> {
    for (const { arrival, feeds } of this.processed) yield { ...arrival, feeds: [...feeds] }
  }

  private record(arrival: FeedArrival, matches: readonly FeedMatch[]): void {
    const { seq } = arrival.item
    let entry = this.processed.find((other) => other.arrival.item.seq === seq)
    if (entry === undefined) {
      entry = { arrival, origins: [], feeds: new Set() }
      this.processed.push(entry)
      this.processed.sort((a, b) => a.arrival.item.seq - b.arrival.item.seq)
    }
    entry.arrival = arrival
    entry.origins = originAtomsOf(arrival)
    for (const { feed } of matches) entry.feeds.add(feed)
  }

  /** null: the item is not in the feed. */
  private joined(name: string, arrival: FeedArrival, inFeed: (feed: string) => boolean): readonly ItemSeq[] | null {
    const query = this.queries.get(name)
    if (query === undefined) return null
    const { detect } = this
    const matching = variablesOf(query, arrival, { inFeed, detect }).flatMap((variable) => {
      const partners = query.joins.map((join) => ({ join, found: this.partners(join, arrival, variable) }))
      const keeps = partners.every(({ join, found }) => found === null || found.length > 0 !== join.negated)
      return keeps ? [partners.flatMap(({ join, found }) => (join.negated ? [] : (found ?? [])))] : []
    })
    const isRepeat =
      query.distinct !== null && this.partners(distinctJoin(name, query.distinct), arrival, null)!.length > 0
    if (matching.length === 0 || isRepeat) return null
    return [...new Set(matching.flat())].sort((a, b) => b - a).slice(0, MOST_JOINED)
  }

  /** null: the join does not concern items that come by this variable. */
  private partners(join: Join, arrival: FeedArrival, variable: string | null): ItemSeq[] | null {
    const condition = specialiseJoin(join, variable)
    if (condition === null) return null
    return this.window(join, arrival)
      .filter((other) => other.item.seq !== arrival.item.seq && this.holds(condition, arrival, other))
      .map(({ item }) => item.seq)
      .sort((a, b) => b - a)
      .slice(0, MOST_JOINED)
  }

  private window({ sources, window }: Join, { item }: FeedArrival): FeedArrival[] {
    const comesBy = ({ origins, feeds }: ProcessedItem, origin: ItemOrigin): boolean => {
      const atom = originAtom(origin)
      return atom === null || origins.includes(atom) || (origin.kind === 'name' && feeds.has(origin.name))
    }
    const members = this.processed
      .filter((processed) => sources.some(({ origin }) => comesBy(processed, origin)))
      .map(({ arrival }) => arrival)
    if (window.kind === 'items') return members.slice(-window.count)
    const newestAt = Math.max(item.firstSeenAt, ...members.map((member) => member.item.firstSeenAt))
    return members.filter((member) => member.item.firstSeenAt > newestAt - window.lengthMs)
  }

  private holds(condition: QueryCondition, own: FeedArrival, other: FeedArrival): boolean {
    switch (condition.kind) {
      case 'and':
        return condition.of.every((part) => this.holds(part, own, other))
      case 'or':
        return condition.of.some((part) => this.holds(part, own, other))
      case 'not':
        return !this.holds(condition.of, own, other)
      case 'scoped':
        return this.facts(other).holds(condition.of)
      case 'similar': {
        const [these, others] = [this.wordSet(own, condition.field), this.wordSet(other, condition.other.field)]
        return jaccard(these, others) > condition.threshold
      }
      case 'same':
        return this.shareValue(condition, own, other)
      default:
        return this.facts(own).holds(condition)
    }
  }

  private shareValue({ kind, field }: PairPredicate, own: FeedArrival, other: FeedArrival): boolean {
    const values = this.facts(other).values(kind, field)
    return this.facts(own)
      .values(kind, field)
      .some((value) => values.includes(value))
  }

  private facts(arrival: FeedArrival): PairFacts {
    const facts = this.factsOf.get(arrival) ?? new PairFacts(arrival, this.detect)
    this.factsOf.set(arrival, facts)
    return facts
  }

  private wordSet(arrival: FeedArrival, field: QueryField): ReadonlySet<string> {
    const known = this.wordsOf.get(arrival) ?? new Map<QueryField, ReadonlySet<string>>()
    this.wordsOf.set(arrival, known)
    const set =
      known.get(field) ?? new Set(inField(textsOf(arrival), field as TextField).flatMap(({ text }) => words(text)))
    known.set(field, set)
    return set
  }
}

function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((word) => b.has(word)).length
  return shared === 0 ? 0 : shared / new Set([...a, ...b]).size
}
