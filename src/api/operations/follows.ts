import { z } from 'zod'
import { operation } from './operation.ts'
import { instant } from './shared.ts'

const feed = z
  .string()
  .max(2_000)
  .regex(/^\/feeds\/(?!all$)./, 'as /feeds/source/3, /feeds/category/News or /feeds/NAME of a query feed')

export const follow = z.object({
  /** Path without format. */
  feed: z.string(),
  kind: z.enum(['feed', 'category', 'source']),
  /** Of the query feed or category; the address of a source. */
  name: z.string(),
  title: z.string(),
  sourceId: z.int().nullable(),
  since: instant,
  /** Users who follow it, the asking one among them. */
  followers: z.int(),
})

const TAG = 'Subscriptions'

export const followOperations = {
  listFollows: operation('listFollows', TAG, {
    method: 'GET',
    path: '/api/follows',
    right: 'read',
    summary: 'What the asking user follows: query feeds, categories and sources',
    answer: z.object({ follows: z.array(follow) }),
  }),
  follow: operation('follow', TAG, {
    method: 'PUT',
    path: '/api/follows',
    right: 'write',
    summary: 'Follow a query feed, category or source; what is followed by more counts more when the budget is spent',
    body: z.strictObject({ feed }),
  }),
  unfollow: operation('unfollow', TAG, {
    method: 'DELETE',
    path: '/api/follows',
    right: 'write',
    summary: 'Follow it no longer',
    query: z.object({ feed: z.string().max(2_000) }),
  }),
}
