import type { Article, ArticlePage, Extraction, ExtractionFailure, SiteRule } from '../article.ts'
import { confidenceOf } from './content/confidence.ts'
import { articleContent } from './content/content.ts'
import { wallOf } from './content/wall.ts'
import { authorOf, cleanAuthor } from './metadata/author.ts'
import { canonicalUrlOf } from './metadata/canonical.ts'
import { declaredCategories } from './metadata/categories.ts'
import { publicationTime, readPageDate } from './metadata/date.ts'
import { leadImageOf } from './metadata/image.ts'
import { articleLanguage, declaredLanguage } from './metadata/language.ts'
import { type DocumentFacts, metaOf, readFacts } from './metadata/page-facts.ts'
import { titleOf } from './metadata/title.ts'
import { makeAbsolute } from './page/addresses.ts'
import { readDocument } from './page/read-page.ts'
import { CAPTION, textOfContent } from './page/text.ts'
import { removeBy, ruleFor, textBy } from './rules/apply.ts'
import { SHIPPED_RULES } from './rules/shipped.ts'

/** Less is a caption, a button, a message. */
const SHORTEST_ARTICLE = 40

/**
 * Takes the article out of a page; purely, so that the same page always gives the same. Of the rules the first that is for the page
 * counts; those of users come before ours. Whoever calls this has to expect that a hostile page takes long or much memory: see
 * src/articles/threads.
 */
export function extractArticle(page: ArticlePage, rules: readonly SiteRule[] = []): Extraction {
  const read = readDocument(page)
  if (typeof read === 'string') return failure(read)
  const { document } = read
  const facts = readFacts(read)
  const rule = ruleFor([...rules, ...SHIPPED_RULES], page.url, document)
  const described = describe(facts, rule)
  const language = declaredLanguage(facts)
  if (rule !== null) removeBy(rule, document)
  const found = articleContent(read, facts, rule, described)
  if (found === null) return failure('no-text')
  const { content, by } = found
  const text = textOfContent(content)
  if (text.length < SHORTEST_ARTICLE) return failure('no-text')
  for (const caption of content.querySelectorAll(`[${CAPTION}]`)) caption.removeAttribute(CAPTION)
  makeAbsolute(content, read.base)
  const wall = wallOf(facts, text)
  const article: Article = {
    ...described,
    ...articleLanguage(language, text),
    leadImage: leadImageOf(facts, content),
    html: content.innerHTML.trim(),
    text,
    wall,
    by,
    confidence: confidenceOf({
      content,
      text,
      pageText: facts.pageText,
      wall,
      hasRule: by.startsWith('rule:'),
      isDeclaredArticle: facts.article !== null || metaOf(facts, 'og:type') === 'article',
    }),
  }
  return { kind: 'article', article }
}

function failure(reason: ExtractionFailure): Extraction {
  return { kind: 'failure', reason }
}

type Description = Pick<Article, 'canonicalUrl' | 'title' | 'author' | 'published' | 'categories'>

/** What is read off the page before anything is removed from it. */
function describe(facts: DocumentFacts, rule: SiteRule | null): Description {
  const { document } = facts
  const ruleAuthor = rule === null ? null : textBy(rule.author, document)
  const ruleDate = rule === null ? null : textBy(rule.date, document)
  return {
    canonicalUrl: canonicalUrlOf(facts),
    title: (rule === null ? null : textBy(rule.title, document)) ?? titleOf(facts),
    author: cleanAuthor(ruleAuthor ?? '')[0] ?? authorOf(facts),
    published: readPageDate(ruleDate) ?? publicationTime(facts),
    categories: declaredCategories(facts),
  }
}
