import type { FastifyRequest } from 'fastify'
import { languagesOf } from './accept.ts'
import { ENGLISH_PAGES, type PageWords } from './page-words.ts'
import { GERMAN_PAGES } from './page-words-de.ts'

/** What such a page depends on, for caches between. */
export const LANGUAGE_VARIES = 'Accept-Language, Cookie'

/** As the person chose in the dashboard, else as the browser asks. */
export function pageWordsFor({ headers }: Pick<FastifyRequest, 'headers'>): PageWords {
  const [, chosen] = /(?:^|;\s*)headwater-language=(\w+)/.exec(headers.cookie ?? '') ?? []
  const wishes = chosen === undefined ? languagesOf(headers['accept-language']) : [chosen]
  return wishes.find((language) => language === 'de' || language === 'en') === 'de' ? GERMAN_PAGES : ENGLISH_PAGES
}
