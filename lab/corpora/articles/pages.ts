import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { ArticlePage } from '../../../src/articles/article.ts'
import { corpusFolder } from '../corpus.ts'

/** A page of the corpus with what people say is its text. */
export interface LabelledPage {
  readonly name: string
  readonly page: ArticlePage
  readonly body: string
  readonly half: Half
}

/** Rules are made by looking at one half; the other one says what they are worth. */
export type Half = 'tune' | 'held-out'

export const ARTICLES_FOLDER = corpusFolder('articles/scrapinghub')
export const hasArticles = existsSync(join(ARTICLES_FOLDER, 'ground-truth.json'))

function halfOf(name: string): Half {
  const [first = 0] = createHash('sha256').update(`half of ${name}`).digest()
  return first % 2 === 0 ? 'tune' : 'held-out'
}

export function readLabelledPages(): LabelledPage[] {
  const truth: Record<string, { articleBody: string; url: string }> = JSON.parse(
    readFileSync(join(ARTICLES_FOLDER, 'ground-truth.json'), 'utf8'),
  )
  return Object.entries(truth).map(([name, { articleBody, url }]) => ({
    name,
    page: {
      url,
      contentType: 'text/html',
      body: gunzipSync(readFileSync(join(ARTICLES_FOLDER, 'html', `${name}.html.gz`))),
    },
    body: articleBody,
    half: halfOf(name),
  }))
}
