import { entryAt } from '../../model/entry-at.ts'
import { wordsInParts } from '../../store/text/fold.ts'
import type { Arrival, DetectLanguage } from '../item/arrival.ts'
import { atomOf, atomsOf, languageAtoms } from '../item/atoms.ts'
import { languageOf } from '../item/language.ts'
import { stemmingLanguage, stemsOf } from '../item/stem.ts'
import { type FieldText, MASKS, PRESENT, textsOf } from '../item/texts.ts'
import type { FieldUse } from './field-use.ts'
import type { TermTable } from './terms.ts'
import type { TokenPositions } from './token-positions.ts'

const WHOLE_TEXTS = ['TITLE', 'DESCRIPTION', 'CONTENT'] as const

/** An item cut into words once, for all queries; what no query asks for is not made. */
export class ItemFacts {
  readonly arrival: Arrival
  readonly texts: readonly FieldText[]
  private readonly detect: DetectLanguage
  private stems: string[] | null = null
  private knownLanguage: string | null = null

  constructor(arrival: Arrival, detect: DetectLanguage, fields: Pick<FieldUse, 'texts'>) {
    this.arrival = arrival
    this.detect = detect
    this.texts = textsOf(arrival, fields.texts)
  }

  get language(): string {
    this.knownLanguage ??= languageOf(this.arrival, this.texts, this.detect)
    return this.knownLanguage
  }

  /** Marks every term that the item has. */
  markIn(terms: TermTable, positions: TokenPositions, fields: Pick<FieldUse, 'words'>): void {
    positions.clear()
    for (const { mask, text } of this.texts) {
      if ((mask & fields.words) !== 0) positions.add(wordsInParts(text), mask, terms)
    }
    for (const atom of atomsOf(this.arrival, (kind) => terms.asksFor(kind))) markAtom(terms, atom)
    if (terms.asksFor('LANGUAGE')) for (const atom of languageAtoms(this.language)) markAtom(terms, atom)
    for (const field of WHOLE_TEXTS) if (terms.asksFor(field)) this.markWhole(field, terms)
    if (terms.hasStemmed) this.markStems(terms)
  }

  hasStemmedPhrase(text: string, mask: number): boolean {
    const language = stemmingLanguage(this.language)
    this.stems ??= this.texts.map((part) => ` ${stemsOf(part.text, language).join(' ')} `)
    const phrase = ` ${stemsOf(text, language).join(' ')} `
    return this.stems.some((stems, index) => (entryAt(this.texts, index).mask & mask) !== 0 && stems.includes(phrase))
  }

  private markWhole(field: (typeof WHOLE_TEXTS)[number], terms: TermTable): void {
    for (const { mask, text } of this.texts) if ((mask & MASKS[field]) !== 0) markAtom(terms, atomOf(field, text))
  }

  private markStems(terms: TermTable): void {
    const language = stemmingLanguage(this.language)
    for (const { mask, text } of this.texts) {
      for (const stem of stemsOf(text, language)) terms.markStem(stem, mask, language)
    }
  }
}

function markAtom(terms: TermTable, atom: string): void {
  const id = terms.id(atom)
  if (id !== undefined) terms.mark(id, PRESENT)
}
