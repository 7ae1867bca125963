import type { Article } from '../../src/articles/article.ts'
import type { PageReader } from '../../src/articles/visit-page.ts'

const NOTHING_SAID: Omit<Article, 'html' | 'text'> = {
  canonicalUrl: null,
  title: null,
  author: null,
  published: null,
  language: null,
  languageIs: null,
  categories: [],
  leadImage: null,
  wall: null,
  by: 'plain',
  confidence: 1,
}

/** Takes what stands in `<article>`, and believes `<meta name="wall">`: for pages that a test has written. */
export function plainExtractor(): PageReader {
  return {
    async extract({ contentType, body }) {
      if (!(contentType ?? '').includes('html')) return { kind: 'failure', reason: 'not-html' }
      const page = Buffer.from(body).toString()
      const [, html] = /<article>(.*?)<\/article>/s.exec(page) ?? []
      if (html === undefined) return { kind: 'failure', reason: 'no-text' }
      const wall = page.includes('<meta name="wall"') ? 'paywall' : null
      return { kind: 'article', article: { ...NOTHING_SAID, wall, html, text: html.replace(/<[^>]*>/g, ' ') } }
    },
    close: async () => {},
  }
}
