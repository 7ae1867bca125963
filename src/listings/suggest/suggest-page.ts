import { decodePage } from '../../text/charset/charset.ts'
import { isPage } from '../document.ts'
import { parsePage } from '../page.ts'
import { type Suggestion, suggestSelectors } from './suggest.ts'

/** A page as it was fetched. */
export interface SuggestionTask {
  readonly body: Uint8Array
  readonly contentType: string | null
  readonly url: string
}

export interface PageSuggestions {
  readonly title: string | null
  readonly suggestions: readonly Suggestion[]
}

/** Lists on a page, likeliest first; null: it is no page. Never throws. */
export function suggestForBytes({ body, contentType, url }: SuggestionTask): PageSuggestions | null {
  if (!isPage(body, contentType)) return null
  const page = parsePage(decodePage(body, contentType).text, url)
  return { title: page.title, suggestions: suggestSelectors(page) }
}
