import type Snowball from 'snowball-stemmers'
import { entryAt, propertyAt } from '../../model/entry-at.ts'
import { tableOf } from '../../model/table.ts'
import { loadLater } from '../../runtime/load-later.ts'
import { foldCharacter, LOOSE_PARTS, words } from '../../store/text/fold.ts'

/** Snowball's algorithm by language (ISO 639-1). */
const ALGORITHMS = tableOf<string>({
  ar: 'arabic',
  ca: 'catalan',
  cs: 'czech',
  da: 'danish',
  de: 'german',
  en: 'english',
  es: 'spanish',
  eu: 'basque',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  hu: 'hungarian',
  hy: 'armenian',
  it: 'italian',
  nb: 'norwegian',
  nl: 'dutch',
  nn: 'norwegian',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sl: 'slovene',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
})
const snowball = loadLater<typeof Snowball>('snowball-stemmers')

const MOST_STEMS_KEPT = 50_000

/** The language to stem a text of this language in; '' where there is no algorithm, and words stay as they are. */
export function stemmingLanguage(language: string): string {
  const primary = entryAt(language.toLowerCase().split('-', 1), 0)
  return Object.hasOwn(ALGORITHMS, primary) ? primary : ''
}

interface Stemming {
  readonly stem: (word: string) => string
  readonly known: Map<string, string>
}

const stemmings = new Map<string, Stemming>()

/**
 * The stems of a text's words, one for each of `words(text)`. Words are stemmed as they are spelt, because accents show
 * endings apart (новый), and folded afterwards, so that a query may be written without them.
 */
export function stemsOf(text: string, language: string): string[] {
  if (language === '') return words(text)
  const { stem, known } = stemmingOf(language)
  return spelledWords(text).map(({ spelled, folded }) => {
    if (spelled === '') return folded
    let result = known.get(spelled)
    if (result === undefined) {
      result = words(stem(spelled)).join('') || folded
      if (known.size >= MOST_STEMS_KEPT) known.clear()
      known.set(spelled, result)
    }
    return result
  })
}

function stemmingOf(language: string): Stemming {
  let stemming = stemmings.get(language)
  if (stemming === undefined) {
    const stemmer = snowball().newStemmer(propertyAt(ALGORITHMS, language))
    stemming = { stem: (word) => stemmer.stem(word), known: new Map() }
    stemmings.set(language, stemming)
  }
  return stemming
}

interface SpelledWord {
  /** Lower case with accents; '' for a part of a character, which has no spelling of its own. */
  readonly spelled: string
  readonly folded: string
}

const folds = new Map<string, string>()

/** The words of `words(text)` beside their spelling. */
export function spelledWords(text: string): SpelledWord[] {
  const found: SpelledWord[] = []
  let spelled = ''
  let folded = ''
  const end = (): void => {
    if (folded !== '') found.push({ spelled, folded })
    spelled = ''
    folded = ''
  }
  for (const character of LOOSE_PARTS.test(text) ? text.normalize('NFC') : text) {
    const fold = foldOf(character)
    if (!fold.includes(' ')) {
      spelled += character.toLowerCase()
      folded += fold
      continue
    }
    const pieces = fold.split(' ')
    pieces.forEach((piece, index) => {
      if (index > 0) end()
      folded += piece
      if (index > 0 || piece !== '') spelled = ''
    })
  }
  end()
  return found
}

function foldOf(character: string): string {
  let fold = folds.get(character)
  if (fold === undefined) {
    fold = foldCharacter(character)
    folds.set(character, fold)
  }
  return fold
}
