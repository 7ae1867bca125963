import type { z } from 'zod'
import type { Item } from '../../model/index.ts'
import { plainText } from '../../publisher/plain-text.ts'
import { webAddress } from '../../publisher/web-address.ts'
import type { Store } from '../../store/store.ts'
import type { pageOfItem } from '../operations/items.ts'

const LONGEST_TEXT = 500
const MOST_CATEGORIES = 50

/** What is known of the page of an item, with addresses of the web alone and texts without markup. */
export async function pageOf(
  { seq, article }: Item,
  store: Pick<Store, 'itemPage'>,
): Promise<z.input<typeof pageOfItem> | null> {
  const page = await store.itemPage(seq)
  if (page === null) return null
  const { dueAt, fetchedAt, status, failure, facts } = page
  const image = facts?.leadImage ?? null
  const imageUrl = webAddress(image?.url ?? null)
  return {
    url: webAddress(page.finalUrl ?? page.url),
    canonicalUrl: webAddress(facts?.canonicalUrl ?? null),
    dueAt,
    fetchedAt,
    status,
    failure,
    bodyBytes: page.bodyBytes,
    isShown: article !== undefined,
    author: plainText(facts?.author ?? '', LONGEST_TEXT) || null,
    published: facts?.published ?? null,
    language: facts?.language ?? null,
    languageIs: facts?.languageIs ?? null,
    categories: (facts?.categories ?? []).slice(0, MOST_CATEGORIES).map((one) => plainText(one, LONGEST_TEXT)),
    category: facts === null ? null : plainText(facts.category, LONGEST_TEXT),
    categoryIs: facts?.categoryIs ?? null,
    leadImage: imageUrl === null || image === null ? null : { ...image, url: imageUrl },
    wall: facts?.wall ?? null,
    by: facts?.by ?? null,
    confidence: facts?.confidence ?? null,
  }
}
