import { z } from 'zod'
import { HeadwaterError } from '../../../runtime/errors.ts'
import { parseUrl } from '../../../runtime/parse-url.ts'
import type { SiteRule } from '../../article.ts'
import { isSelector } from './select.ts'

/*
 * How to read pages of a site that the general way fails on. Selectors are CSS, or XPath 1.0 where they begin with a slash.
 */

const LONGEST_SELECTOR = 500
const MOST_SELECTORS = 20

const selector = z
  .string()
  .trim()
  .min(1)
  .max(LONGEST_SELECTOR)
  .refine(isSelector, { error: ({ input }) => `neither a CSS selector nor an XPath: ${String(input)}` })
const selectors = z.array(selector).max(MOST_SELECTORS)
/** `example.org` and below it; `*` is every site, where `where` decides. */
const host = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^(?:\*|(?:[\p{L}\p{N}_-]+\.)*[\p{L}\p{N}_-]+)$/u, 'not the name of a host')
  .max(253)

const SITE_RULE = z
  .strictObject({
    name: z.string().trim().min(1).max(60),
    hosts: z.array(host).min(1).max(100),
    /** Only pages on which this matches something. */
    where: selector.nullable().default(null),
    /** What matches the first of these that matches anything is the article; none: it is found as usual. */
    content: selectors.default([]),
    title: selectors.default([]),
    author: selectors.default([]),
    date: selectors.default([]),
    /** Goes before anything else. */
    remove: selectors.default([]),
  })
  .refine((rule) => !rule.hosts.includes('*') || rule.where !== null, {
    path: ['where'],
    error: 'a rule for all hosts needs it',
  })
  .refine((rule) => [rule.content, rule.title, rule.author, rule.date, rule.remove].some((list) => list.length > 0), {
    path: ['content'],
    error: 'a rule needs a selector for something',
  })

/** What somebody wrote, as a rule. Throws SITE_RULE_INVALID, which names each field that is wrong and why. */
export function parseSiteRule(value: unknown): SiteRule {
  const result = SITE_RULE.safeParse(value)
  if (result.success) return result.data
  const details = result.error.issues.map(({ path, message }) => `${path.join('.') || 'rule'}: ${message}`)
  throw new HeadwaterError('SITE_RULE_INVALID', details.join('; '))
}

/** Whether the rule is for this address. */
export function isForHost(rule: SiteRule, url: string): boolean {
  const hostname = parseUrl(url)?.hostname
  if (hostname === undefined) return false
  return rule.hosts.some((name) => name === '*' || hostname === name || hostname.endsWith(`.${name}`))
}
