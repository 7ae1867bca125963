import { words } from '../../store/text/fold.ts'
import type { Arrival, DetectLanguage } from '../item/arrival.ts'
import { atomOf, sourceAddress, sourceCategoryAtoms } from '../item/atoms.ts'
import { languageOf } from '../item/language.ts'
import { MASKS, textsOf } from '../item/texts.ts'
import type { PairPredicate, QueryCondition, QueryField, SharedField, TextField } from '../language/ast.ts'
import { conditionHolds } from '../match/naive.ts'

/** What joins need of one item; made once for all of them, and only what is needed. */
export class PairFacts {
  readonly arrival: Arrival
  private readonly detect: DetectLanguage
  private readonly cache = new Map<string, readonly string[]>()
  private readonly answers = new Map<QueryCondition, boolean>()

  constructor(arrival: Arrival, detect: DetectLanguage) {
    this.arrival = arrival
    this.detect = detect
  }

  /** Words of a text, or values of a field, each once: what two items are compared by. */
  values(kind: PairPredicate['kind'], field: QueryField): readonly string[] {
    const key = `${kind} ${field}`
    let values = this.cache.get(key)
    if (values === undefined) {
      values = [...new Set(kind === 'similar' ? this.words(field as TextField) : this.shared(field as SharedField))]
      this.cache.set(key, values)
    }
    return values
  }

  /** Whether a condition about this item alone holds. */
  holds(condition: QueryCondition): boolean {
    let answer = this.answers.get(condition)
    if (answer === undefined) {
      answer = conditionHolds(condition, this.arrival, this.detect)
      this.answers.set(condition, answer)
    }
    return answer
  }

  private words(field: TextField): string[] {
    return textsOf(this.arrival, MASKS[field]).flatMap(({ text }) => words(text))
  }

  /** Two items have the same if they share one of these. */
  private shared(field: SharedField): string[] {
    const { item, source } = this.arrival
    switch (field) {
      case 'TITLE':
        return textsOf(this.arrival, MASKS.TITLE).map(({ text }) => atomOf(field, text))
      case 'CATEGORY':
        return item.categories.map((category) => atomOf(field, category))
      case 'AUTHOR':
        return item.authors.flatMap(({ name }) => (name === null ? [] : [atomOf(field, name)]))
      case 'LINK':
        return item.link === null ? [] : [atomOf(field, item.link)]
      case 'SOURCE CATEGORY':
        return sourceCategoryAtoms(source)
      case 'SOURCE':
        return [sourceAddress(source.url)]
      case 'LANGUAGE': {
        const language = languageOf(this.arrival, textsOf(this.arrival), this.detect)
        return language === '' ? [] : language.split('-', 1)
      }
    }
  }
}
