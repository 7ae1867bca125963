import { absoluteAddress } from '../page/addresses.ts'
import { type DocumentFacts, metaOf } from './page-facts.ts'

/** By link rel=canonical, else og:url. */
export function canonicalUrlOf(facts: DocumentFacts): string | null {
  const link = facts.document.querySelector('link[rel~="canonical"]')?.getAttribute('href')
  return absoluteAddress(link, facts.base) ?? absoluteAddress(metaOf(facts, 'og:url'), facts.base)
}
