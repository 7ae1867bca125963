import { z } from 'zod'
import { operation } from './operation.ts'
import { instantOrNull } from './shared.ts'

const selector = z.string().trim().min(1).max(500)
const field = selector.nullable().default(null)

const listSelectors = z.strictObject({
  list: selector.describe('Finds the items on the page'),
  title: field.describe('Within an item; null: its heading or link'),
  link: field,
  date: field,
  content: field,
})

/** How a page without a feed is read: by selectors, or as one element whose changes are items. */
export const listing = z.union([
  listSelectors,
  z.strictObject({ element: selector.describe('Each change of its text is an item') }),
])

const listedItem = z.object({
  title: z.string().nullable(),
  link: z.string().nullable(),
  published: instantOrNull,
})

export const listingPreview = z.object({
  /** Of the page, as it would be followed. */
  url: z.string(),
  title: z.string().nullable(),
  itemCount: z.int(),
  /** The first of them. */
  items: z.array(listedItem),
})

export const listingSuggestion = z.object({
  listing: z.object({
    list: z.string(),
    title: z.string().nullable(),
    link: z.string().nullable(),
    date: z.string().nullable(),
    content: z.string().nullable(),
  }),
  itemCount: z.int(),
  items: z.array(listedItem),
})

const TAG = 'Sources'
const url = z.string().trim().min(1).max(4_000)

export const listingOperations = {
  suggestListings: operation('suggestListings', TAG, {
    method: 'POST',
    path: '/api/listings/suggest',
    right: 'write',
    summary: 'Fetch a page without a feed and suggest selectors for the lists on it, likeliest first; nothing is saved',
    body: z.strictObject({ url }),
    answer: z.object({ url: z.string(), title: z.string().nullable(), suggestions: z.array(listingSuggestion) }),
  }),
  previewListing: operation('previewListing', TAG, {
    method: 'POST',
    path: '/api/listings/preview',
    right: 'write',
    summary: 'Fetch a page and show the items that selectors find on it; nothing is saved',
    body: z.strictObject({ url, listing }),
    answer: listingPreview,
  }),
}
