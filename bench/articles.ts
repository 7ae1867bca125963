import { measureMemory, measurePage, medianOf } from '../lab/corpora/articles/measure.ts'
import { hasArticles, readLabelledPages } from '../lab/corpora/articles/pages.ts'
import type { ArticlePage } from '../src/articles/article.ts'
import { roundToPrecision } from './rounds.ts'

export interface BenchArticlesOptions {
  readonly rounds?: number
  /** Pages through the threads for the memory figure; default 1,000. */
  readonly pages?: number
}

const USUAL_MEMORY_PAGES = 1_000

/** CPU time of a page from bytes to article, and what many pages through the threads leave behind in memory. */
export async function benchArticles(options: BenchArticlesOptions = {}): Promise<object> {
  const rounds = options.rounds ?? 3
  const pages = hasArticles ? readLabelledPages().map(({ page }) => page) : generatedPages()
  const best = pages.map((page) => Math.min(...Array.from({ length: rounds }, () => measurePage('', page).cpuMs)))
  const kilobytes = pages.map(({ body }) => body.length / 1_024)
  return {
    bench: 'articles',
    pages: hasArticles ? 'real, from ../shared/corpora/articles' : 'generated: ../shared/corpora is missing',
    count: pages.length,
    rounds,
    medianKb: roundToPrecision(medianOf(kilobytes)),
    cpuMs: { median: roundToPrecision(medianOf(best)), max: roundToPrecision(Math.max(...best)) },
    memory: await measureMemory(pages, options.pages ?? USUAL_MEMORY_PAGES),
  }
}

/** For machines without the corpora: articles of many sizes with as much around them as pages have. */
function generatedPages(): ArticlePage[] {
  return [5, 10, 20, 40, 80, 160].map((paragraphs) => {
    const around = '<ul class="menu"><li><a href="/a">Sport</a></li><li><a href="/b">Weather</a></li></ul>'.repeat(
      paragraphs,
    )
    const text = '<p>The ferry sails again, the council said, after a pause that began with a storm.</p>'.repeat(
      paragraphs,
    )
    const html = `<html lang="en"><head><title>Ferry</title></head><body>${around}<article><h1>Ferry</h1>${text}</article>${around}</body></html>`
    return { url: 'https://example.org/ferry', contentType: 'text/html; charset=utf-8', body: Buffer.from(html) }
  })
}
