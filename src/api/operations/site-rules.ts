import { z } from 'zod'
import { operation } from './operation.ts'
import { instantOrNull } from './shared.ts'

const TAG = 'Items'
const selectors = z.array(z.string().max(500)).max(20)

export const siteRule = z.object({
  name: z.string().trim().min(1).max(60),
  /** `example.org` and below it; `*`: every site, where `where` decides. */
  hosts: z.array(z.string().max(253)).max(50),
  where: z.string().max(500).nullable(),
  content: selectors,
  title: selectors,
  author: selectors,
  date: selectors,
  remove: selectors,
})

const given = z
  .strictObject({ ...siteRule.shape, where: z.string().max(500).nullable().optional() })
  .partial({ content: true, title: true, author: true, date: true, remove: true })
  .describe(
    'Selectors are CSS, or XPath where they begin with a slash; of several the first that finds something counts',
  )

const items = z.array(z.int().positive()).min(1).max(20).describe('Items whose stored pages it is tried on')

/** What the rule makes of one stored page. */
export const ruleTrial = z.object({
  seq: z.int(),
  url: z.string(),
  /** Elements that each part of the rule finds. */
  found: z.record(z.string(), z.int()),
  /** Empty: it is right for this page. */
  problems: z.array(z.string()),
  title: z.string().nullable(),
  author: z.string().nullable(),
  published: instantOrNull,
  /** Of the text; null: there is none. */
  beginning: z.string().nullable(),
  characters: z.int(),
})

export const siteRuleOperations = {
  listSiteRules: operation('listSiteRules', TAG, {
    method: 'GET',
    path: '/api/site-rules',
    right: 'read',
    summary: 'Rules of this node for reading pages of sites; they come before the built-in ones',
    answer: z.object({ rules: z.array(siteRule) }),
  }),
  trySiteRule: operation('trySiteRule', TAG, {
    method: 'POST',
    path: '/api/site-rules/try',
    right: 'admin',
    summary: 'What a rule would make of stored pages',
    body: z.strictObject({ rule: given, items }),
    answer: z.object({ trials: z.array(ruleTrial) }),
  }),
  addSiteRule: operation('addSiteRule', TAG, {
    method: 'POST',
    path: '/api/site-rules',
    right: 'admin',
    summary: 'Save a rule that is right on all of these pages, or replace the one of this name',
    body: z.strictObject({ rule: given, items }),
    answer: z.object({ trials: z.array(ruleTrial) }),
    status: 201,
    audit: ({ body }) => [{ action: 'settings-changed', subject: `site rule ${body.rule.name}` }],
  }),
  removeSiteRule: operation('removeSiteRule', TAG, {
    method: 'DELETE',
    path: '/api/site-rules/{name}',
    right: 'admin',
    summary: 'Remove such a rule',
    params: z.object({ name: z.string().trim().min(1).max(60) }),
    audit: ({ params }) => [{ action: 'settings-changed', subject: `site rule ${params.name}` }],
  }),
}
