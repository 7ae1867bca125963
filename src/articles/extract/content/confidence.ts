import type { Wall } from '../../article.ts'
import { type DomElement, lineOf } from '../page/dom.ts'

export interface Evidence {
  readonly content: DomElement
  readonly text: string
  /** All that the page shows. */
  readonly pageText: string
  readonly wall: Wall | null
  readonly hasRule: boolean
  /** The page calls itself an article (JSON-LD, og:type). */
  readonly isDeclaredArticle: boolean
}

/** A text of so many characters is nobody's teaser. */
const LONG_TEXT = 1_500

/**
 * From 0 to 1, by what can be seen: long texts of few links that are much of their page are articles; lists of links, short texts
 * and walls are not.
 */
export function confidenceOf(evidence: Evidence): number {
  const { content, text, pageText, wall, hasRule, isDeclaredArticle } = evidence
  if (wall !== null) return 0.1
  const length = Math.min(1, text.length / LONG_TEXT)
  const prose = 1 - Math.min(1, 2 * linkShare(content, text))
  const share = Math.min(1, (3 * text.length) / Math.max(1, pageText.length))
  const sum = 0.4 * length + 0.25 * prose + 0.15 * share + (isDeclaredArticle ? 0.2 : 0) + (hasRule ? 0.3 : 0)
  return Math.round(100 * Math.min(1, sum)) / 100
}

function linkShare(content: DomElement, text: string): number {
  const linked = content.querySelectorAll('a').reduce((sum, link) => sum + lineOf(link).length, 0)
  return text.length === 0 ? 1 : linked / text.length
}
