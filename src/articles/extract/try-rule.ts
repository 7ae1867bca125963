import type { ArticlePage, Extraction, RulePart, RuleTrial, SiteRule } from '../article.ts'
import { extractArticle } from './extract.ts'
import { readDocument } from './page/read-page.ts'
import { firstMatches } from './rules/apply.ts'

const PARTS: readonly RulePart[] = ['where', 'content', 'title', 'author', 'date', 'remove']

/** What a rule makes of a stored page, whatever its host. */
export function tryRule(rule: SiteRule, page: ArticlePage): RuleTrial {
  const found = countMatches(rule, page)
  const extraction = extractArticle(page, [{ ...rule, hosts: [new URL(page.url).hostname] }])
  return { found, problems: problemsOf(rule, found, extraction), extraction }
}

function countMatches(rule: SiteRule, page: ArticlePage): Record<RulePart, number> {
  const counts: Record<RulePart, number> = { where: 0, content: 0, title: 0, author: 0, date: 0, remove: 0 }
  const read = readDocument(page)
  if (typeof read === 'string') return counts
  for (const part of PARTS) counts[part] = firstMatches(selectorsOf(rule, part), read.document).length
  return counts
}

function selectorsOf(rule: SiteRule, part: RulePart): readonly string[] {
  if (part === 'where') return rule.where === null ? [] : [rule.where]
  return rule[part]
}

/** What must be right before a rule is saved. That nothing is removed from one page is no mistake. */
function problemsOf(rule: SiteRule, found: Readonly<Record<RulePart, number>>, extraction: Extraction): string[] {
  const problems = PARTS.filter(
    (part) => part !== 'remove' && selectorsOf(rule, part).length > 0 && found[part] === 0,
  ).map((part) => `${part}: nothing on this page matches`)
  if (extraction.kind === 'failure') problems.push(`content: the page gives no article (${extraction.reason})`)
  return problems
}
