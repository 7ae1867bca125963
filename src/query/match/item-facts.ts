import { words } from '../../store/text/fold.ts'
import type { Arrival, DetectLanguage } from './arrival.ts'
import { atomOf, atomsOf, languageAtoms } from './atoms.ts'
import { languageOf } from './language.ts'
import { stemmingLanguage, stemsOf } from './stem.ts'
import type { TermTable } from './terms.ts'
import { type FieldText, MASKS, PRESENT, textsOf } from './texts.ts'

const WHOLE_TEXTS = ['TITLE', 'DESCRIPTION', 'CONTENT'] as const

/** An item cut into words once, for all queries; what no query asks for is not made. */
export class ItemFacts {
  readonly arrival: Arrival
  readonly texts: readonly FieldText[]
  /** Words of each text. */
  private readonly words: readonly (readonly string[])[]
  private readonly detect: DetectLanguage
  private spaced: string[] | null = null
  private stems: string[] | null = null
  private knownLanguage: string | null = null

  constructor(arrival: Arrival, detect: DetectLanguage) {
    this.arrival = arrival
    this.detect = detect
    this.texts = textsOf(arrival)
    this.words = this.texts.map(({ text }) => words(text))
  }

  get language(): string {
    this.knownLanguage ??= languageOf(this.arrival, this.texts, this.detect)
    return this.knownLanguage
  }

  /** Marks every term that the item has. */
  markIn(terms: TermTable): void {
    for (let i = 0; i < this.texts.length; i++) markWords(this.words[i]!, this.texts[i]!.mask, terms)
    for (const atom of atomsOf(this.arrival)) markAtom(terms, atom)
    if (terms.asksFor('LANGUAGE')) for (const atom of languageAtoms(this.language)) markAtom(terms, atom)
    for (const field of WHOLE_TEXTS) if (terms.asksFor(field)) this.markWhole(field, terms)
    if (terms.hasStemmed) this.markStems(terms)
  }

  /** Words with a space before each and behind the last. */
  hasPhrase(phrase: string, mask: number): boolean {
    this.spaced ??= this.words.map((list) => ` ${list.join(' ')} `)
    return this.includes(this.spaced, phrase, mask)
  }

  hasStemmedPhrase(text: string, mask: number): boolean {
    const language = stemmingLanguage(this.language)
    this.stems ??= this.texts.map((part) => ` ${stemsOf(part.text, language).join(' ')} `)
    return this.includes(this.stems, ` ${stemsOf(text, language).join(' ')} `, mask)
  }

  private includes(spaced: readonly string[], wanted: string, mask: number): boolean {
    for (let i = 0; i < spaced.length; i++) {
      if ((this.texts[i]!.mask & mask) !== 0 && spaced[i]!.includes(wanted)) return true
    }
    return false
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

function markWords(found: readonly string[], mask: number, terms: TermTable): void {
  for (let i = 0; i < found.length; i++) {
    const id = terms.id(found[i]!)
    if (id !== undefined) terms.mark(id, mask)
  }
}

function markAtom(terms: TermTable, atom: string): void {
  const id = terms.id(atom)
  if (id !== undefined) terms.mark(id, PRESENT)
}
