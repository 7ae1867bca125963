import type { SiteRuleService } from '../../api/services.ts'
import type { ArticleExtractor, SiteRule } from '../../articles/article.ts'
import { parseSiteRule } from '../../articles/extract/rules/site-rule.ts'
import { createExtractor } from '../../articles/threads/extractor.ts'
import type { Store } from '../../store/store.ts'
import { addSiteRule, EXTRACTION_RULES, removeSiteRule, type StoredTrial, tryOnStored } from '../pages/site-rules.ts'

const LONGEST_BEGINNING = 500

export function createSiteRules(store: Store): SiteRuleService {
  return {
    list: async () => (await store.state(EXTRACTION_RULES)).map(shownRule),
    try: (given, seqs) =>
      withExtractor(async (extractor) =>
        (await tryOnStored(parseSiteRule(given), seqs, store, extractor)).map(shownTrial),
      ),
    add: (given, seqs) =>
      withExtractor(async (extractor) =>
        (await addSiteRule(parseSiteRule(given), seqs, store, extractor)).map(shownTrial),
      ),
    remove: (name) => removeSiteRule(name, store),
  }
}

/** Rules are made now and then: no thread waits for them. */
async function withExtractor<Result>(use: (extractor: ArticleExtractor) => Promise<Result>): Promise<Result> {
  const extractor = createExtractor()
  try {
    return await use(extractor)
  } finally {
    await extractor.close()
  }
}

function shownRule({ hosts, content, title, author, date, remove, ...rest }: SiteRule) {
  const lists = { hosts: [...hosts], content: [...content], title: [...title], author: [...author] }
  return { ...rest, ...lists, date: [...date], remove: [...remove] }
}

function shownTrial({ seq, url, found, problems, extraction }: StoredTrial) {
  const article = extraction.kind === 'article' ? extraction.article : null
  return {
    seq,
    url,
    found: { ...found },
    problems: [...problems],
    title: article?.title ?? null,
    author: article?.author ?? null,
    published: article?.published ?? null,
    beginning: article?.text.slice(0, LONGEST_BEGINNING) ?? null,
    characters: article?.text.length ?? 0,
  }
}
