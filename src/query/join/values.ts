import type { SharedField, TextField } from '../language/ast.ts'
import type { Arrival, DetectLanguage } from '../match/arrival.ts'
import { atomOf, canonicalUrl } from '../match/atoms.ts'
import { languageOf } from '../match/language.ts'
import { inField, textsOf } from '../match/texts.ts'
import { wordSet } from './similarity.ts'

/** The words of a field, for SIMILAR. */
export function wordsOf(arrival: Arrival, field: TextField): readonly string[] {
  return wordSet(inField(textsOf(arrival), field).map(({ text }) => text))
}

/** The values of a field, for `=`: two items have the same if they share one. */
export function valuesOf(arrival: Arrival, field: SharedField, detect: DetectLanguage): readonly string[] {
  const { item, source } = arrival
  switch (field) {
    case 'TITLE':
      return inField(textsOf(arrival), field).map(({ text }) => atomOf(field, text))
    case 'CATEGORY':
      return [...new Set(item.categories.map((category) => atomOf(field, category)))]
    case 'AUTHOR':
      return [...new Set(item.authors.flatMap(({ name }) => (name === null ? [] : [atomOf(field, name)])))]
    case 'LINK':
      return item.link === null ? [] : [atomOf(field, item.link)]
    case 'SOURCE':
      return [canonicalUrl(source.url)]
    case 'LANGUAGE': {
      const language = languageOf(arrival, textsOf(arrival), detect)
      return language === '' ? [] : [language.split('-', 1)[0]!]
    }
  }
}
