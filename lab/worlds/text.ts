import { propertyAt } from '../../src/model/entry-at.ts'
import type { Random } from '../../src/model/index.ts'
import { hashWord, keyedRandom, pick } from './keyed-random.ts'
import { type Language, VOCABULARIES, type Vocabulary } from './vocabulary.ts'

const SENTENCES_PER_LANGUAGE = 600
const WORDS_MIN = 50
const WORDS_MAX = 400

interface Sentence {
  readonly text: string
  readonly words: number
}

const pools = new Map<Language, readonly Sentence[]>()

/** Sentences are made once per language and combined in a new way for every item: 20 items then render in well under 1 ms. */
function sentencesOf(language: Language): readonly Sentence[] {
  let pool = pools.get(language)
  if (pool === undefined) {
    const random = keyedRandom(hashWord(language))
    const vocabulary: Vocabulary = VOCABULARIES[language]
    pool = Array.from({ length: SENTENCES_PER_LANGUAGE }, () => {
      const text = sentence(pick(vocabulary.patterns.slice(1), random), vocabulary, random)
      return { text, words: wordCount(text, language) }
    })
    pools.set(language, pool)
  }
  return pool
}

// Japanese has no spaces; about three characters carry what a word carries elsewhere.
function wordCount(text: string, language: Language): number {
  return language === 'ja' ? Math.ceil(text.length / 3) : text.split(' ').length
}

function sentence(pattern: string, vocabulary: Vocabulary, random: Random): string {
  const lists: Readonly<Record<string, readonly string[]>> = {
    N: vocabulary.nouns,
    A: vocabulary.adjectives,
    V: vocabulary.verbs,
    S: vocabulary.settings,
  }
  const text = pattern.replace(/%([NAVS])/g, (_, kind: string) => pick(propertyAt(lists, kind), random))
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export function headline(language: Language, random: Random): string {
  return sentence(VOCABULARIES[language].patterns[0], VOCABULARIES[language], random)
}

export function authorName(language: Language, random: Random): string {
  return pick(VOCABULARIES[language].authors, random)
}

export function topicWord(language: Language, random: Random): string {
  return pick(VOCABULARIES[language].topics, random)
}

/** Paragraphs of 50 to 400 words, short ones more often, with the markup that feeds use. */
export function articleHtml(language: Language, siteUrl: string, random: Random): string {
  const pool = sentencesOf(language)
  const wordCount = Math.round(WORDS_MIN * (WORDS_MAX / WORDS_MIN) ** random())
  let html = ''
  let words = 0
  while (words < wordCount) {
    const sentencesHere = 2 + Math.floor(random() * 4)
    const decoration = random()
    let paragraph = ''
    for (let i = 0; i < sentencesHere && words < wordCount; i++) {
      const next = pick(pool, random)
      words += next.words
      paragraph += paragraph === '' ? next.text : ` ${next.text}`
    }
    html += decorated(paragraph, decoration, siteUrl)
  }
  return html
}

function decorated(paragraph: string, decoration: number, siteUrl: string): string {
  if (decoration < 0.08) return `<blockquote><p>${paragraph}</p></blockquote>`
  if (decoration < 0.14) return `<ul><li>${paragraph.replaceAll('. ', '.</li><li>')}</li></ul>`
  if (decoration < 0.22) return `<p>${paragraph} <a href="${siteUrl}about?a=1&amp;b=2">…</a></p>`
  if (decoration < 0.28) return `<p><img src="${siteUrl}images/1.svg" alt=""> ${paragraph}</p>`
  if (decoration < 0.34) return `<p><em>${paragraph}</em></p>`
  return `<p>${paragraph}</p>`
}
