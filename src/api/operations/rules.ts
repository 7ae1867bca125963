import { z } from 'zod'
import { operation } from './operation.ts'
import { byId, category, feedName } from './shared.ts'

const TAG = 'Rules'

const place = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('all') }),
    z.strictObject({ kind: z.literal('source'), sourceId: z.int().min(1).max(Number.MAX_SAFE_INTEGER) }),
    z.strictObject({ kind: z.literal('category'), category }),
    z.strictObject({ kind: z.literal('feed'), feed: feedName }),
  ])
  .describe('What it is about: a source, a folder, a query feed, or everything')
const action = z
  .enum(['read', 'star', 'mute', 'tag'])
  .describe(
    'mute: read, and no other rule says anything of it; tag: into a private query feed, which readers show as a label',
  )

export const itemRule = z.object({
  id: z.int(),
  place,
  words: z.array(z.string()),
  action,
  tag: z.string().nullable(),
  /** The query that the rule is; null: what it is about is gone. */
  query: z.string().nullable(),
})

export const ruleOperations = {
  listRules: operation('listRules', TAG, {
    method: 'GET',
    path: '/api/rules',
    right: 'read',
    summary: 'Your rules, each with the query that it is',
    answer: z.object({ rules: z.array(itemRule) }),
  }),
  addRule: operation('addRule', TAG, {
    method: 'POST',
    path: '/api/rules',
    right: 'write',
    summary:
      'Mark, star, mute or tag what comes from somewhere and holds one of some words; also what is there already',
    body: z
      .strictObject({
        place,
        words: z.array(z.string().trim().min(1).max(200)).max(50).default([]),
        action,
        tag: z
          .string()
          .regex(/^[A-Za-z][A-Za-z0-9_-]*$/, 'letters, digits, - and _')
          .max(100)
          .nullable()
          .default(null),
      })
      .refine(({ action, tag }) => (action === 'tag') === (tag !== null), 'give the name of a tag, and only to a tag'),
    answer: z.object({ rule: itemRule, applied: z.int().describe('Items of the archive that it was applied to') }),
    status: 201,
  }),
  removeRule: operation('removeRule', TAG, {
    method: 'DELETE',
    path: '/api/rules/{id}',
    right: 'write',
    summary: 'Remove a rule of yours; what it did stays, but a tag goes with it',
    params: byId,
  }),
}
