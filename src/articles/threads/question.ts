import type { ArticlePage, Extraction, RuleTrial, SiteRule } from '../article.ts'
import { extractArticle } from '../extract/extract.ts'
import { tryRule } from '../extract/try-rule.ts'

export type ExtractQuestion =
  | { readonly kind: 'extract'; readonly page: ArticlePage; readonly rules: readonly SiteRule[] }
  | { readonly kind: 'try'; readonly page: ArticlePage; readonly rule: SiteRule }

export type ExtractAnswer =
  | { readonly kind: 'extraction'; readonly extraction: Extraction; readonly surprise: string | null }
  | { readonly kind: 'trial'; readonly trial: RuleTrial }

/** In the thread. What a library trips over is a page without an article, and reported. */
export function extractSafely(question: ExtractQuestion): ExtractAnswer {
  if (question.kind === 'try') return { kind: 'trial', trial: tryRule(question.rule, question.page) }
  try {
    return { kind: 'extraction', extraction: extractArticle(question.page, question.rules), surprise: null }
  } catch (error) {
    // Nested so deep that the stack was full.
    if (error instanceof RangeError) return failed('too-costly', null)
    return failed('no-text', error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
}

function failed(reason: 'too-costly' | 'no-text', surprise: string | null): ExtractAnswer {
  return { kind: 'extraction', extraction: { kind: 'failure', reason }, surprise }
}
