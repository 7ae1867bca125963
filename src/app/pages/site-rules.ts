import { gunzipSync } from 'node:zlib'
import type { ArticleExtractor, ArticlePage, RuleTrial, SiteRule } from '../../articles/article.ts'
import { isForHost, parseSiteRule } from '../../articles/extract/rules/site-rule.ts'
import type { ItemSeq } from '../../model/index.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { jsonState } from '../../store/node-state.ts'
import type { Store } from '../../store/store.ts'

const MOST_RULES = 500

/** What an older version let through is left out. */
export const EXTRACTION_RULES = jsonState<readonly SiteRule[]>('site-rules', [], (stored) =>
  Array.isArray(stored) ? stored.flatMap(usable) : undefined,
)

function usable(stored: unknown): readonly SiteRule[] {
  try {
    return [parseSiteRule(stored)]
  } catch {
    return []
  }
}

type TrialStore = Pick<Store, 'itemPage' | 'pageBody'>
type Trier = Pick<ArticleExtractor, 'tryRule'>

export interface StoredTrial extends RuleTrial {
  readonly seq: ItemSeq
  readonly url: string
}

/** What a rule makes of pages that are stored. Throws SITE_RULE_INVALID, PAGE_NOT_STORED. */
export async function tryOnStored(
  rule: SiteRule,
  seqs: readonly ItemSeq[],
  store: TrialStore,
  extractor: Trier,
): Promise<readonly StoredTrial[]> {
  const trials: StoredTrial[] = []
  for (const seq of seqs) {
    const page = await storedPage(seq, store)
    const trial = await extractor.tryRule(rule, page)
    const problems = isForHost(rule, page.url) ? [] : [`hosts: ${new URL(page.url).hostname} is none of them`]
    trials.push({ ...trial, problems: [...problems, ...trial.problems], seq, url: page.url })
  }
  return trials
}

/** As it was fetched. */
async function storedPage(seq: ItemSeq, store: TrialStore): Promise<ArticlePage> {
  const [page, body] = [await store.itemPage(seq), await store.pageBody(seq)]
  if (page === null || body === null) throw new HeadwaterError('PAGE_NOT_STORED', `item ${seq}`)
  return { url: page.finalUrl ?? page.url, contentType: page.contentType, body: gunzipSync(body) }
}

/** Only if it was right on each of these pages. One of the same name is replaced. Throws SITE_RULE_FAILS, too. */
export async function addSiteRule(
  rule: SiteRule,
  seqs: readonly ItemSeq[],
  store: TrialStore & Pick<Store, 'changeState'>,
  extractor: Trier,
): Promise<readonly StoredTrial[]> {
  const trials = await tryOnStored(rule, seqs, store, extractor)
  const problems = trials.flatMap(({ seq, problems: found }) => found.map((problem) => `item ${seq}, ${problem}`))
  if (problems.length > 0) throw new HeadwaterError('SITE_RULE_FAILS', problems.join('; '))
  await store.changeState(EXTRACTION_RULES, (rules) => {
    const others = rules.filter(({ name }) => !isSameName(name, rule.name))
    if (others.length >= MOST_RULES)
      throw new HeadwaterError('SITE_RULE_INVALID', `there are ${MOST_RULES} already; remove one first`)
    return [...others, rule]
  })
  return trials
}

/** Throws SITE_RULE_NOT_FOUND. */
export async function removeSiteRule(name: string, store: Pick<Store, 'changeState'>): Promise<void> {
  await store.changeState(EXTRACTION_RULES, (rules) => {
    const others = rules.filter((rule) => !isSameName(rule.name, name))
    if (others.length === rules.length) throw new HeadwaterError('SITE_RULE_NOT_FOUND', name)
    return others
  })
}

function isSameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
