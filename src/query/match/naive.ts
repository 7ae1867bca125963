import { words } from '../../store/text/fold.ts'
import type { Arrival, DetectLanguage } from '../item/arrival.ts'
import { atomOf, atomsOf, languageAtoms, originAtom } from '../item/atoms.ts'
import { languageOf } from '../item/language.ts'
import { stemmingLanguage, stemsOf } from '../item/stem.ts'
import { inField, patternTexts, textsOf } from '../item/texts.ts'
import type { FeedQuery, ItemPredicate, QueryCondition, SourceRef } from '../language/ast.ts'
import { compilePattern } from '../language/patterns.ts'
import { compareNumbers, countOf, publishedHolds } from './values.ts'

export interface NaiveContext {
  /** Whether the item is in the query feed of this name. */
  readonly inFeed: (name: string) => boolean
  readonly detect: DetectLanguage
}

const ALONE: NaiveContext = { inFeed: () => false, detect: () => '' }

/**
 * What a query means, said as plainly as possible: the specification that the matcher is tested against. An item is in
 * the feed if it comes by one of the sources and that source's filter keeps it.
 */
export function matchesNaively(query: FeedQuery, arrival: Arrival, context: NaiveContext = ALONE): boolean {
  const facts = new Facts(arrival, context)
  return query.sources.some((source) => keeps(query, source, facts))
}

function keeps({ where }: FeedQuery, { origin, variable }: SourceRef, facts: Facts): boolean {
  const atom = originAtom(origin)
  const comes = atom === null || facts.atoms.has(atom) || (origin.kind === 'name' && facts.inFeed(origin.name))
  // A condition that says nothing about this source keeps everything.
  return comes && (where === null || evaluate(where, variable, facts) !== false)
}

/** Whether a condition about one item alone holds. */
export function conditionHolds(condition: QueryCondition, arrival: Arrival, detect: DetectLanguage): boolean {
  return evaluate(condition, null, new Facts(arrival, { ...ALONE, detect })) !== false
}

/** The variables by which an item is in the filtered union, each once. */
export function variablesOf(query: FeedQuery, arrival: Arrival, context: NaiveContext): (string | null)[] {
  const facts = new Facts(arrival, context)
  return [...new Set(query.sources.filter((source) => keeps(query, source, facts)).map(({ variable }) => variable))]
}

/** null: says nothing about items that come by this variable, and counts for nothing in AND, OR and NOT. */
function evaluate(condition: QueryCondition, variable: string | null, facts: Facts): boolean | null {
  switch (condition.kind) {
    case 'and':
    case 'or': {
      const values = condition.of.map((part) => evaluate(part, variable, facts)).filter((value) => value !== null)
      if (values.length === 0) return null
      return condition.kind === 'and' ? values.every(Boolean) : values.some(Boolean)
    }
    case 'not': {
      const inner = evaluate(condition.of, variable, facts)
      return inner === null ? null : !inner
    }
    case 'scoped':
      return condition.variable === variable ? evaluate(condition.of, variable, facts) : null
    case 'similar':
    case 'same':
      throw new Error('A comparison with a joined feed cannot be in WHERE')
    default:
      return predicateHolds(condition, facts)
  }
}

class Facts {
  readonly arrival: Arrival
  readonly texts: ReturnType<typeof textsOf>
  readonly inFeed: (name: string) => boolean
  private readonly detect: DetectLanguage
  private knownLanguage: string | null = null
  private knownAtoms: ReadonlySet<string> | null = null

  constructor(arrival: Arrival, { detect, inFeed }: NaiveContext) {
    this.arrival = arrival
    this.detect = detect
    this.inFeed = inFeed
    this.texts = textsOf(arrival)
  }

  get language(): string {
    this.knownLanguage ??= languageOf(this.arrival, this.texts, this.detect)
    return this.knownLanguage
  }

  get atoms(): ReadonlySet<string> {
    this.knownAtoms ??= new Set([
      ...atomsOf(this.arrival, () => true),
      ...languageAtoms(this.language),
      ...this.wholeTexts(),
    ])
    return this.knownAtoms
  }

  private wholeTexts(): string[] {
    return (['TITLE', 'DESCRIPTION', 'CONTENT'] as const).flatMap((field) =>
      inField(this.texts, field).map(({ text }) => atomOf(field, text)),
    )
  }
}

function predicateHolds(predicate: ItemPredicate, facts: Facts): boolean {
  const { arrival, texts } = facts
  switch (predicate.kind) {
    case 'contains': {
      const language = stemmingLanguage(facts.language)
      const cut = (text: string) => (predicate.stemmed ? stemsOf(text, language) : words(text))
      const phrase = ` ${cut(predicate.text).join(' ')} `
      return inField(texts, predicate.field).some(({ text }) => ` ${cut(text).join(' ')} `.includes(phrase))
    }
    case 'equals':
      return predicate.values.some((value) => facts.atoms.has(atomOf(predicate.field, value)))
    case 'matches': {
      const pattern = compilePattern(predicate.pattern, predicate.ignoreCase)
      return patternTexts(arrival, texts, predicate.field).some((text) => pattern.test(text))
    }
    case 'published':
      return publishedHolds(predicate, arrival)
    case 'count':
      return compareNumbers(countOf(predicate.field, arrival, texts), predicate.comparison, predicate.number)
  }
}
