import { eld } from 'eld/extrasmall'
import type { Article } from '../../article.ts'
import { ldText } from './json-ld.ts'
import { articleProperty, type DocumentFacts, metaOf } from './page-facts.ts'

type Language = Pick<Article, 'language' | 'languageIs'>

/** Less says too little. */
const SHORTEST_TEXT = 40
/** More says nothing new. */
const SAMPLE_LENGTH = 3_000

/**
 * Declared (html lang, meta content-language, JSON-LD inLanguage, og:locale), else detected. A declaration that the text cannot be
 * written in is that of a template, and is not believed.
 */
export function articleLanguage(declared: string | null, text: string): Language {
  const sample = text.slice(0, SAMPLE_LENGTH)
  if (declared !== null && scriptAgrees(declared, sample)) return { language: declared, languageIs: 'declared' }
  const detected = detectLanguage(sample)
  if (detected !== null) return { language: detected, languageIs: 'detected' }
  return { language: declared, languageIs: declared === null ? null : 'declared' }
}

export function declaredLanguage(facts: DocumentFacts): string | null {
  const { documentElement, body } = facts.document
  const values = [
    documentElement.getAttribute('lang'),
    documentElement.getAttribute('xml:lang'),
    body.getAttribute('lang'),
    metaOf(facts, 'content-language', 'language', 'dc.language', 'dcterms.language'),
    ldText(articleProperty(facts, 'inLanguage')),
    metaOf(facts, 'og:locale'),
  ]
  for (const value of values) {
    const language = canonicalLanguage(value)
    if (language !== null) return language
  }
  return null
}

/** `en_US`, `EN-us`, `de, en` as BCP 47; null for no language. */
export function canonicalLanguage(value: string | null): string | null {
  const tag =
    value
      ?.split(/[,;\s]/, 1)[0]
      ?.trim()
      .replaceAll('_', '-') ?? ''
  if (!/^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}$/i.test(tag) || /^(?:und|mul|zxx|x)(?:-|$)/i.test(tag)) return null
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null
  } catch {
    return null
  }
}

function detectLanguage(text: string): string | null {
  if (text.length < SHORTEST_TEXT && letterShare(text, NOT_LATIN) < 0.3) return null
  const result = eld.detect(text)
  return result.language === '' ? null : result.language
}

/** Letters of scripts in which languages below are written, apart from Latin. */
const NOT_LATIN =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Georgian}\p{Script=Armenian}]/gu

const LATIN_LANGUAGES = new Set(
  'en de fr es it pt nl sv da nb no nn fi pl cs sk hu ro hr sl et lv lt tr id ms vi ca eu gl is ga cy sq af tl sw'.split(
    ' ',
  ),
)
const OTHER_LANGUAGES = new Set('ru uk bg be mk el ar fa ur he ja zh ko th hi bn ta te ka hy'.split(' '))

function scriptAgrees(language: string, text: string): boolean {
  const base = language.split('-', 1)[0] ?? ''
  const share = letterShare(text, NOT_LATIN)
  if (LATIN_LANGUAGES.has(base)) return share < 0.5
  if (OTHER_LANGUAGES.has(base)) return text.length < 200 || share > 0.1 || /-Latn/.test(language)
  return true
}

function letterShare(text: string, letters: RegExp): number {
  const all = text.match(/\p{L}/gu)?.length ?? 0
  return all === 0 ? 0 : (text.match(letters)?.length ?? 0) / all
}
