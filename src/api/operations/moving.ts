import { z } from 'zod'
import { operation } from './operation.ts'
import { category, flag, instantOrNull, moment } from './shared.ts'

const TAG = 'OPML'
const address = z.string().trim().min(1).max(4_000)

const liveList = z.object({
  url: z.string(),
  /** A folder for all that it brings. */
  category: z.string().nullable(),
  sources: z.int(),
  /** Sources that have left it, and are paused. */
  left: z.int(),
  checkedAt: instantOrNull,
  failure: z.object({ code: z.string(), message: z.string() }).nullable(),
})

export const movingOperations = {
  exportItems: operation('exportItems', TAG, {
    method: 'GET',
    path: '/api/export/items',
    right: 'read',
    summary: "The archive with your read and starred state, as JSON in Google Reader's form",
    query: z.object({
      starred: flag.optional().describe('Only what you starred'),
      since: moment.optional().describe('Only what was first seen from then on'),
    }),
    rawAnswer: { mediaType: 'application/vnd.headwater.items+json', description: 'JSON; see docs/moving.md' },
  }),
  listLiveLists: operation('listLiveLists', TAG, {
    method: 'GET',
    path: '/api/live-lists',
    right: 'admin',
    summary: 'Lists of feeds at an address that the sources are kept in step with',
    answer: z.object({ lists: z.array(liveList) }),
  }),
  addLiveList: operation('addLiveList', TAG, {
    method: 'POST',
    path: '/api/live-lists',
    right: 'admin',
    summary:
      'Follow a list: what it names becomes a source, what leaves it is paused; read within a minute, then every hour',
    body: z.strictObject({ url: address, category: category.nullable().default(null) }),
    answer: liveList,
    status: 201,
    audit: ({ body }) => [{ action: 'settings-changed', subject: `live list ${withoutQuery(body.url)}` }],
  }),
  removeLiveList: operation('removeLiveList', TAG, {
    method: 'DELETE',
    path: '/api/live-lists',
    right: 'admin',
    summary: 'Follow a list no longer; its sources stay',
    query: z.object({ url: address }),
    audit: ({ query }) => [{ action: 'settings-changed', subject: `live list ${withoutQuery(query.url)}` }],
  }),
}

/** Addresses may hold secrets. */
function withoutQuery(url: string): string {
  return url
    .replace(/[?#].*$/s, '')
    .replace(/\/\/[^/@]*@/, '//')
    .slice(0, 200)
}
