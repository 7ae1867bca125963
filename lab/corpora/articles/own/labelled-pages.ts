import iconv from 'iconv-lite'
import type { Article, ArticlePage } from '../../../../src/articles/article.ts'
import { extractArticle } from '../../../../src/articles/extract/extract.ts'
import { fold } from '../../../../src/articles/extract/metadata/title.ts'
import { BLOGS } from './blogs.ts'
import { DISCUSSIONS } from './discussions.ts'
import { NEWS } from './news.ts'
import type { LabelledFixture } from './page.ts'
import { SCRIPTS } from './scripts.ts'

export const LABELLED_PAGES: readonly LabelledFixture[] = [...NEWS, ...BLOGS, ...DISCUSSIONS, ...SCRIPTS]

function pageOf({ url, html, contentType, charset }: LabelledFixture): ArticlePage {
  const body = charset === undefined ? Buffer.from(html) : iconv.encode(html, charset)
  return { url, contentType: contentType ?? 'text/html; charset=utf-8', body }
}

export function articleOf(fixture: LabelledFixture): Article | null {
  const extraction = extractArticle(pageOf(fixture))
  return extraction.kind === 'article' ? extraction.article : null
}

/** What of a page is as its label says. */
export function judgePage(fixture: LabelledFixture, article: Article | null): Record<string, boolean> {
  const { expected } = fixture
  const day = article?.published == null ? null : new Date(article.published).toISOString().slice(0, 10)
  return {
    title: fold(article?.title ?? '') === fold(expected.title),
    author: article !== null && article.author === expected.author,
    date: article !== null && day === expected.date,
    language: article?.language?.split('-')[0] === expected.language,
    text:
      article?.text.includes(expected.has) === true &&
      !(expected.hasNot !== undefined && article.text.includes(expected.hasNot)),
  }
}

const JUDGED_PARTS = ['title', 'author', 'date', 'language', 'text'] as const

/** Of each part, how many of the pages are as their labels say. */
export function judgeAll(): readonly { readonly part: string; readonly right: number; readonly labelled: number }[] {
  const judged = LABELLED_PAGES.map((fixture) => judgePage(fixture, articleOf(fixture)))
  return JUDGED_PARTS.map((part) => ({
    part,
    right: judged.filter((right) => right[part]).length,
    labelled: judged.length,
  }))
}
